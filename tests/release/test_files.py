"""Files in and out: what is not masked comes out as it went in, or a sentence says why not."""

import csv
import datetime
import decimal
import io

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import tokumei as tk

ROWS = [["007", "1.10", "2020-02-30"], ["", " x ", 'say "hi"'], ["a,b", "a;b\tc|d", "line\nbreak"]]


def csv_bytes(rows, delimiter=",", end="\n", quoting=csv.QUOTE_MINIMAL):
    out = io.StringIO(newline="")
    csv.writer(out, delimiter=delimiter, lineterminator=end, quoting=quoting).writerows(rows)
    return out.getvalue().encode()


def cells(path, delimiter=","):
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.reader(file, delimiter=delimiter))


def people(rows=ROWS):
    return [["age", "a", "b", "c"], *([str(30 + i), *row] for i, row in enumerate(rows))]


def mask(folder, content, *, name="in.csv", out="out.csv", quasi=("age",), **options):
    source, target = folder / name, folder / out
    source.write_bytes(content)
    options = {"k": 2, "other": "*", "keep_order": True} | options
    tk.release.mask_file(source, target, quasi=list(quasi), **options)
    return target


def refusal(folder, content, **options):
    with pytest.raises(tk.release.InputError) as caught:
        mask(folder, content, **options)
    assert not (folder / "out.csv").exists()
    assert "\n" not in str(caught.value)
    return str(caught.value)


@pytest.mark.parametrize("delimiter", list(",;\t|"))
@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("quoting", [csv.QUOTE_MINIMAL, csv.QUOTE_ALL])
@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
def test_csv_cells_come_out_as_they_went_in(tmp_path, delimiter, end, quoting, mark):
    content = mark + csv_bytes(people(), delimiter, end, quoting)
    target = mask(tmp_path, content)
    assert [row[1:] for row in cells(target, delimiter)] == [row[1:] for row in people()]
    assert {row[0] for row in cells(target, delimiter)[1:]} == {"31"}


@settings(
    max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(st.lists(st.lists(st.text(max_size=5), min_size=2, max_size=2), min_size=2, max_size=30))
def test_any_text_comes_through_csv(tmp_path, rows):
    table = [["age", 'na"me', "a\nb"], *([str(i), *row] for i, row in enumerate(rows))]
    target = mask(tmp_path, csv_bytes(table, quoting=csv.QUOTE_ALL))
    assert [row[1:] for row in cells(target)] == [row[1:] for row in table]


def test_only_cells_that_need_quotes_get_them(tmp_path):
    target = mask(tmp_path, csv_bytes([["age", "x"], [1, "plain"], [3, 'a,"b']]))
    assert target.read_bytes() == b'age,x\n2,plain\n2,"a,""b"\n'


def test_a_table_of_one_column_comes_through(tmp_path):
    assert mask(tmp_path, b"age\n1\n2\n").read_bytes() == b"age\n1.5\n1.5\n"


@pytest.mark.parametrize("asked", ["#", "tab", "\\t"])
def test_a_delimiter_can_be_named(tmp_path, asked):
    delimiter = "#" if asked == "#" else "\t"
    content = csv_bytes(people(), delimiter)
    target = mask(tmp_path, content, delimiter=asked)
    assert [row[1:] for row in cells(target, delimiter)] == [row[1:] for row in people()]


def test_the_delimiter_is_not_looked_for_inside_quotes(tmp_path):
    target = mask(tmp_path, b'"a;b;c;d",age\nx,1\ny,3\n')
    assert cells(target) == [["a;b;c;d", "age"], ["x", "2"], ["y", "2"]]


def test_tsv_is_written_with_tabs(tmp_path):
    target = mask(tmp_path, b"age,x\n1,a\n3,b\n", out="out.tsv")
    assert target.read_bytes() == b"age\tx\n2\ta\n2\tb\n"


def test_numbers_may_have_blanks_signs_and_exponents(tmp_path):
    target = mask(tmp_path, b"age\n +1 \n-.5e0\n1E1\n5.\n", k=4)
    assert {row[0] for row in cells(target)[1:]} == {"3.875"}


def test_one_zero_is_written_not_two(tmp_path):
    assert mask(tmp_path, b"age\n-0.0\n-0.0\n").read_bytes() == b"age\n0\n0\n"


BAD = {
    "empty": (b"", "in.csv is empty"),
    "blank": (b"\n\n", "in.csv is empty"),
    "header only": (b"age,x\n", "the table has no rows"),
    "ragged": (b"age,x\n1,a\n2\n3,b\n4,c,d\n", "2 rows without exactly 2 cells, .* record 3"),
    "not utf-8": (b"age,x\n1,a\n2,\xe4\n", "line 3 is not UTF-8"),
    "header not utf-8": (b"age,\xe4\n1,a\n2,b\n", "line 1 is not UTF-8"),
    "utf-16": ("age\n1\n2\n".encode("utf-16"), "UTF-16"),
    "open quote": (b'age,x\n1,a\n2,"b\n3,c\n', "still open"),
    "no name": (b"age,\n1,a\n2,b\n", "column 2 of 2 has no name"),
    "same name": (b"age,x,x\n1,a,b\n2,c,d\n", "names must differ: column 'x'"),
    "text": (b"age\n1\nx\ny\nz\n", "column 'age' has 3 cells that are not numbers"),
    "one text": (b"age\n1\nx\n2\n", "column 'age' has 1 cell that is not a number"),
    "decimal comma": (b"age;x\n1,5;a\n2,5;b\n", "column 'age' has 2 cells that are not numbers"),
    "hexadecimal": (b"age\n0x10\n2\n", "1 cell that is not a number"),
    "missing": (b"age,x\n1,a\n,b\nNaN,c\n", "column 'age' has 2 missing values"),
    "empty line": (b"age\n1\n\n2\n", "column 'age' has 1 missing value"),
    "infinite": (b"age\ninf\n-Infinity\n1e999\n2\n", "column 'age' has 3 infinite values"),
    "too large": (b"age\n1e151\n2\n", r"column 'age' has 1 value beyond 1e\+140"),
    "binary": (b"PAR1\x00\xff\xfe\n\x00", "not UTF-8"),
}


@pytest.mark.parametrize("kind", BAD)
def test_bad_csv_gets_a_sentence(tmp_path, kind):
    content, sentence = BAD[kind]
    with pytest.raises(tk.release.InputError, match=sentence):
        mask(tmp_path, content)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["in.csv"]


def test_all_faults_of_all_columns_are_told_at_once(tmp_path):
    message = refusal(tmp_path, b"a,b\n1,x\n,2\ny,inf\n", quasi=["a", "b"])
    assert message == (
        "column 'a' has 1 cell that is not a number, 1 missing value; "
        "column 'b' has 1 cell that is not a number, 1 infinite value"
    )


@pytest.mark.parametrize("delimiter", ["", ",,", '"', "\n", "é"])
def test_a_delimiter_is_one_plain_character(tmp_path, delimiter):
    assert "one character" in refusal(tmp_path, b"age\n1\n2\n", delimiter=delimiter)


def test_a_delimiter_is_for_csv_only(tmp_path):
    message = refusal(tmp_path, b"", name="in.parquet", delimiter=",")
    assert message == "a delimiter says how CSV is read, and in.parquet is none"


def test_cells_may_be_long_but_not_endless(tmp_path):
    text = "x" * 3_000_000
    target = mask(tmp_path, f"age,x\n1,{text}\n3,y\n".encode())
    assert target.read_bytes() == f"age,x\n2,{text}\n2,y\n".encode()
    target.unlink()
    assert "more than 8 MiB" in refusal(tmp_path, f"age,x\n1,{text * 8}\n3,y\n".encode())


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
        tmp_path / f"in{ending}", target, k=3, quasi=["age"], other="*", keep_order=True
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
    tk.release.mask_file(tmp_path / f"in{ending}", target, k=2, quasi=["age"], other="*")
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
        tmp_path / f"in{ending}", target, k=2, quasi=["age"], other="*", keep_order=True
    )
    column = read(target)["c"].combine_chunks()
    column = column.chunk(0) if isinstance(column, pa.ChunkedArray) else column
    assert column.to_pylist() == ["high", "low", None, "high"]
    assert column.dictionary.to_pylist() == ["low", "high"]
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
    tk.release.mask_file(tmp_path / "in.parquet", tmp_path / "out.parquet", k=4, quasi=["age"])
    expected = sum(map(float, values.to_pylist())) / 4
    assert read(tmp_path / "out.parquet")["age"].to_pylist() == [expected] * 4


@pytest.mark.parametrize(
    ("values", "fault"),
    [
        (pa.array([1, None, None]), "2 missing values"),
        (pa.array([1.0, np.nan, np.inf]), "1 missing value, 1 infinite value"),
        (pa.array([None, None, None]), "3 missing values"),
        (pa.array([datetime.date(2020, 1, 1)] * 3), "3 cells that are not numbers"),
        (pa.array([[1], [2], [3]]), "3 cells that are not numbers"),
        (pa.array(["1", "x", None]), "1 cell that is not a number, 1 missing value"),
    ],
    ids=lambda value: str(getattr(value, "type", "")),
)
def test_columns_that_are_not_numbers_are_counted(tmp_path, values, fault):
    pq.write_table(pa.table({"age": values}), tmp_path / "in.parquet")
    with pytest.raises(tk.release.InputError, match=f"^column 'age' has {fault}$"):
        tk.release.mask_file(tmp_path / "in.parquet", tmp_path / "out.csv", k=2, quasi=["age"])


def test_parquet_becomes_csv_and_csv_becomes_parquet(tmp_path):
    table = typed_table().select(["age", "text", "day", "flag", "price"])
    pq.write_table(table, tmp_path / "a.parquet")
    roles = {"k": 6, "quasi": ["age"], "other": "*", "keep_order": True}
    tk.release.mask_file(tmp_path / "a.parquet", tmp_path / "b.csv", **roles)
    assert cells(tmp_path / "b.csv")[:3] == [
        table.column_names,
        ["2.5", "007", "2020-01-01", "true", "0.10"],
        ["2.5", "", "2020-01-02", "", "1.10"],
    ]
    tk.release.mask_file(tmp_path / "b.csv", tmp_path / "c.parquet", **roles)
    assert read(tmp_path / "c.parquet")["price"].to_pylist()[:2] == ["0.10", "1.10"]


def test_what_csv_cannot_hold_is_named(tmp_path):
    pq.write_table(typed_table(), tmp_path / "in.parquet")
    with pytest.raises(tk.release.InputError, match=r"column .list. holds list.*write Parquet"):
        tk.release.mask_file(
            tmp_path / "in.parquet", tmp_path / "out.csv", k=2, quasi=["age"], other="*"
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
    tk.release.mask_file(place / "in.parquet", target, k=3, quasi=columns[:3], other="*")
    released = read(target).column_names if ending == ".parquet" else cells(target)[0]
    assert released == columns
