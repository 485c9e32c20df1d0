"""A release, its audit and its record are published as one, whatever moment a run dies at."""

import json
import os
from pathlib import Path

import pytest
from builders.commands import posix
from builders.killed import killed, mask, names

import tokumei as tk
from tokumei.release import audit as audits
from tokumei.release.io import frames, journal

SECRET = "7f3canary"
PAIR = ["out.csv", "out.csv.audit.json", "out.csv.private.json"]


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "in.csv").write_text("age,x\n" + "".join(f"{i},v{i}\n" for i in range(8)))
    return tmp_path


def test_the_public_audit_holds_no_hash_of_the_input_and_the_private_record_does(folder):
    mask(folder)
    public, private = (json.loads((folder / name).read_text()) for name in PAIR[1:])
    assert (folder / PAIR[2]).stat().st_mode & 0o777 == 0o600
    assert public.pop("sha256") != private.pop("sha256")  # each of its own file
    assert "sha256" not in public["input"] | public["job"]
    assert len(private["input"]["sha256"]) == len(private["job"]["sha256"]) == 64
    assert public["output"] == private["output"]
    assert len(f"{public['achieved']['loss_percent']:.12g}".replace(".", "").strip("0")) <= 3
    assert audits.public(private) == public


def test_a_guess_of_the_input_cannot_be_held_against_the_audit(tmp_path):
    # With n - 1 incomes known, the hash of the input gave the last one back exactly.
    published = []
    for income in (1000, 1001):
        (tmp_path / "in.csv").write_text(f"income\n{income}\n2000\n3000\n4000\n")
        told = {"income": tk.noise.Attribute(0, 9999, integer=True)}
        done = tk.release.perturb_file(
            tmp_path / "in.csv", tmp_path / "out.csv", k=2, attributes=told
        )
        shown = dict(done.audit)
        shown.pop("output")
        published.append(shown)
    assert published[0] == published[1]


def test_no_scale_that_follows_from_the_data_is_published():
    column = {
        "mechanism": "laplace",
        "integer": False,
        "lower": None,
        "upper": None,
        "missing": "refuse",
    }
    told = {
        "input": {},
        "job": {},
        "run": {},
        "achieved": {"columns": {"age": column | {"scale": 123.5, "lattice": 0.5}}},
    }
    assert audits.public(told)["achieved"]["columns"]["age"] == column
    bounded = {"age": column | {"lower": 0.0, "upper": 9.0, "scale": 3.0}}
    told["achieved"]["columns"] = bounded
    assert audits.public(told)["achieved"]["columns"] == bounded


def test_a_refusal_never_touches_a_good_pair(folder, monkeypatch):
    mask(folder)
    before = {name: (folder / name).read_bytes() for name in PAIR}
    real = frames.released
    monkeypatch.setattr(frames, "released", lambda *a, **k: real(*a, **k).head(7))
    with pytest.raises(tk.release.Refused):
        mask(folder)
    assert names(folder) == [*PAIR, "out.csv.refused.json"]
    assert {name: (folder / name).read_bytes() for name in PAIR} == before
    assert json.loads((folder / "out.csv.refused.json").read_text())["verdict"] == "refused"
    monkeypatch.undo()
    mask(folder)
    assert names(folder) == PAIR


def test_a_changed_file_is_not_what_its_audit_describes(folder):
    mask(folder)
    assert tk.release.verify(folder / "out.csv")["verdict"] == "released"
    with (folder / "out.csv").open("a") as file:
        file.write("4,w\n")
    with pytest.raises(tk.release.InputError, match="is not the file"):
        tk.release.verify(folder / "out.csv")
    (folder / "out.csv.audit.json").unlink()
    missing = r"out\.csv\.audit\.json, the audit of out\.csv, is not there"
    with pytest.raises(tk.release.InputError, match=missing):
        tk.release.verify(folder / "out.csv")


def test_a_changed_file_is_not_reconstructed(tmp_path):
    (tmp_path / "in.csv").write_text("age\n" + "30\n41\n" * 200)
    released = tmp_path / "out.csv"
    age = tk.noise.Attribute(17, 90, integer=True)
    tk.release.perturb_file(tmp_path / "in.csv", released, k=2, attributes={"age": age})
    released.write_text(released.read_text().replace("\n", "\n1\n", 1))
    with pytest.raises(tk.release.InputError, match="is not the file"):
        tk.release.reconstruct_file(released, tmp_path / "cells.json")


@posix
def test_a_run_that_dies_at_any_step_leaves_a_pair_or_none_and_the_next_one_tidies(folder):
    mask(folder)
    older = (folder / "out.csv").read_bytes()
    seen = killed(folder, "steps")
    assert len(seen) > 8
    assert {each["state"] for each in seen} == {"whole", "bare"}
    for each in seen:
        assert len([name for name in each["left"] if name.startswith(journal.PREFIX)]) == 1
        assert (each["tidied"], each["names"]) == ("whole", PAIR)
    assert (folder / "out.csv").read_bytes() != older  # shuffled anew


@posix
def test_first_runs_that_die_leave_nothing_or_a_pair(folder):
    seen = killed(folder, "steps")
    assert {each["state"] for each in seen} == {"absent", "bare", "whole"}
    assert {(each["tidied"], *each["names"]) for each in seen} == {("absent",), ("whole", *PAIR)}


@posix
def test_runs_killed_at_random_moments_leave_pairs(tmp_path):
    thorough = os.environ.get("TOKUMEI_TEST_PROFILE") == "thorough"
    seen = killed(tmp_path, "200" if thorough else "12")
    assert seen["at the end"] == "whole"
    assert not any(each.startswith("wrong") for each in seen["found"])
    assert seen["names"] == PAIR


@posix
def test_a_folder_whose_owner_lives_is_left_alone(folder):
    stage = folder / f"{journal.PREFIX}other"
    stage.mkdir()
    held = journal.own(stage)
    mask(folder)
    assert stage.exists()
    os.close(held)
    mask(folder)
    assert not stage.exists()


@posix
def test_a_journal_names_files_of_its_folder_only(folder):
    stage = folder / f"{journal.PREFIX}other"
    stage.mkdir()
    (stage / journal.OWNER).touch()
    (stage / "x").write_text(SECRET)
    (stage / journal.JOURNAL).write_text(
        json.dumps({"gone": ["../in.csv"], "moves": [["x", "../y"]]})
    )
    (folder / "sub").mkdir()
    journal.tidy(folder)
    assert (folder / "in.csv").exists()
    assert not (folder.parent / "y").exists()
    assert not stage.exists()


@posix
def test_a_link_is_no_folder_of_ours(folder, tmp_path_factory):
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    (elsewhere / journal.OWNER).touch()
    (elsewhere / "x").write_text(SECRET)
    (elsewhere / journal.JOURNAL).write_text(json.dumps({"gone": [], "moves": [["x", "y"]]}))
    (folder / f"{journal.PREFIX}link").symlink_to(elsewhere, target_is_directory=True)
    journal.tidy(folder)
    assert (elsewhere / "x").exists()
    assert not (folder / "y").exists()


@posix
def test_a_folder_without_an_owner_is_taken_away_while_it_is_empty(folder):
    empty, owned = folder / f"{journal.MAKING}empty", folder / f"{journal.MAKING}owned"
    for each in (empty, owned):
        each.mkdir()
    (owned / "owner to be").touch()
    journal.tidy(folder)
    assert not empty.exists()
    assert owned.exists()


@posix
@pytest.mark.parametrize("moment", ["before it is owned", "before it has its name"])
def test_a_folder_that_another_process_took_away_is_made_again(folder, monkeypatch, moment):
    taken_away = []

    def own(making):
        if moment == "before it is owned" and not taken_away:
            taken_away.append(making)
            journal.tidy(folder)
        descriptor = once(making)
        if not taken_away:
            taken_away.append(making)
            (making / journal.OWNER).unlink()
            journal.tidy(folder)
        return descriptor

    once = journal.own
    monkeypatch.setattr(journal, "own", own)
    made, descriptor = journal.made(folder)
    os.close(descriptor)
    assert made.is_dir()
    assert (made / journal.OWNER).exists()
    assert [each.exists() for each in taken_away] == [False]


def test_the_audit_of_a_refusal_vouches_for_no_file(folder):
    mask(folder)
    audit = json.loads((folder / "out.csv.audit.json").read_text())
    (folder / "out.csv.audit.json").write_text(json.dumps(audit | {"verdict": "refused"}))
    with pytest.raises(tk.release.InputError, match="no audit of a release"):
        tk.release.verify(folder / "out.csv")


def test_a_release_that_cannot_be_placed_leaves_the_older_pair(folder, monkeypatch):
    mask(folder)
    before = {name: (folder / name).read_bytes() for name in PAIR}
    real = Path.replace

    def broken(self, target):
        if self.name == "release":
            raise OSError(28, "No space left on device")
        return real(self, target)

    monkeypatch.setattr(Path, "replace", broken)
    with pytest.raises(tk.release.InputError, match="No space left"):
        mask(folder)
    assert {name: (folder / name).read_bytes() for name in PAIR} == before
    assert names(folder) == PAIR
