"""Relations of DuckDB go in and come out, with the bits of arrays."""

import duckdb
import numpy as np
import pyarrow as pa
import pytest

import tokumei as tk

X = np.random.default_rng(3).normal(size=(5000, 2))
TABLE = pa.table({"x": X[:, 0], "y": X[:, 1], "town": [f"t{row % 3}" for row in range(5000)]})


@pytest.fixture
def connection():
    with duckdb.connect() as made:
        made.register("people", TABLE)
        yield made


def people(connection):
    return connection.sql("select * from people")


def labels_of(relation):
    return relation.to_arrow_table().column("label").to_numpy()


def test_groups_of_a_relation_are_those_of_its_rows(connection):
    # More rows than a scalar function would see at a time.
    made = tk.sql.partition(people(connection), 4, columns=["x", "y"], effort="fast")
    assert isinstance(made, duckdb.DuckDBPyRelation)
    assert made.columns == ["x", "y", "town", "label"]
    np.testing.assert_array_equal(labels_of(made), tk.partition(X, 4, effort="fast"))
    again = tk.sql.partition(people(connection).limit(400), 4)
    columns = {name: TABLE.column(name).to_numpy()[:400] for name in TABLE.column_names}
    np.testing.assert_array_equal(labels_of(again), tk.partition(columns, 4))


def test_masked_rows_are_those_of_arrays_and_the_others_are_carried_along(connection):
    made = tk.sql.microaggregate(people(connection), 4, columns=["y", "x"], method="mdav")
    found = made.to_arrow_table()
    masked = tk.microaggregate(X[:, ::-1], 4, method="mdav")
    np.testing.assert_array_equal(np.asarray(found.select(["y", "x"])), masked)
    assert found.column("town").equals(TABLE.column("town"))


def test_rows_are_told_apart_by_columns_of_the_relation(connection):
    few = people(connection).limit(600)
    made = tk.sql.partition(few, 4, columns=["x", "y"], strata="town")
    wanted = tk.partition(X[:600], 4, strata=np.arange(600) % 3)
    np.testing.assert_array_equal(labels_of(made), wanted)
    weighted = few.select("*, abs(x) + 1 as w")
    found = tk.sql.partition(weighted, 4, columns=["x", "y"], record_weights="w")
    wanted = tk.partition(X[:600], 4, record_weights=np.abs(X[:600, 0]) + 1)
    np.testing.assert_array_equal(labels_of(found), wanted)


def test_a_result_can_live_where_its_source_does(connection):
    made = tk.sql.partition(people(connection).limit(60), 4, columns=["x"], connection=connection)
    counts = made.aggregate("label, count(*) as n").filter("n < 4")
    assert counts.fetchall() == []
    joined = made.join(connection.sql("select distinct town from people").set_alias("t"), "town")
    assert joined.shape[0] == 60
    with duckdb.connect() as other:
        kept = tk.sql.partition(other.sql("select * from range(9) r(x)"), 3)
    assert kept.fetchall()[0] == (0, 0)  # its source is closed


@pytest.mark.parametrize(
    ("call", "error", "words"),
    [
        (lambda r: tk.sql.partition(TABLE, 2), TypeError, "relation must be of kind DuckDBPyRel"),
        (lambda r: tk.sql.partition(r, 2, columns="x"), TypeError, "must be a list of columns"),
        (lambda r: tk.sql.partition(r, 2, columns=["z"]), ValueError, "names 1 columns that the"),
        (lambda r: tk.sql.partition(r, 2, columns=[]), ValueError, "names 0 columns"),
        (lambda r: tk.sql.partition(r, 2, name="x"), ValueError, "that of a new column"),
        (lambda r: tk.sql.microaggregate(r, 2, strata="z"), ValueError, "strata names a column"),
        (lambda r: tk.sql.partition(r, 2, connection=7), TypeError, "connection must be of kind"),
    ],
)
def test_what_cannot_be_asked_is_refused(connection, call, error, words):
    with pytest.raises(error, match=words):
        call(people(connection))
