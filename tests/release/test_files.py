"""Parquet, Arrow and CSV: types and values stay, metadata goes, or a sentence says why not."""

import datetime
import decimal

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from builders.csv_files import cells, mask
from builders.people import ACCEPTED

import tokumei as tk


def typed_table():
    n = 6
    return pa.table(
        {
            "age": pa.array(range(n), pa.int16()),
            "when": [datetime.datetime(2020, 1, 1 + i, tzinfo=datetime.UTC) for i in range(n)],
            "day": [datetime.date(2020, 1, 1 + i) for i in range(n)],
            "price": [decimal.Decimal(f"{i}.10") for i in range(n)],
            "flag": [True, None, False, True, None, False],
            "text": ["007", "", None, "x", "y", "z"],
            "raw": [bytes([i]) for i in range(n)],
            "list": [[i] * i for i in range(n)],
            "record": [{"a": i, "b": str(i)} for i in range(n)],
            "small": pa.array(np.arange(n, dtype=np.float32)),
        }
    )


def write(table, path):
    if path.suffix == ".parquet":
        pq.write_table(table, path)
    elif path.suffix == ".ipc":
        with pa.ipc.new_stream(path, table.schema) as stream:
            stream.write_table(table)
    else:
        with pa.ipc.new_file(path, table.schema) as file:
            file.write_table(table)


def read(path):
    if path.suffix == ".parquet":
        return pq.ParquetFile(path).read()
    with pa.OSFile(str(path)) as file:
        return pa.ipc.open_file(file).read_all()


@pytest.mark.parametrize("ending", [".parquet", ".arrow", ".ipc"])
def test_types_and_values_of_other_columns_stay(tmp_path, ending):
    table = typed_table()
    write(table, tmp_path / f"in{ending}")
    target = tmp_path / f"out{ending}"
    tk.release.mask_file(
        tmp_path / f"in{ending}",
        target,
        k=3,
        quasi=["age"],
        other="*",
        keep_order=True,
        accept_risk=ACCEPTED,
    )
    released = read(target)
    assert released.column_names == table.column_names
    assert released.drop_columns("age").equals(table.drop_columns("age"))
    assert released["age"].to_pylist() == [1.0] * 3 + [4.0] * 3


@pytest.mark.parametrize("ending", [".parquet", ".arrow"])
def test_metadata_is_dropped_everywhere(tmp_path, ending):
    inner = pa.struct([pa.field("a", pa.int64(), metadata={"note": "secret"})])
    schema = pa.schema(
        [pa.field("age", pa.int64(), metadata={"note": "secret"}), pa.field("in", inner)],
        metadata={"pandas": "secret"},
    )
    table = pa.table({"age": [1, 2, 3], "in": [{"a": i} for i in range(3)]}, schema=schema)
    write(table, tmp_path / f"in{ending}")
    target = tmp_path / f"out{ending}"
    tk.release.mask_file(
        tmp_path / f"in{ending}", target, k=2, quasi=["age"], other="*", accept_risk=ACCEPTED
    )
    released = read(target)
    assert released.schema.metadata is None
    assert b"secret" not in target.read_bytes()
    assert sorted(row["a"] for row in released["in"].to_pylist()) == [0, 1, 2]


@pytest.mark.parametrize("ending", [".parquet", ".arrow"])
@pytest.mark.parametrize("ordered", [False, True])
def test_dictionaries_hold_only_what_is_used(tmp_path, ending, ordered):
    codes = pa.DictionaryArray.from_arrays(
        pa.array([3, 1, None, 3], pa.int8()), ["gone", "low", "secret", "high"], ordered=ordered
    )
    nested = pa.ListArray.from_arrays([0, 1, 2, 3, 4], codes)
    write(pa.table({"age": [1, 2, 3, 4], "c": codes, "n": nested}), tmp_path / f"in{ending}")
    target = tmp_path / f"out{ending}"
    tk.release.mask_file(
        tmp_path / f"in{ending}",
        target,
        k=2,
        quasi=["age"],
        other="*",
        keep_order=True,
        accept_risk=ACCEPTED,
    )
    column = read(target)["c"].combine_chunks()
    column = column.chunk(0) if isinstance(column, pa.ChunkedArray) else column
    assert column.to_pylist() == ["high", "low", None, "high"]
    assert column.dictionary.to_pylist() == (["low", "high"] if ordered else ["high", "low"])
    assert column.type.ordered == ordered
    assert read(target)["n"].to_pylist() == [["high"], ["low"], [None], ["high"]]
    assert b"secret" not in target.read_bytes()


@pytest.mark.parametrize(
    "values",
    [
        pa.array([1, 2, 3, 4], pa.uint8()),
        pa.array([1, 2, 3, 4], pa.float32()),
        pa.array([decimal.Decimal("1.5"), decimal.Decimal("2.5")] * 2),
        pa.array(["1", "2.5", "3", "4"]),
        pa.array(["1", "2", "1", "2"]).dictionary_encode(),
    ],
    ids=lambda values: str(values.type),
)
def test_numbers_of_every_type_are_masked(tmp_path, values):
    pq.write_table(pa.table({"age": values}), tmp_path / "in.parquet")
    options = {"k": 4, "quasi": ["age"], "round": "none"}
    tk.release.mask_file(tmp_path / "in.parquet", tmp_path / "out.parquet", **options)
    expected = sum(map(float, values.to_pylist())) / 4
    assert read(tmp_path / "out.parquet")["age"].to_pylist() == [expected] * 4


@pytest.mark.parametrize(
    ("values", "fault"),
    [
        (pa.array([1, None, None]), "2 missing values"),
        (pa.array([1.0, np.nan, np.inf]), "1 missing value, 1 infinite value"),
        (pa.array([None, None, None]), "3 missing values"),
        (pa.array([[1], [2], [3]]), "3 cells that are not numbers"),
        (pa.array(["1", "x", None]), "1 cell that is not a number, 1 missing value"),
    ],
    ids=lambda value: str(getattr(value, "type", "")),
)
def test_columns_that_are_not_numbers_are_counted(tmp_path, values, fault):
    pq.write_table(pa.table({"age": values}), tmp_path / "in.parquet")
    with pytest.raises(tk.release.InputError, match=f"^column 'age' has {fault}(; say .*)?$"):
        tk.release.mask_file(tmp_path / "in.parquet", tmp_path / "out.csv", k=2, quasi=["age"])


def test_parquet_becomes_csv_and_csv_becomes_parquet(tmp_path):
    table = typed_table().select(["age", "text", "day", "flag", "price"])
    pq.write_table(table, tmp_path / "a.parquet")
    roles = {"k": 6, "quasi": ["age"], "other": "*", "keep_order": True, "accept_risk": ACCEPTED}
    tk.release.mask_file(tmp_path / "a.parquet", tmp_path / "b.csv", **roles)
    assert cells(tmp_path / "b.csv")[:3] == [
        table.column_names,
        ["2", "007", "2020-01-01", "true", "0.10"],
        ["2", "", "2020-01-02", "", "1.10"],
    ]
    tk.release.mask_file(tmp_path / "b.csv", tmp_path / "c.parquet", **roles)
    assert read(tmp_path / "c.parquet")["price"].to_pylist()[:2] == ["0.10", "1.10"]


def test_what_csv_cannot_hold_is_named(tmp_path):
    pq.write_table(typed_table(), tmp_path / "in.parquet")
    with pytest.raises(tk.release.InputError, match=r"column .list. holds list.*write Parquet"):
        tk.release.mask_file(
            tmp_path / "in.parquet",
            tmp_path / "out.csv",
            k=2,
            quasi=["age"],
            other="*",
            accept_risk=ACCEPTED,
        )
    assert [path.name for path in tmp_path.iterdir()] == ["in.parquet"]


@pytest.mark.parametrize("ending", [".parquet", ".arrow", ".feather"])
@pytest.mark.parametrize(
    "content", [b"", b"age\n1\n2\n", b"PAR1" + bytes(50), b"ARROW1\0\0" + b"x" * 9]
)
def test_files_that_are_not_what_their_name_says_get_a_sentence(tmp_path, ending, content):
    source = tmp_path / f"in{ending}"
    source.write_bytes(content)
    with pytest.raises(tk.release.InputError, match=f"^cannot read in{ending}"):
        tk.release.mask_file(source, tmp_path / "out.csv", k=2, quasi=["age"])


def test_the_target_is_private_and_the_audit_fits_it(tmp_path):
    target = mask(tmp_path, b"age\n1\n2\n")
    assert target.stat().st_mode & 0o777 == 0o600
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "in.csv",
        "out.csv",
        "out.csv.audit.json",
        "out.csv.private.json",
    ]


@pytest.mark.parametrize("folder", ["k=v", "it's [a-b]*", 'qu"ote', "ünï", "c'; DROP TABLE x; --"])
@pytest.mark.parametrize("ending", [".csv", ".parquet"])
def test_odd_names_of_folders_and_columns_are_only_names(tmp_path, folder, ending):
    place = tmp_path / folder
    place.mkdir()
    columns = ['a"; --', "A", "a", "c0", "é, ü", "select"]
    table = pa.table([pa.array([1, 2, 3]) for _ in columns], columns)
    pq.write_table(table, place / "in.parquet")
    target = place / f"out{ending}"
    tk.release.mask_file(
        place / "in.parquet", target, k=3, quasi=columns[:3], other="*", accept_risk=ACCEPTED
    )
    released = read(target).column_names if ending == ".parquet" else cells(target)[0]
    assert released == columns
