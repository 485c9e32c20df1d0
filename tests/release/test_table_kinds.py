"""Tables that are no dataframe yet come in, and a release goes out as what came."""

import duckdb
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from builders.people import ACCEPTED, ROLES, people

import tokumei as tk


def relation():
    return duckdb.from_arrow(pa.table(people()))


KINDS = {
    "lazy frame": lambda: pl.LazyFrame(people()),
    "relation": relation,
    "record batch": lambda: pa.record_batch(people()),
    "reader": lambda: pa.table(people()).to_reader(),
}
COLLECTED = {
    "lazy frame": lambda made: made.collect().to_dicts(),
    "relation": lambda made: made.to_arrow_table().to_pylist(),
    "record batch": lambda made: made.to_pylist(),
    "reader": lambda made: made.read_all().to_pylist(),
}


@pytest.mark.parametrize("kind", KINDS)
def test_what_comes_in_goes_out(kind):
    table = KINDS[kind]()
    made = tk.release.mask(table, 2, **ROLES, keep_order=True).table
    assert type(made) is type(table)
    plain = tk.release.mask(pa.table(people()), 2, **ROLES, keep_order=True).table
    assert COLLECTED[kind](made) == plain.to_pylist()


def test_other_doors_take_them_too():
    assert tk.release.assess(relation()).rows == 10
    assert tk.release.assess(pl.LazyFrame(people())).rows == 10


@pytest.mark.parametrize("kind", ["lazy", "relation"])
def test_what_fails_when_it_is_collected_says_no_value(kind):
    text = pa.table({"age": ["1", "7f3canary"]})
    table = {
        "lazy": lambda: pl.from_arrow(text).lazy().cast({"age": pl.Int64}),
        "relation": lambda: duckdb.from_arrow(text).select("cast(age as int) as age"),
    }[kind]()
    with pytest.raises(tk.release.InputError, match="the table cannot be read") as error:
        tk.release.mask(table, 2, quasi=["age"])
    assert "canary" not in str(error.value)


def test_a_batch_of_many_parts_loses_none():
    rows = pa.record_batch({"age": [20 + row // 4 for row in range(400)], "n": range(400)})
    ask = {"quasi": ["age"], "sensitive": ["n"], "accept_risk": ACCEPTED}
    assert tk.release.mask(rows, 4, **ask).table.num_rows == 400


def test_names_that_are_numbers_stay_numbers():
    table = pd.DataFrame({"age": people()["age"], "h": [1, 2] * 5, "job": people()["job"]})
    table.columns = range(3)
    ask = {"quasi": [0], "household": 1, "other": [2], "represent": {0: "median"}}
    made = tk.release.mask(table, 2, **ask, accept_risk=ACCEPTED)
    assert list(made.table.columns) == [0, 1, 2]
    assert made.audit["job"]["roles"] == {"0": "quasi", "1": "household", "2": "other"}
    assert table.columns.tolist() == [0, 1, 2]


def test_names_of_several_levels_are_refused():
    table = pd.DataFrame(people())
    table.columns = pd.MultiIndex.from_product([["a"], table.columns])
    with pytest.raises(tk.release.InputError, match="names of several levels; join them to one"):
        tk.release.mask(table, 2, **ROLES)
