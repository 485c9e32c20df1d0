"""CSV in and out: what is not masked comes out as it went in, or a sentence says why not."""

import csv

import pytest
from builders.csv_files import cells, csv_bytes, mask, people
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import tokumei as tk
from tokumei.release.mask.encode import OF_NUMBERS


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
    assert mask(tmp_path, b"age\n1\n2\n").read_bytes() == b"age\n2\n2\n"


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
    target = mask(tmp_path, b"age\n +1 \n-.5e0\n1E1\n5.\n", k=4, round="none")
    assert {row[0] for row in cells(target)[1:]} == {"3.875"}


def test_one_zero_is_written_not_two(tmp_path):
    assert mask(tmp_path, b"age\n-0.0\n-0.0\n").read_bytes() == b"age\n0.0\n0.0\n"


BAD = {
    "empty": (b"", "in.csv is empty"),
    "blank": (b"\n\n", "in.csv is empty"),
    "header only": (b"age,x\n", "the table has no rows"),
    "ragged": (b"age,x\n1,a\n2\n3,b\n4,c,d\n", "2 rows without exactly 2 cells, .* record 3"),
    "not utf-8": (b"age,x\n1,a\n2,\xe4\n", "line 3 is not UTF-8"),
    "header not utf-8": (b"age,\xe4\n1,a\n2,b\n", "line 1 is not UTF-8"),
    "utf-16": ("age\n1\n2\n".encode("utf-16")[:-1], "not UTF-16 text"),
    "open quote": (b'age,x\n1,a\n2,"b\n3,c\n', "still open"),
    "no name": (b"age,\n1,a\n2,b\n", "column 2 of 2 has no name"),
    "same name": (b"age,x,x\n1,a,b\n2,c,d\n", "names must differ: column 'x'"),
    "text": (b"age\n1\nx\ny\nz\n", "column 'age' has 3 cells that are not numbers"),
    "one text": (b"age\n1\nx\n2\n", "column 'age' has 1 cell that is not a number"),
    "decimal comma": (b"age;x\n1,5;a\n2.5;b\n", "column 'age' has 1 cell that is not a number"),
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
        "column 'b' has 1 cell that is not a number, 1 infinite value" + OF_NUMBERS + "; "
        "say what to do with missing cells: missing='impute' or 'category' (--missing impute)"
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
