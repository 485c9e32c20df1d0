"""The release gate: every check refuses the one thing it is there for, and fails closed."""

import narwhals.stable.v2 as nw
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from tokumei.privacy import KAnonymity
from tokumei.release import audit, schema
from tokumei.release.gate import checks as gate
from tokumei.release.gate.candidate import Candidate, Expected
from tokumei.release.gate.origin import Origin
from tokumei.release.io import files, frames
from tokumei.release.io.written import InMemory, written_file
from tokumei.release.job import gather
from tokumei.release.mask.step import Microaggregate

CANARY = "7f3canary"
ROLES = schema.assign(
    ["name", "age", "income", "job"],
    {"identifier": ["name"], "quasi": ["age", "income"], "other": ["job"]},
)
ORIGINAL = np.asfortranarray([[20.0, 1.0], [22.0, 3.0], [40.0, 5.0], [44.0, 5.0]])
MASKED = {"age": [21.0, 21.0, 42.0, 42.0], "income": [2.0, 2.0, 5.0, 5.0], "job": list("abcd")}
FORMATS = ["csv", "parquet", "arrow", "pandas", "polars", "memory"]
CHECKS = list(gate.QUESTIONS)
ROLE, IDENTIFIERS, TRACES, ROWS, RECORDS, ORDER, TOLD, *JUDGED = CHECKS
JOINT_K, HOUSEHOLDS, SENSITIVE, POPULATION, FINITE, KNOWN, HAPPENED = JUDGED
GROUPS = np.array([0, 0, 1, 1])


def put(columns, kind, folder, metadata=None, delimiter=","):
    """A release of some kind, as the gate is given it."""
    table = pa.table(columns).replace_schema_metadata(metadata)
    if kind in ("csv", "parquet", "arrow"):
        layout = files.Layout(kind, delimiter)
        with (folder / "release").open("wb") as file:
            files.write(table, file, layout)
        return written_file(folder / "release", layout, ROLES)
    native = {"pandas": pd.DataFrame, "polars": pl.DataFrame}.get(kind, pa.table)(columns)
    frame = frames.frame_of(table if kind == "memory" else native)
    return InMemory(frame if kind == "memory" else frames.remade(frame), ROLES.released())


def examined(written, made, *, k=2, original=None, roles=ROLES, expected=None, groups=GROUPS):
    """The failed checks of what was written of a table of which a step made these columns."""
    if original is None:
        original = pa.table(list(ORIGINAL.T), names=["age", "income"])
    quasi = roles.of("quasi")
    read = {"name": list("wxyz")} | {n: v for n, v in made.items() if n not in quasi}
    read |= {name: original.column(name) for name in quasi}
    origin = Origin(
        frames.frame_of(pa.table(read)),
        {name: pa.array(made[name]) for name in quasi if name in made},
        shuffled=False,
    )
    candidate = Candidate(
        written,
        roles,
        original,
        [KAnonymity(k)],
        origin=origin,
        n_threads=2,
        spill=None,
        expected=expected,
        groups=groups,
    )
    checks = gate.examine(candidate)
    assert [check.name for check in checks] == CHECKS
    return {check.name: check.detail for check in checks if not check.passed}


def failed(columns, kind, folder, *, made=None, metadata=None, **options):
    """The same where the release holds these columns, by default those that were made."""
    written = put(columns, kind, folder, metadata)
    return examined(written, columns if made is None else made, **options)


@pytest.mark.parametrize("kind", FORMATS)
def test_a_right_release_passes(tmp_path, kind):
    assert failed(MASKED, kind, tmp_path) == {}


@pytest.mark.parametrize("kind", FORMATS)
def test_a_class_smaller_than_k_is_refused(tmp_path, kind):
    broken = MASKED | {"income": [2.0, 2.0, 5.0, 6.0]}
    assert failed(broken, kind, tmp_path) == {JOINT_K: "the smallest class has 1 record, 2 asked"}
    assert list(failed(MASKED, kind, tmp_path, k=3)) == [JOINT_K]


@pytest.mark.parametrize("kind", FORMATS)
def test_columns_masked_one_by_one_have_no_joint_k(tmp_path, kind):
    broken = MASKED | {"age": [21.0, 42.0, 21.0, 42.0]}
    assert list(failed(broken, kind, tmp_path)) == [JOINT_K]


@pytest.mark.parametrize("kind", FORMATS)
@pytest.mark.parametrize("value", [None, float("nan"), float("inf"), float("-inf")])
def test_a_value_that_is_no_number_is_refused(tmp_path, kind, value):
    broken = MASKED | {"age": [21.0, 21.0, value, value]}
    found = failed(broken, kind, tmp_path)
    assert found.pop(FINITE) == "2 records with a missing, infinite or unreadable masked value"
    assert set(found) <= {RECORDS, ORDER}  # what is no number is missing in pandas


@pytest.mark.parametrize("kind", FORMATS)
def test_what_is_missing_is_a_value_of_its_own(tmp_path, kind):
    broken = MASKED | {"age": [21.0, 21.0, 42.0, None]}
    found = failed(broken, kind, tmp_path)
    assert found[JOINT_K] == "the smallest class has 1 record, 2 asked"


@pytest.mark.parametrize("kind", FORMATS)
def test_a_category_that_was_not_there_is_refused(tmp_path, kind):
    expected = [Expected(), Expected(number=False, known=("any",))]
    original = pa.table({"age": [20.0, 22.0, 40.0, 44.0], "income": ["low", "low", "high", "low"]})

    def failures(incomes):
        columns = MASKED | {"income": incomes}
        return failed(columns, kind, tmp_path, original=original, expected=expected)

    assert failures(["low", "low", "any", "any"]) == {}
    assert failures(["low", "low", "new", "new"]) == {
        KNOWN: "2 cells with a category that was not there"
    }


@pytest.mark.parametrize("kind", FORMATS)
def test_households_are_counted_again(tmp_path, kind):
    roles = schema.assign(
        ["age", "income", "job"], {"quasi": ["age", "income"], "household": ["job"]}
    )
    table = pa.table({"age": ORIGINAL[:, 0], "income": ORIGINAL[:, 1]})

    def failures(homes):
        columns = MASKED | {"job": homes}
        if kind in ("csv", "parquet", "arrow"):
            layout = files.Layout(kind, ",")
            with (tmp_path / "release").open("wb") as file:
                files.write(pa.table(columns), file, layout)
            written = written_file(tmp_path / "release", layout, roles)
        else:
            native = {"pandas": pd.DataFrame, "polars": pl.DataFrame}.get(kind, pa.table)(columns)
            written = InMemory(frames.frame_of(native), roles.released())
        return examined(written, columns, original=table, roles=roles)

    assert failures(list("abcd")) == {}
    assert failures(list("aacd")) == {HOUSEHOLDS: "the smallest class has 1 household, 2 asked"}


@pytest.mark.parametrize("kind", ["csv", "parquet", "arrow"])
def test_text_among_the_masked_values_is_refused(tmp_path, kind):
    broken = MASKED | {"age": ["21.0", "21.0", "about 42", "about 42"]}
    assert list(failed(broken, kind, tmp_path)) == [FINITE]


@pytest.mark.parametrize("kind", FORMATS)
def test_lost_and_added_rows_are_refused(tmp_path, kind):
    fewer = {name: values[:2] for name, values in MASKED.items()}
    found = failed(fewer, kind, tmp_path, made=MASKED)
    assert found[ROWS] == "4 in, 2 out"
    assert set(found) == {ROWS, RECORDS, ORDER}
    more = {name: values * 2 for name, values in MASKED.items()}
    found = failed(more, kind, tmp_path, made=MASKED)
    assert found[ROWS] == "4 in, 8 out"
    assert set(found) == {ROWS, RECORDS, ORDER}
    none = {name: values[:0] for name, values in MASKED.items()}
    assert {ROWS, JOINT_K, RECORDS} <= set(failed(none, kind, tmp_path, made=MASKED))


@pytest.mark.parametrize("kind", FORMATS[1:])
def test_an_identifier_left_in_is_refused(tmp_path, kind):
    found = failed({"name": list("wxyz")} | MASKED, kind, tmp_path, made=MASKED)
    assert found[IDENTIFIERS] == "still there: column 'name'"
    assert found[ROLE] == "the columns are not those that were to be released"
    assert set(found) == {IDENTIFIERS, ROLE}


@pytest.mark.parametrize("kind", FORMATS[1:])
def test_a_column_without_a_role_is_refused(tmp_path, kind):
    found = failed(MASKED | {"__index_level_0__": [3, 1, 0, 2]}, kind, tmp_path, made=MASKED)
    assert found == {ROLE: "no role: column '__index_level_0__'"}


@pytest.mark.parametrize("kind", FORMATS)
def test_a_column_that_is_missing_is_refused(tmp_path, kind):
    fewer = {name: values for name, values in MASKED.items() if name != "job"}
    assert ROLE in failed(fewer, kind, tmp_path, made=MASKED)


def test_a_csv_with_other_columns_than_declared_is_refused(tmp_path):
    more = failed({"name": list("wxyz")} | MASKED, "csv", tmp_path, made=MASKED)
    assert set(more) == set(CHECKS) - {TRACES, HOUSEHOLDS, SENSITIVE, POPULATION}
    renamed = {"age": MASKED["age"], "income": MASKED["income"], "name": list("wxyz")}
    assert set(failed(renamed, "csv", tmp_path, made=MASKED)) == {ROLE, IDENTIFIERS}
    swapped = {name: MASKED[name] for name in ("income", "age", "job")}
    assert set(failed(swapped, "csv", tmp_path, made=MASKED)) == {ROLE}


@pytest.mark.parametrize("kind", ["parquet", "arrow", "memory"])
def test_metadata_is_refused(tmp_path, kind):
    found = failed(MASKED, kind, tmp_path, metadata={"pandas": "secret"})
    assert found == {TRACES: "found: pandas"}


def test_row_labels_and_notes_of_pandas_are_refused():
    noted = pd.DataFrame(MASKED)
    noted.attrs["note"] = "secret"
    labelled = pd.DataFrame(MASKED, index=[3, 1, 2, 0])
    for frame in (noted, labelled, pd.DataFrame(MASKED).rename_axis("who")):
        written = InMemory(nw.from_native(frame, eager_only=True), ROLES.released())
        assert examined(written, MASKED) == {TRACES: "found: row labels or attributes"}


@pytest.mark.parametrize("kind", FORMATS)
def test_a_table_in_which_nothing_was_masked_is_refused(tmp_path, kind):
    unmasked = MASKED | {"age": ORIGINAL[:, 0], "income": ORIGINAL[:, 1]}
    assert failed(unmasked, kind, tmp_path) == {
        JOINT_K: "the smallest class has 1 record, 2 asked",
        HAPPENED: "columns 'age', 'income' have fewer changed cells than the groups ask for",
    }


@pytest.mark.parametrize("kind", FORMATS)
def test_a_table_in_which_nothing_had_to_be_masked_passes(tmp_path, kind):
    same = pa.table({"age": MASKED["age"], "income": MASKED["income"]})
    assert failed(MASKED, kind, tmp_path, original=same) == {}


def test_masking_of_groups_that_nobody_knows_is_not_believed(tmp_path):
    assert failed(MASKED, "arrow", tmp_path, groups=None) == {HAPPENED: "no groups are known"}


@pytest.mark.parametrize("content", [None, b"", b"\0\1\2", b"age,income,job\n1,2\n"])
@pytest.mark.parametrize("kind", ["csv", "parquet", "arrow"])
def test_a_file_that_cannot_be_read_fails_every_check_that_reads_it(tmp_path, kind, content):
    written = put(MASKED, kind, tmp_path)
    path = tmp_path / "release"
    path.unlink() if content is None else path.write_bytes(content)
    found = examined(written, MASKED)
    assert {ROWS, RECORDS, ORDER, JOINT_K, FINITE, HAPPENED} <= set(found)
    assert found[JOINT_K].startswith("could not run (")


@pytest.mark.parametrize("name", CHECKS)
def test_a_check_that_cannot_run_has_failed(tmp_path, monkeypatch, name):
    def broken(candidate):
        raise ZeroDivisionError(CANARY)

    monkeypatch.setitem(gate.QUESTIONS, name, broken)
    assert failed(MASKED, "csv", tmp_path) == {name: "could not run (ZeroDivisionError)"}


def test_ctrl_c_in_a_check_is_no_verdict(tmp_path, monkeypatch):
    def interrupted(candidate):
        raise KeyboardInterrupt

    monkeypatch.setitem(gate.QUESTIONS, JOINT_K, interrupted)
    with pytest.raises(KeyboardInterrupt):
        failed(MASKED, "csv", tmp_path)


def test_no_check_is_a_refusal():
    assert audit.record(_job(), ROLES, {"format": "memory"}, [])["verdict"] == "refused"


def _job():
    return gather(Microaggregate, {"k": 2, "method": "mdav", "n_threads": 1})
