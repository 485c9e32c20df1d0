"""What a release is asked for: every column its role, or a sentence saying what is wrong."""

import json
import math

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from builders.people import AGES, KINDS, ROLES, people

import tokumei as tk
from tokumei.release import schema
from tokumei.release.mask.encode import ADVICE, OF_NUMBERS


def message(table=None, **arguments):
    with pytest.raises(tk.release.InputError) as caught:
        tk.release.mask(pa.table(people()) if table is None else table, **(ROLES | arguments))
    assert "\n" not in str(caught.value)
    return str(caught.value)


def test_every_column_has_one_role_in_the_order_of_the_table():
    roles = schema.assign(["a", "b", "c"], {"quasi": ["c"], "identifier": ["a"], "other": "*"})
    assert list(roles.roles.items()) == [("a", "identifier"), ("b", "other"), ("c", "quasi")]
    assert roles.released() == ["b", "c"]
    assert roles.unassigned == ()


def test_a_column_called_star_can_be_named():
    roles = schema.assign(["*", "b", "c"], {"quasi": ["b"], "other": ["*"]})
    assert roles.roles == {"*": "other", "b": "quasi"}
    assert roles.unassigned == ("c",)


def test_only_one_role_takes_the_rest():
    assert "not both sensitive and other" in message(sensitive="*", other="*")


def test_a_role_that_does_not_exist_is_an_error():
    with pytest.raises(tk.release.InputError, match="a role is one of identifier, quasi"):
        schema.assign(["a"], {"key": ["a"]})


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ({"quasi": []}, "name at least one quasi-identifier"),
        ({"quasi": ["agee"]}, "no column 'agee', named as quasi; did you mean 'age'?"),
        ({"quasi": ["AGE"]}, "no column 'AGE', named as quasi; did you mean 'age'?"),
        ({"quasi": ["xyz"]}, "the table has no column 'xyz', named as quasi"),
        ({"quasi": ["age", "age"]}, "column 'age' is named twice: as quasi and as quasi"),
        ({"other": ["job", "age"]}, "column 'age' is named twice: as quasi and as other"),
        ({"quasi": "age"}, "quasi must be a list of column names, got str"),
        ({"quasi": 3}, "quasi must be a list of column names, got int"),
        ({"quasi": [3.5]}, "quasi must be a list of column names, and names are text"),
        ({"quasi": [3]}, "the table has no column '3', named as quasi"),
    ],
)
def test_wrong_roles_get_a_sentence(arguments, sentence):
    assert sentence in message(**arguments)


def test_a_column_without_a_role_is_refused():
    with pytest.raises(tk.release.Refused, match="'income', 'job' have none") as caught:
        tk.release.mask(pa.table(people()), quasi=["age"], identifier=["name"])
    assert caught.value.audit["verdict"] == "refused"
    assert caught.value.audit["checks"][0]["verdict"] == "failed"
    json.dumps(caught.value.audit)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ({"k": 0}, "k must be at least 2, or nothing is masked; got 0"),
        ({"k": 1}, "k must be at least 2"),
        ({"k": -3}, "k must be at least 2"),
        ({"k": 11}, r"k must be between 2 and the number of rows (10), got 11"),
        ({"k": 2.5}, "k must be a whole number, got float"),
        ({"k": 2.0}, "k must be a whole number, got float"),
        ({"k": "5"}, "k must be a whole number, got str"),
        ({"k": True}, "k must be a whole number, got bool"),
        ({"method": "best"}, "method must be one of 'auto', 'mdav'"),
        ({"n_threads": 0}, "n_threads must be between 1 and"),
        ({"callback": 3}, "callback must be callable"),
    ],
)
def test_wrong_arguments_get_a_sentence(arguments, sentence):
    assert sentence in message(**arguments)


@pytest.mark.parametrize("table", [None, people(), [[1]], np.zeros((3, 2)), pl.Series([1]), "x"])
def test_what_is_no_dataframe_is_refused(table):
    with pytest.raises(tk.release.InputError, match="pandas, polars, Arrow or DuckDB table, got"):
        tk.release.mask(table, quasi=["age"])


@pytest.mark.parametrize("kind", KINDS)
def test_a_table_without_rows_gets_a_sentence(kind):
    empty = KINDS[kind]({name: values[:0] for name, values in people().items()})
    assert message(empty) == "the table has no rows"


def test_names_of_columns_are_text_and_differ():
    frame = pd.DataFrame([[1, 2], [3, 4]], columns=[0, (1, 2)])
    assert "2 of 2 are not" in message(frame)
    frame.columns = ["age", "age"]
    assert "names must differ: column 'age'" in message(frame)
    twice = pa.table([pa.array([1]), pa.array([2])], names=["age", "age"])
    assert "names must differ: column 'age'" in message(twice)
    frame.columns = ["age", " "]
    assert "column 2 of 2 has no name" in message(frame)


@pytest.mark.parametrize("kind", KINDS)
def test_cells_that_are_not_numbers_are_counted(kind):
    table = KINDS[kind](people() | {"age": ["x", "y", *map(str, AGES[2:])]})
    assert message(table) == "column 'age' has 2 cells that are not numbers" + OF_NUMBERS


def test_python_objects_of_different_kinds_are_counted():
    table = pd.DataFrame(people() | {"age": ["x", (1, 2), None, math.nan, *AGES[4:]]})
    assert message(table) == (
        "column 'age' has 2 cells that are not numbers, 2 missing values (nan taken for missing)"
        + OF_NUMBERS
        + ADVICE
    )


@pytest.mark.parametrize("kind", KINDS)
def test_missing_and_infinite_values_are_counted(kind):
    table = KINDS[kind](people() | {"income": [None, math.inf, -math.inf, *range(7)]})
    assert message(table) == "column 'income' has 1 missing value, 2 infinite values" + ADVICE


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            {"l_diversity": 2},
            "l-diversity speaks of sensitive columns by their names",
        ),
        ({"min_households": 2}, "min_households goes with household"),
        ({"t_kind": "ordered"}, "t_kind goes with t_closeness"),
        ({"effort": "bets"}, "effort must be one of 'fast', 'balanced', 'best', 'optimal'"),
        ({"time_limit": 0}, "time_limit must be positive, got 0"),
    ],
)
def test_options_that_do_not_go_together_get_a_sentence(options, message):
    with pytest.raises(tk.release.InputError, match=message):
        tk.release.mask(pa.table({"age": [1, 2]}), k=2, quasi=["age"], **options)
