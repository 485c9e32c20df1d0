"""A release is made of values: no memory, category or note of its source is in it."""

import datetime
import decimal
import pickle

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from builders.hiding import BYTES, CANARY, COLUMNS, HIDDEN, pandas_table
from builders.people import ACCEPTED
from hypothesis import given
from hypothesis import strategies as st

import tokumei as tk
from tokumei.release import schema
from tokumei.release.io import files, frames, plain, plain_frames
from tokumei.release.io.written import InMemory, written_file


def searched(*things):
    for thing in things:
        assert not [each for each in BYTES if each in bytes(thing)]


def arrow_table(make):
    field = pa.field("x", make().type, metadata={"note": CANARY})
    schema = pa.schema([pa.field("age", pa.int64()), field], metadata={"pandas": CANARY})
    return pa.table([pa.array([1, 2, 3, 4]), make()], schema=schema)


@pytest.mark.parametrize("keep_order", [True, False])
@pytest.mark.parametrize("what", COLUMNS)
def test_nothing_hides_in_an_arrow_release(what, keep_order):
    table = arrow_table(COLUMNS[what])
    release = tk.release.mask(
        table, k=2, quasi=["age"], other="*", accept_risk=ACCEPTED, keep_order=keep_order
    ).table
    searched(plain.ipc_bytes(release), pickle.dumps(release))
    expected = table["x"].to_pylist()
    assert sorted(map(repr, release["x"].to_pylist())) == sorted(map(repr, expected))


@pytest.mark.parametrize("ending", [".parquet", ".arrow"])
@pytest.mark.parametrize("what", COLUMNS)
def test_nothing_hides_in_a_released_file(tmp_path, what, ending):
    source, target = tmp_path / "in.arrow", tmp_path / f"out{ending}"
    table = arrow_table(COLUMNS[what])
    with pa.ipc.new_file(source, table.schema) as writer:
        writer.write_table(table)
    tk.release.mask_file(source, target, k=2, quasi=["age"], other="*", accept_risk=ACCEPTED)
    searched(target.read_bytes())


def test_statistics_of_parquet_are_of_what_is_released(tmp_path):
    source, target = tmp_path / "in.parquet", tmp_path / "out.parquet"
    pq.write_table(pa.table({"age": [1, 2, 3, HIDDEN >> 32]}), source)
    tk.release.mask_file(source, target, k=4, quasi=["age"])
    statistics = pq.ParquetFile(target).metadata.row_group(0).column(0).statistics
    assert statistics.min == statistics.max == pq.read_table(target)["age"][0].as_py()


@pytest.mark.parametrize("keep_order", [True, False])
def test_nothing_hides_in_a_pandas_release(keep_order):
    frame = pandas_table()
    release = tk.release.mask(
        frame, k=2, quasi=["age"], other="*", accept_risk=ACCEPTED, keep_order=keep_order
    ).table
    searched(pickle.dumps(release), plain.ipc_bytes(pa.Table.from_pandas(release)))
    whole = release["whole"].array
    searched(whole._data.tobytes())
    assert release.columns.name is None
    assert list(release["order"].cat.categories) == ["b", "a"]
    assert all(type(cell) is str for cell in release["text"].dropna())
    others = [name for name in frame if name not in ("age", "category", "order")]
    assert (release[others].dtypes == frame[others].dtypes).all()
    if keep_order:
        expected = frame[others].reset_index(drop=True).rename_axis(None, axis=1)
        pd.testing.assert_frame_equal(release[others], expected)


@pytest.mark.parametrize("kind", [pa.string(), pa.large_string(), pa.binary()])
@pytest.mark.parametrize("inside", [["b", None, "d"], ["b", "c", "d"]])
def test_texts_of_a_slice_leave_its_neighbours_behind(kind, inside):
    column = pa.chunked_array([pa.array([CANARY, *inside, CANARY]).cast(kind).slice(1, 3)])
    made = plain.remade_column(column)
    assert made.to_pylist() == column.to_pylist()
    held = [part for chunk in made.chunks for part in chunk.buffers() if part is not None]
    assert not any(CANARY.encode() in part.to_pybytes() for part in held)


def test_lists_that_are_missing_hold_nothing():
    cells = pa.array([7, 8, HIDDEN, HIDDEN, 9, 9], pa.int64())
    missing = pa.array([False, True, False])
    lists = pa.FixedSizeListArray.from_arrays(cells, 2, mask=missing)
    made = plain.remade_column(pa.chunked_array([lists]))
    assert made.to_pylist() == [[7, 8], None, [9, 9]]
    assert HIDDEN not in made.chunk(0).values.to_pylist()
    held = [part for part in made.chunk(0).values.buffers() if part is not None]
    assert not any(HIDDEN.to_bytes(8, "little") in part.to_pybytes() for part in held)


def test_a_column_of_several_types_is_refused():
    union = pa.UnionArray.from_dense(
        pa.array([0, 1], pa.int8()),
        pa.array([0, 0], pa.int32()),
        [pa.array([1, 2]), pa.array(["x", CANARY])],
    )
    with pytest.raises(tk.release.InputError, match="which is not released") as caught:
        plain.remade(pa.table({"u": union}))
    assert CANARY not in str(caught.value)


def test_a_dictionary_does_not_tell_in_which_order_its_values_came():
    column = pa.chunked_array(
        [pa.DictionaryArray.from_arrays(pa.array([2, 0, None, 2]), ["z", "never", "a"])]
    )
    made = plain.remade_column(column)
    assert made.chunk(0).dictionary.to_pylist() == ["a", "z"]
    assert made.to_pylist() == ["a", "z", None, "a"]


def test_a_bit_of_nan_is_no_place_to_hide():
    hidden = np.array([0x7FF8000000C0FFEE, 0], np.uint64).view(np.float64)
    numbers = np.concatenate([hidden[:1], [1.0, 2.0, 3.0]])
    for make in (pd.DataFrame, pl.DataFrame, pa.table):
        release = tk.release.mask(
            make({"age": [1, 2, 3, 4], "x": numbers}),
            k=2,
            quasi=["age"],
            other="*",
            accept_risk=ACCEPTED,
        )
        cells = np.asarray(release.table["x"].to_numpy())
        assert set(cells[np.isnan(cells)].view(np.uint64)) <= {0x7FF8000000000000}


@pytest.mark.parametrize("make", [pd.DataFrame, pl.DataFrame, pa.table])
def test_a_release_shares_no_memory_with_the_callers_table(make):
    table = make({"age": [1, 1, 5, 5], "x": [1.5, 2.5, 3.5, 4.5]})
    release = tk.release.mask(
        table, k=2, quasi=["age"], other="*", accept_risk=ACCEPTED, keep_order=True
    ).table
    for name in ("age", "x"):
        mine, theirs = np.asarray(table[name]), np.asarray(release[name])
        assert not np.shares_memory(mine, theirs)
    if make is pa.table:
        held = {b.address for c in table.columns for b in c.chunk(0).buffers() if b}
        assert not held & {b.address for c in release.columns for b in c.chunk(0).buffers() if b}


def test_polars_texts_and_categories_leave_no_trace():
    # Views of texts point into the column they come from, in the order of the source.
    texts = [f"{CANARY}-{'x' * 20}", *(f"a rather long text {i}" for i in range(5))]
    frame = pl.DataFrame(
        {
            "age": [9, 1, 2, 3, 4, 5],
            "x": texts,
            "e": pl.Series([CANARY, *"abaab"], dtype=pl.Enum([CANARY, "b", "a"])),
            "c": pl.Series([CANARY, *"abaab"], dtype=pl.Categorical),
        }
    )
    release = tk.release.mask(frame[1:], k=2, quasi=["age"], other="*", accept_risk=ACCEPTED).table
    searched(pickle.dumps(release))
    assert release["e"].dtype == pl.Enum(["b", "a"])
    assert sorted(release["x"]) == sorted(texts[1:])
    assert sorted(release["c"].cast(pl.String)) == sorted("abaab")
    mask = tk.release.mask(
        frame[1:], k=2, quasi=["age"], other="*", accept_risk=ACCEPTED, keep_order=True
    ).table
    assert mask["x"].to_list() == texts[1:]


def test_objects_that_are_no_values_are_refused_by_their_column():
    frame = pd.DataFrame({"age": [1, 2], "thing": [object(), object()]})
    with pytest.raises(tk.release.InputError, match=r"^column 'thing' holds objects"):
        tk.release.mask(frame, k=2, quasi=["age"], other="*", accept_risk=ACCEPTED)


def test_a_time_zone_that_is_none_is_refused():
    when = pa.array([0, 1], pa.timestamp("us", CANARY))
    with pytest.raises(tk.release.InputError) as caught:
        tk.release.mask(
            pa.table({"age": [1, 2], "when": when}),
            k=2,
            quasi=["age"],
            other="*",
            accept_risk=ACCEPTED,
        )
    assert CANARY not in str(caught.value)


def damaged():
    offsets = pa.py_buffer(np.array([0, 1, 1 << 30, 3], np.int32))
    return pa.Array.from_buffers(pa.string(), 3, [None, offsets, pa.py_buffer(b"abc")])


def test_a_damaged_table_in_memory_is_refused():
    table = pa.table({"age": [1, 2, 3], "x": damaged()})
    with pytest.raises(tk.release.InputError, match=r"^the table is damaged"):
        tk.release.mask(table, k=2, quasi=["age"], other="*", accept_risk=ACCEPTED)


CELLS = {
    pa.int32(): st.integers(-(2**31), 2**31 - 1),
    pa.float64(): st.floats(),
    pa.bool_(): st.booleans(),
    pa.string(): st.text(max_size=3),
    pa.large_binary(): st.binary(max_size=3),
    pa.binary(2): st.binary(min_size=2, max_size=2),
    pa.date32(): st.dates(),
    pa.timestamp("us", "UTC"): st.datetimes(timezones=st.just(datetime.UTC)),
    pa.decimal128(9, 2): st.integers(-99, 99).map(lambda i: decimal.Decimal(i) / 4),
    pa.list_(pa.field("item", pa.string())): st.lists(st.none() | st.text(max_size=2), max_size=3),
    pa.map_(pa.string(), pa.int8()): st.dictionaries(
        st.text(max_size=2), st.none() | st.integers(0, 9), max_size=2
    ).map(lambda pairs: list(pairs.items())),
    pa.list_(pa.field("item", pa.int8()), 2): st.lists(st.integers(0, 9), min_size=2, max_size=2),
}


@pytest.mark.parametrize("kind", CELLS, ids=str)
@given(data=st.data())
def test_a_column_is_made_again_as_plain_values_make_it(kind, data):
    values = data.draw(st.lists(st.none() | CELLS[kind], max_size=9))
    start = data.draw(st.integers(0, len(values)))
    made = plain.remade(pa.table({"x": pa.array(values, kind).slice(start)}))
    made.validate(full=True)
    through = pa.table({"x": pa.chunked_array([pa.array(values[start:], kind)])})
    assert repr(made["x"].to_pylist()) == repr(through["x"].to_pylist())
    if pa.types.is_floating(kind):
        values = [np.nan if value is not None and value != value else value for value in values]
        through = pa.table({"x": pa.chunked_array([pa.array(values[start:], kind)])})
    assert plain.ipc_bytes(made) == plain.ipc_bytes(through)


def test_frames_of_other_libraries_are_copied_before_they_are_read():
    numbers = np.array([1.0, 2.0, 3.0])
    frame = frames.frame_of(pa.table({"x": pa.array(numbers)}))
    numbers[:] = 0.0
    assert frame["x"].to_list() == [1.0, 2.0, 3.0]


def test_a_frame_of_pandas_is_copied_before_it_is_read():
    numbers = np.array([1.0, 2.0, 3.0])
    native = pd.DataFrame({"x": numbers}, copy=False)
    frame = frames.frame_of(native)
    numbers[:] = 0.0
    assert native["x"].tolist() == [0.0, 0.0, 0.0]
    assert frame["x"].to_list() == [1.0, 2.0, 3.0]


def gate_finds(native):
    written = InMemory(frames.nw.from_native(native, eager_only=True), [])
    return written.traces()


@pytest.mark.parametrize("what", COLUMNS)
def test_the_gate_finds_what_hides_in_arrow(what):
    table = pa.table({"x": COLUMNS[what]()})
    if pa.types.is_list(table["x"].type) and pa.types.is_dictionary(table["x"].type.value_type):
        pytest.skip("a dictionary in a list is a list of dictionaries to Arrow's own values")
    assert gate_finds(table) == ["more than cells in column 'x'"]
    assert gate_finds(plain.remade(table)) == []


def test_the_gate_finds_what_hides_in_pandas_and_polars():
    frame = pandas_table().reset_index(drop=True)
    frame.attrs, frame.columns.name = {}, None
    frame["nan"] = np.array([0x7FF8000000C0FFEE, 0, 0, 0], np.uint64).view(np.float64)
    hiding = ["category", "order", "whole", "text", "arrow", "nan"]
    assert gate_finds(frame) == [f"more than cells in column {name!r}" for name in hiding]
    assert gate_finds(plain_frames.remade_pandas(frame)) == []
    series = pl.DataFrame({"x": ["a" * 20, "b" * 20]})["x"][1:]
    table = pl.DataFrame({"x": series, "e": pl.Series(["a"], dtype=pl.Enum(["a", "b"]))})
    assert gate_finds(table) == ["more than cells in column 'e'"]
    assert gate_finds(plain_frames.remade_polars(table)) == []


@pytest.mark.parametrize("form", ["parquet", "arrow"])
def test_the_gate_finds_a_file_that_its_cells_do_not_make(tmp_path, form):
    table = plain.remade(pa.table({"age": [1, 1, 2, 2], "x": list("abab")}))
    path = tmp_path / "release"
    roles = schema.assign(["age", "x"], {"quasi": ["age"], "other": ["x"]})
    layout = files.Layout(form)
    with path.open("wb") as file:
        files.write(table, file, layout)
    assert written_file(path, layout, roles).traces() == []
    if form == "parquet":  # statistics of other values, as an untrue writer leaves them
        pq.write_table(table, path, write_statistics=False)
    else:
        with pa.ipc.new_file(path, table.schema) as writer:
            for batch in table.to_batches(max_chunksize=2):
                writer.write_batch(batch)
    found = written_file(path, layout, roles).traces()
    assert found == ["a file that is not the one its cells make"]
