"""The command reconstruct: released files and their audits, or a sentence."""

import csv
import json

import numpy as np
import pytest
from builders.bells import bell, laplace
from strategies import perturbed

import tokumei as tk


@pytest.fixture
def released(tmp_path):
    source, target = tmp_path / "people.csv", tmp_path / "released.csv"
    rows = zip(bell(3000), np.random.default_rng(9).integers(0, 6, 3000), strict=True)
    source.write_text("a,b\n" + "\n".join(f"{a:.0f},{b}" for a, b in rows))
    attributes = {
        "a": tk.noise.Attribute(0, 40, integer=True),
        "b": tk.noise.Attribute(0, 5, integer=True, mechanism="square-wave", reach=1),
    }
    tk.release.perturb_file(source, target, k=2, attributes=attributes)
    return target


def test_a_released_file_is_reconstructed_from_its_audit(released, tmp_path, tokumei_):
    pytest.importorskip("matplotlib")
    cells, plot = tmp_path / "cells.csv", tmp_path / "plot.svg"
    code, out, err = tokumei_("reconstruct", released, cells, "--plot", plot)
    assert (code, err) == (0, "")
    assert "3,000" in out
    assert "square-wave" in out
    with cells.open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert [row["column"] for row in rows] == ["a"] * 41 + ["b"] * 6
    for name in "ab":
        mass = sum(float(row["probability"]) for row in rows if row["column"] == name)
        assert mass == pytest.approx(1.0, abs=1e-9)
    assert plot.read_text(encoding="utf-8").startswith("<?xml")
    assert sorted(p.name for p in tmp_path.iterdir() if p.name.startswith(".")) == []


def test_a_channel_comes_back_from_its_audit_unchanged(released):
    from tokumei.release.perturb.reconstruct_file import channels_of

    found = channels_of(released)
    told = json.loads((released.parent / "released.csv.audit.json").read_text(encoding="utf-8"))
    for name, channel in found.items():
        assert channel.mechanism == told["achieved"]["columns"][name]["mechanism"]
        assert channel.epsilon == pytest.approx(told["achieved"]["columns"][name]["epsilon"])


def test_noise_of_others_is_named_instead_of_an_audit(tmp_path, tokumei_):
    source, target = tmp_path / "theirs.csv", tmp_path / "cells.json"
    source.write_text("v\n" + "\n".join(str(v) for v in perturbed(laplace(), bell(500))))
    code, out, _ = tokumei_(
        "reconstruct", source, target, "--laplace", "v:0:40:4:integer", "--cells", "v=10", "--json"
    )
    assert code == 0
    assert json.loads(out) == json.loads(target.read_text(encoding="utf-8"))
    assert len(json.loads(out)["v"]["probabilities"]) == 10


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--column", "z"], "column 'z': no bounds and noise"),
        (["--atom", "a"], "atom is written as name=word"),
        (["--atom", "a=x"], "atom is written as name=number"),
        (["--atom", "a=99"], "column 'a': atoms has 1 of 1 values outside"),
        (["--laplace", "a:0:40"], "laplace is written as"),
        (["--laplace", "a:0:40:-1"], "scale must be above 0"),
        (["--laplace", "q:0:40:1"], "column 'q' is not in the file"),
        (["--audit", "nowhere.json"], "nowhere.json, the audit of released.csv, is not there"),
    ],
)
def test_wrong_options_end_with_a_sentence(released, tmp_path, tokumei_, options, message):
    target = tmp_path / "cells.csv"
    code, _, err = tokumei_("reconstruct", released, target, *options)
    assert code == 2
    assert message in err
    assert not target.exists()


def test_other_endings_are_refused(released, tmp_path, tokumei_):
    code, _, err = tokumei_("reconstruct", released, tmp_path / "cells.txt")
    assert code == 2
    assert "must end in .csv or .json" in err
