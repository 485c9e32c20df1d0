"""How a file is written is found, or asked for in one sentence; and it is said what was found."""

import gzip

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from builders.csv_files import cells, mask
from builders.people import ACCEPTED

import tokumei as tk
from tokumei.release.io.one_notation import read
from tokumei.values.column import Column


def record(folder, content, **options):
    (folder / "in.csv").write_bytes(content)
    options = (
        {"quasi": ["age"], "other": "*", "k": 2, "effort": "fast"}
        | options
        | {"accept_risk": ACCEPTED}
    )
    return tk.release.mask_file(folder / "in.csv", folder / "out.csv", **options)


@pytest.mark.parametrize("word", ["NA", "N/A", "null", "NULL", "None", "<NA>", "#N/A"])
def test_the_usual_words_are_missing_and_said(tmp_path, word):
    content = f"age,city\n30,{word}\n{word},b\n30,b\n32,b\n".encode()
    done = record(tmp_path, content, quasi=["age", "city"], missing="impute")
    assert done.record["input"]["notation"] == {
        name: {"missing": {word: 1}, "decimal": "."} for name in ("age", "city")
    }
    assert "notation" not in done.audit["input"]


def test_missing_words_are_named_where_missing_cells_are_refused(tmp_path):
    with pytest.raises(tk.release.InputError) as caught:
        mask(tmp_path, b"age,x\n1,a\nNA,b\n3,c\n")
    assert str(caught.value) == (
        "column 'age' has 1 missing value (NA taken for missing); say what to do with missing "
        "cells: missing='impute' or 'category' (--missing impute)"
    )


def test_words_that_are_said_take_the_place_of_the_usual_ones(tmp_path):
    content = b"age,city\n1,?\n-9,NA\n2,NA\n2,NA\n"
    done = record(
        tmp_path, content, quasi=["age", "city"], na=["?", "-9"], missing="impute", keep_order=True
    )
    assert {row[1] for row in cells(tmp_path / "out.csv")[1:]} == {"NA"}
    assert done.record["input"]["notation"]["age"]["missing"] == {"-9": 1}


def test_no_word_is_missing_where_none_is_said(tmp_path):
    target = mask(tmp_path, b"city,x\nNA,a\nNA,b\n", quasi=["city"], na=[])
    assert cells(target)[1:] == [["NA", "a"], ["NA", "b"]]


def test_codes_for_missing_are_missing_among_numbers_too():
    frame = pd.DataFrame({"age": [30, 31, -9, 60, 62, 61]})
    asked = {"na": ["-9"], "missing": "impute", "accept_risk": ACCEPTED}
    release = tk.release.mask(frame, k=2, quasi=["age"], **asked)
    assert release.table["age"].min() >= 30
    assert (frame["age"] == -9).sum() == 1  # the caller's table is never written to


def test_columns_that_are_only_read_come_out_as_they_went_in(tmp_path):
    content = b"age;w;s\n1,5;0,5;1,0\n2,5;1,5;1,0\n3,5;1,0;2,0\n4,5;1,0;2,0\n"
    target = mask(tmp_path, content, weight="w", strata=["s"])
    assert [row[1:] for row in cells(target, ";")[1:]] == [
        ["0,5", "1,0"],
        ["1,5", "1,0"],
        ["1,0", "2,0"],
        ["1,0", "2,0"],
    ]
    assert [row[0] for row in cells(target, ";")[1:]] == ["2,2", "2,2", "4,0", "4,0"]


def test_cells_of_other_columns_come_out_as_they_went_in(tmp_path):
    target = mask(tmp_path, b"age,x\n1,NA\n3,?\n")
    assert [row[1] for row in cells(target)[1:]] == ["NA", "?"]


@pytest.mark.parametrize(
    ("texts", "decimal", "numbers"),
    [
        (["1,5", "2", "-,25"], None, [1.5, 2, -0.25]),
        (["1,5", "1.234,5"], ",", [1.5, 1234.5]),
        (["1,234", "12,345,678.5"], ".", [1234, 12345678.5]),
        (["1,234", "2,345"], ",", [1.234, 2.345]),
        (["1.234", "2.345"], ",", [1234, 2345]),
        (["1,5e3", ""], None, [1500, np.nan]),
        (["1.234,5", "2.345", "7,5"], None, [1234.5, 2345, 7.5]),
        (["1,234.5", "2,345", "7.5"], None, [1234.5, 2345, 7.5]),
    ],
)
def test_decimal_commas_are_read(texts, decimal, numbers):
    column, _ = read(pa.array(texts), None, decimal)
    found, invalid = Column(column).asked_for_numbers()
    assert np.array_equal(found, numbers, equal_nan=True)
    assert invalid == 0


@pytest.mark.parametrize(
    "texts",
    [
        ["1,234", "2,345"],
        ["1,5", "x"],
        ["1,5", "1.5"],
        ["a,b", "c"],
        ["1.234,5", "1,234.5"],
        ["1.234,5", "1.5"],
        ["1,234.5", "1,5"],
    ],
)
def test_commas_that_may_mean_something_else_are_left(texts):
    column = pa.array(texts)
    assert read(column, None)[0] is column


def test_a_decimal_comma_comes_out_as_it_went_in(tmp_path):
    content = b"age;x\n1,5;a\n2,7;b\n"
    assert cells(mask(tmp_path, content), ";")[1:] == [["2,1", "a"], ["2,1", "b"]]


@pytest.mark.parametrize("ending", [".gz", ".zst"])
def test_compressed_csv_is_read_and_written(tmp_path, ending):
    pack = {
        ".gz": gzip.compress,
        ".zst": lambda data: pa.compress(data, "zstd", asbytes=True),
    }[ending]
    name, out = f"in.csv{ending}", f"out.csv{ending}"
    target = mask(tmp_path, pack(b"age,x\n1,a\n3,b\n"), name=name, out=out)
    with pa.CompressedInputStream(str(target), {".zst": "zstd", ".gz": "gzip"}[ending]) as file:
        assert file.read() == b"age,x\n2,a\n2,b\n"
    assert tk.release.verify(target)["verdict"] == "released"


def test_a_damaged_archive_gets_a_sentence(tmp_path):
    content = gzip.compress(b"age,x\n1,a\n3,b\n" * 1000)[:-20]
    with pytest.raises(tk.release.InputError, match=r"in\.csv\.gz"):
        mask(tmp_path, content, name="in.csv.gz")
    assert [path.name for path in tmp_path.iterdir()] == ["in.csv.gz"]


@pytest.mark.parametrize(
    "content", [b"", b"age,x\n1,a\n3,b,c\n", b"age,x\n1,\xe4\n3,b\n", b"1,2\n3,4\n"]
)
def test_a_message_names_an_archive_as_it_is_called(tmp_path, content):
    with pytest.raises(tk.release.InputError, match=r"^in\.csv\.gz"):
        mask(tmp_path, gzip.compress(content), name="in.csv.gz")


@pytest.mark.parametrize("encoding", ["windows-1252", "utf-16", "cp1250", "shift_jis"])
def test_encodings_are_read_as_they_are_said(tmp_path, encoding):
    letter = {"shift_jis": "東", "cp1250": "ł"}.get(encoding, "ä")
    content = f"age,{letter}s\n1,{letter}\n3,b\n".encode(encoding)
    target = mask(tmp_path, content, encoding=encoding)
    assert cells(target) == [["age", f"{letter}s"], ["2", letter], ["2", "b"]]


def test_utf_16_is_known_by_its_mark(tmp_path):
    target = mask(tmp_path, "age,x\n1,ä\n3,b\n".encode("utf-16"))
    assert cells(target)[1] == ["2", "ä"]


def test_text_of_another_encoding_gets_a_sentence_with_the_cure(tmp_path):
    with pytest.raises(tk.release.InputError, match=r"line 2 is not UTF-8.*windows-1252"):
        mask(tmp_path, "age,x\n1,ä\n3,b\n".encode("latin-1"))
    with pytest.raises(tk.release.InputError, match="not ascii text"):
        mask(tmp_path, "age,x\n1,ä\n3,b\n".encode(), encoding="ascii")
    with pytest.raises(tk.release.InputError, match="encoding must be one that is known"):
        mask(tmp_path, b"", encoding="utf-7000")


def test_all_at_once_as_a_new_user_has_it(tmp_path):
    """Latin-1, semicolons, decimal commas, NA, dates, gzip, no header: masked, gated, verified."""
    rng = np.random.default_rng(0)
    rows = [
        f"P{i};{1940 + i % 60}-0{1 + i % 9}-11;{rng.integers(10**5) / 100}".replace(".", ",")
        + f";{'NA' if i % 17 == 0 else 'Köln'}\n"
        for i in range(300)
    ]
    content = gzip.compress("".join(rows).encode("latin-1"))
    target = mask(
        tmp_path,
        content,
        name="in.csv.gz",
        encoding="latin-1",
        header=False,
        missing="category",
        quasi=["column_2", "column_3", "column_4"],
        identifier=["column_1"],
        k=5,
    )
    found = cells(target, ";")
    assert found[0] == ["column_2", "column_3", "column_4"]
    assert all("," in row[1] or row[1].isdecimal() for row in found[1:])
    assert {row[2] for row in found[1:]} == {"Köln", ""}
    assert tk.release.verify(target)["achieved"]["k"] >= 5


def test_files_of_statistical_programs_are_read(tmp_path):
    pyreadstat = pytest.importorskip("pyreadstat")
    frame = pd.DataFrame(
        {
            "age": [30.0, 32.0, 61.0, None],
            "sex": [1.0, 2.0, 1.0, 1.0],
            "size": [1.0, 2.0, 3.0, 2.0],
            "pay": [1.5, 2.5, 3.5, 4.5],
        }
    )
    labels = {"sex": {1.0: "m", 2.0: "f"}, "size": {1.0: "S", 2.0: "M", 3.0: "L"}}
    pyreadstat.write_sav(
        frame,
        tmp_path / "in.sav",
        variable_value_labels=labels,
        variable_measure={"size": "ordinal"},
    )
    release = tk.release.mask_file(
        tmp_path / "in.sav",
        tmp_path / "out.parquet",
        k=2,
        quasi=["age"],
        missing="impute",
        other="*",
        keep_order=True,
        accept_risk=ACCEPTED,
    )
    table = pa.parquet.read_table(release.table)
    assert pa.types.is_integer(table.schema.field("age").type)
    assert table["sex"].to_pylist() == ["m", "f", "m", "m"]
    assert pa.types.is_floating(table.schema.field("pay").type)
    assert table["size"].to_pylist() == ["S", "M", "L", "M"]
    with pytest.raises(tk.release.InputError, match="must end in one of"):
        tk.release.mask_file(tmp_path / "in.sav", tmp_path / "out.sav", k=2, quasi=["age"])
