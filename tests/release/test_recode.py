"""Recoding as a release: what was asked for, column by column, and counted again."""

from collections import Counter

import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet
import pytest
from builders.commands import FEW
from builders.people import ACCEPTED
from hypothesis import given, settings
from hypothesis import strategies as st

import tokumei as tk
from tokumei import commands
from tokumei.release.io import frames

JOBS = {"nurse": "care", "doctor": "care", "smith": "craft", "care": "work", "craft": "work"}
PEOPLE = {
    "age": [17, 25, 31, 64, 90, 95],
    "job": ["nurse", "doctor", "smith", "nurse", "smith", "nurse"],
    "size": ["S", "M", "L", "L", "L", "M"],
    "ill": list("ababab"),
}
ROLES = {"quasi": ["age", "job", "size"], "sensitive": ["ill"], "keep_order": True}


def recoded(**options):
    return tk.release.recode(pa.table(PEOPLE), **(ROLES | options))


def refusal(**options):
    with pytest.raises((tk.release.InputError, tk.release.Refused)) as caught:
        recoded(**options)
    return str(caught.value)


@pytest.mark.parametrize("kind", [pd.DataFrame, pl.DataFrame, pa.table])
def test_the_same_kind_comes_out_recoded_and_checked(kind):
    table = kind(PEOPLE)
    release = tk.release.recode(table, top={"age": 90}, bottom={"age": 18}, **ROLES)
    assert type(release.table) is type(table)
    assert list(release.table["age"].to_list() if kind is not pa.table else
                release.table["age"].to_pylist()) == [
        "18 or less", "25", "31", "64", "90 or more", "90 or more",
    ]  # fmt: skip
    assert release.audit["verdict"] == "released"
    assert "k" not in release.audit["achieved"]


def test_each_option_recodes_by_the_functions_of_its_room():
    found = recoded(
        bins={"age": [0, 30, 100]}, level={"job": 1}, trees={"job": JOBS}, share={"size": 0.3}
    ).table
    assert found["age"].to_pylist() == ["0 to 30"] * 2 + ["30 to 100"] * 4
    assert found["job"].to_pylist() == ["care", "care", "craft", "care", "craft", "care"]
    by_share = tk.recode.by_share(PEOPLE["size"], 0.3)
    assert found["size"].to_pylist() == by_share.values.tolist()
    binned = recoded(bins={"age": [0, 30, 60, 100]}, share={"age": 0.3}).table["age"].to_pylist()
    assert binned == tk.recode.bins(PEOPLE["age"], [0, 30, 60, 100], share=0.3).values.tolist()


def test_rules_follow_from_what_a_column_is_or_are_said():
    jobs = recoded(share={"job": 0.4}, trees={"job": JOBS}).table["job"].to_pylist()
    assert jobs == tk.recode.by_share(
        PEOPLE["job"], 0.4, rule="parents", parent_of=JOBS
    ).values.tolist()  # fmt: skip
    order = ["S", "M", "L"]
    sizes = recoded(share={"size": 0.4}, orders={"size": order}).table["size"].to_pylist()
    assert sizes == ["S to M", "S to M", "L", "L", "L", "S to M"]
    ages = recoded(share={"age": 0.4}).table["age"].to_pylist()
    assert ages == tk.recode.by_share(PEOPLE["age"], 0.4, rule="neighbours").values.tolist()
    rest = recoded(share={"size": 0.4}, rule={"size": "other"}, other_label="rest").table
    assert set(rest["size"].to_pylist()) == {"L", "rest"}


def test_a_level_and_then_a_share():
    jobs = recoded(level={"job": 1}, share={"job": 0.4}, trees={"job": JOBS}).table["job"]
    assert set(jobs.to_pylist()) == {"work"}


def test_k_is_counted_where_it_is_asked_for():
    merged = {"bins": {"age": [0, 50, 100]}, "level": {"job": 2}, "trees": {"job": JOBS}}
    merged |= {"share": {"size": 0.9}, "accept_risk": ACCEPTED}
    assert recoded(k=3, **merged).audit["achieved"]["k"] == 3
    assert "the smallest class has 3 records, 4 asked" in refusal(k=4, **merged)
    assert recoded(k=3, l_diversity=2, **merged).audit["achieved"]["l-diversity of ill"] == 2
    assert "l-diversity of column 'ill' is not kept" in refusal(
        l_diversity=3, **merged | {"accept_risk": None}
    )


@pytest.mark.parametrize(
    ("spoiled", "sentence"),
    [
        ({"size": list("SMLLLM")}, "rare in 1 column"),
        ({"size": ["M/S", "M/S", "X", "X", "X", "M/S"]}, "3 cells with a category that was not"),
        ({"age": [17, 25, 31, 64, 90, 94]}, "1 cell with a category that was not there"),
    ],
)
def test_a_table_that_was_not_recoded_as_asked_is_refused(monkeypatch, spoiled, sentence):
    real = frames.released

    def release(frame, names, **options):
        made = real(frame, names, **options).to_native()
        for name, cells in spoiled.items():
            made = made.set_column(made.column_names.index(name), name, pa.array(cells))
        return frames.frame_of(made)

    asked = {"share": {"size": 0.4}, "rule": {"size": "smallest"}}
    assert set(recoded(**asked).table["size"].to_pylist()) == {"L", "M/S"}
    monkeypatch.setattr(frames, "released", release)
    with pytest.raises(tk.release.Refused, match=sentence):
        recoded(**asked)


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"level": {"job": 1}}, "no tree is given for it"),
        ({"level": {"job": 7}, "trees": {"job": JOBS}}, "column 'job': level must be between 0"),
        ({"top": {"job": 7}}, "column 'job' has 6 cells that are not numbers"),
        ({"top": {"age": 20}, "bottom": {"age": 30}}, "bottom must be below top"),
        ({"bins": {"age": [20, 30]}}, "edges must span all values; 5 of 6 are outside"),
        ({"bins": {"age": [30, 20]}}, "must be at least two increasing numbers"),
        ({"bins": {"age": [0, 99]}, "top": {"age": 9}}, "not by two"),
        ({"top": {"age": 9}, "share": {"age": 0.1}}, "a share goes alone"),
        ({"share": {"age": 1.5}}, "the share of column 'age' must be above 0 and below 1"),
        ({"rule": {"age": "other"}}, "rule names 'age', for which no share is given"),
        ({"trees": {"job": {"nurse": "care"}}, "level": {"job": 1}}, "3 values that the hierarchy"),
    ],
)
def test_what_cannot_be_recoded_gets_a_sentence(options, sentence):
    assert sentence in refusal(**options)


def test_missing_cells_stay_missing_and_count_as_asked():
    table = pa.table({"job": ["cook", "cook", None, "farm", "farm"], "age": [1, 1, 1, 2, 2]})
    asked = {"quasi": ["job", "age"], "top": {"age": 2}, "keep_order": True}
    release = tk.release.recode(table, **asked)
    assert release.table["job"].to_pylist() == ["cook", "cook", None, "farm", "farm"]
    with pytest.raises(tk.release.Refused, match="the smallest class has 1 record, 2 asked"):
        tk.release.recode(table, 2, **asked)
    achieved = tk.release.recode(table, 2, missing_counts_as="wildcard", **asked).audit["achieved"]
    assert achieved["k"] == achieved["k_missing_as_wildcard"] == 2
    assert achieved["k_missing_as_value"] == 1


CELLS = st.sampled_from([None, "a", "b", "c"])


@given(rows=st.lists(st.tuples(CELLS, CELLS, CELLS), min_size=1, max_size=12))
@settings(max_examples=40, deadline=None)
def test_wildcards_count_as_by_comparing_every_pair(rows):
    def alike(one, other):
        return all(a == b or a is None or b is None for a, b in zip(one, other, strict=True))

    fewest = min(sum(alike(one, other) for other in rows) for one in rows)
    smallest = min(Counter(rows).values())
    columns = dict(zip("pqr", map(list, zip(*rows, strict=True)), strict=True))
    table = pa.table(
        {"n": [1] * len(rows)} | {c: pa.array(v, pa.string()) for c, v in columns.items()}
    )
    asked = {"quasi": ["n", *columns], "top": {"n": 5}, "missing_counts_as": "wildcard"}
    for k in {2, max(2, fewest), fewest + 1}:
        try:
            audit = tk.release.recode(table, k, **asked).audit
            assert fewest >= k
            assert audit["achieved"]["k"] == fewest
            if any(None in row for row in rows):
                assert audit["achieved"]["k_missing_as_value"] == smallest
        except tk.release.Refused:
            assert fewest < k


def test_wildcards_and_values_are_the_same_in_files_of_every_kind(tmp_path):
    table = pa.table({"age": [1, 1, 2, 2, None], "job": ["a", None, "b", "b", "b"]})
    for name, write in (("in.csv", pa.csv.write_csv), ("in.parquet", pa.parquet.write_table)):
        write(table, tmp_path / name)
        asked = {
            "quasi": ["age", "job"],
            "level": {"job": 0},
            "trees": {"job": {"a": "x", "b": "x"}},
        }
        audit = tk.release.recode_file(
            tmp_path / name, tmp_path / f"out.{name}", 2, missing_counts_as="wildcard", **asked
        ).audit
        assert audit["achieved"]["k_missing_as_wildcard"] == 2
        assert audit["achieved"]["k_missing_as_value"] == 1


def test_the_command_recodes_and_saves_the_job_that_does_it_again(tmp_path, capsys):
    source, target = tmp_path / "in.csv", tmp_path / "out.csv"
    pd.DataFrame(PEOPLE).to_csv(source, index=False)
    (tmp_path / "jobs.csv").write_text("nurse,care,work\ndoctor,care,work\nsmith,craft,work\n")
    ask = (
        "--quasi age,job,size --sensitive ill --bins age=0<50<100 --level job=2 --share size=0.9 "
        f"--tree job={tmp_path / 'jobs.csv'} -k 3 --keep-order"
    )
    line = ["recode", str(source), str(target), *ask.split(), *FEW]
    commands.run([*line, "--save-job", str(tmp_path / "job.toml")])
    out = capsys.readouterr().out
    assert "age         6 categories into 2\n" in out
    assert "k           smallest class 3\n" in out
    first = target.read_text()
    target.unlink()
    commands.run(["run", str(tmp_path / "job.toml")])
    assert target.read_text() == first
    assert first.splitlines()[1] == "0 to 50,work,L/M/S,a"
    assert capsys.readouterr().out.splitlines()[:-1] == out.splitlines()[:-1]
