"""A limit of memory makes tasks small and few, and is kept."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from builders.commands import environment, posix
from builders.datasets import mask

import tokumei as tk
from tokumei.batch import plan
from tokumei.batch.asked import Sizes

THOROUGH = os.environ.get("TOKUMEI_TEST_PROFILE") == "thorough"
GIB = 2**30


@pytest.mark.parametrize("limit", [0.65, 0.8, 1.0, 2.0, 4.0, 64.0])
@pytest.mark.parametrize("threads", [1, 2, 32])
def test_what_tasks_take_together_is_within_the_limit(limit, threads):
    sizes, used = Sizes().within(limit * GIB, threads)
    assert 1 <= used <= threads
    assert sizes.held(used) <= limit * GIB
    assert sizes.task_bytes <= Sizes().task_bytes
    more, _ = Sizes().within((limit + 1) * GIB, threads)
    assert more.task_bytes * _ >= sizes.task_bytes * used


def test_too_low_a_limit_is_refused_with_the_least(source, tmp_path):
    with pytest.raises(tk.release.InputError, match=r"memory_limit must be at least 0.61 GiB"):
        mask(source, tmp_path / "out", memory_limit=0.5)
    assert [path.name for path in tmp_path.iterdir()] == ["in"]


def test_a_limit_makes_more_and_smaller_tasks(source, tmp_path, rows, small, monkeypatch):
    seen = []
    real = plan.planned

    def planned(asked, found):
        seen.append(asked.sizes)
        return real(asked, found)

    monkeypatch.setattr(plan, "planned", planned)
    mask(source, tmp_path / "out", memory_limit=0.65)
    mask(source, tmp_path / "more")
    assert seen[0].task_bytes < seen[1].task_bytes
    assert tk.release.verify(tmp_path / "out")["achieved"]["rows"] == len(rows)


@posix
@pytest.mark.skipif(not THOROUGH, reason="millions of rows take their time")
def test_the_process_and_its_children_keep_the_limit():
    root = Path(__file__).parents[2]
    asked = ["run", "4e6", "--limit", "1", "--piece", "500000"]
    done = subprocess.run(
        [sys.executable, "-m", "bench.dataset", *asked],
        capture_output=True, text=True, check=False, cwd=root,
        env=environment() | {"PYTHONPATH": str(root)},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "peak memory 0." in done.stdout
