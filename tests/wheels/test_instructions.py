"""No instruction above baseline stands where a processor without it would meet it."""

import shutil
import subprocess
from pathlib import Path

import pytest
from wheels.instructions import above_baseline, disassembled, main

import tokumei

BUILT = sorted(Path(tokumei.__file__).parents[2].glob("build/cp3*/*.so"))
PLANTED = """
double planted(const double* x) { double s = 0; for (int i = 0; i < 64; ++i) s += x[i]; return s; }
"""


@pytest.fixture
def compiler():
    found = shutil.which("gcc")
    if found is None or shutil.which("objdump") is None:
        pytest.skip("needs gcc and objdump")
    return found


def compiled(compiler, folder, name, *flags):
    (folder / "planted.c").write_text(PLANTED.replace("planted", name))
    made = folder / f"{name}.so"
    command = [compiler, "-O2", "-shared", "-fPIC", *flags, "-o", made, folder / "planted.c"]
    subprocess.run(command, check=True)
    return made


def test_an_instruction_that_is_planted_is_found(compiler, tmp_path, capsys):
    wrong, allowed = above_baseline(compiled(compiler, tmp_path, "planted", "-mavx2"))
    assert {symbol for symbol, _ in wrong} == {"planted"}
    assert allowed == 0
    assert main([str(tmp_path / "planted.so")]) == 1
    assert "vaddsd" in capsys.readouterr().out


def test_what_is_chosen_at_run_time_may_have_it_and_the_rest_is_plain(compiler, tmp_path):
    wrong, allowed = above_baseline(compiled(compiler, tmp_path, "on_avx2I", "-mavx2"))
    assert not wrong
    assert allowed > 0
    assert above_baseline(compiled(compiler, tmp_path, "plain")) == (set(), 0)


@pytest.mark.skipif(not BUILT, reason="the doors were not built here")
def test_doors_hold_none_outside_of_what_is_chosen(compiler):
    door = next(path for path in BUILT if path.name.startswith("numeric."))
    if not any("tokumei" in symbol for symbol, _ in disassembled(door)):
        pytest.skip("the doors are stripped")
    wrong, allowed = above_baseline(door)
    assert not wrong
    assert allowed > 0
