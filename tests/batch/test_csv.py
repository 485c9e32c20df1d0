"""Folders of CSV: read as single files are, and written as CSV again; what is wrong is placed."""

import gzip
import io

import numpy as np
import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet as pq
import pytest
from builders.datasets import ACCEPTED, folder_of, people

import tokumei as tk
from tokumei.release.errors import InputError

QUASI = ["age", "income", "region"]


def text_of(table, delimiter=","):
    sink = io.BytesIO()
    options = pa.csv.WriteOptions(delimiter=delimiter, quoting_style="needed")
    pa.csv.write_csv(table, sink, options)
    return sink.getvalue().decode()


def csv_folder(folder, table, files=3, ending=".csv", write=None):
    """The rows as so many files of CSV."""
    folder.mkdir(parents=True, exist_ok=True)
    ends = np.linspace(0, len(table), files + 1).astype(int)
    for number in range(files):
        text = text_of(table.slice(ends[number], ends[number + 1] - ends[number]))
        made = (write or str.encode)(text)
        (folder / f"f{number}{ending}").write_bytes(made)
    return folder


def mask(source, target, **more):
    asked = {"k": 3, "quasi": QUASI, "other": ["ward"], "method": "flexdice"} | more
    return tk.release.mask_dataset(source, target, accept_risk=ACCEPTED, **asked)


def lines_of(folder):
    found = []
    for each in sorted(folder.iterdir()):
        data = each.read_bytes()
        if each.suffix == ".gz":
            data = gzip.decompress(data)
        if each.suffix == ".zst":
            data = pa.CompressedInputStream(pa.BufferReader(data), "zstd").read()
        found += data.decode().splitlines()[1:]
    return sorted(found)


def test_the_release_of_csv_is_that_of_the_same_parquet(tmp_path, rows, small, same_key):
    release = mask(csv_folder(tmp_path / "csv", rows), tmp_path / "out")
    mask(folder_of(tmp_path / "parquet", rows), tmp_path / "out2", files="csv")
    assert lines_of(tmp_path / "out") == lines_of(tmp_path / "out2")
    assert len(lines_of(tmp_path / "out")) == len(rows)
    assert release.audit["output"]["format"] == "csv"
    assert tk.release.verify(tmp_path / "out")["verdict"] == "released"
    assert sorted(p.name for p in tmp_path.iterdir() if "2" not in p.name) == [
        "csv", "out", "out.audit.json", "out.private.json", "parquet",
    ]  # fmt: skip


@pytest.mark.parametrize("files", ["parquet", "csv", "csv.gz", "csv.zst"])
def test_files_are_written_as_asked(tmp_path, rows, small, files):
    source = csv_folder(tmp_path / "in", rows)
    mask(source, tmp_path / "out", files=files)
    assert {each.name.partition(".")[2] for each in (tmp_path / "out").iterdir()} == {files}
    if files == "parquet":
        first = pq.read_schema(next((tmp_path / "out").iterdir()))
        assert first.field("age").type == pa.int64()
        assert first.field("income").type in (pa.decimal128(38, 2), pa.float64())
    else:
        assert len(lines_of(tmp_path / "out")) == len(rows)


@pytest.mark.parametrize("ending", [".csv.gz", ".csv.zst", ".tsv"])
def test_endings_say_how_a_file_is_packed(tmp_path, rows, small, same_key, ending):
    packed = {
        ".csv.gz": lambda text: gzip.compress(text.encode()),
        ".csv.zst": lambda text: pa.compress(text.encode(), "zstd", asbytes=True),
        ".tsv": lambda text: text.replace(",", "\t").encode(),
    }[ending]
    mask(csv_folder(tmp_path / "plain", rows), tmp_path / "out")
    mask(csv_folder(tmp_path / "in", rows, ending=ending, write=packed), tmp_path / "out2")
    assert lines_of(tmp_path / "out") == lines_of(tmp_path / "out2")


@pytest.mark.parametrize("encoding", ["utf-16", "windows-1252"])
def test_encodings_are_read_as_in_single_files(tmp_path, rows, small, encoding):
    names = pa.array(["Zoë", "Çelik", "Åse"]).take(pa.array(np.arange(len(rows)) % 3))
    table = rows.set_column(3, "ward", names)
    source = csv_folder(tmp_path / "in", table, write=lambda text: text.encode(encoding))
    how = {} if encoding == "utf-16" else {"encoding": encoding}
    mask(source, tmp_path / "out", **how)
    assert {line.rsplit(",", 1)[1] for line in lines_of(tmp_path / "out")} == {
        "Zoë",
        "Çelik",
        "Åse",
    }
    if how:
        with pytest.raises(InputError, match=r"f0.csv: line 2 is not UTF-8 text; say what"):
            mask(source, tmp_path / "no")


def test_a_decimal_comma_is_seen_from_all_files_and_comes_out_again(tmp_path, small):
    rng = np.random.default_rng(1)
    incomes = np.round(rng.lognormal(8, 1, 900), 2)
    said = [f"{value:.2f}".replace(".", ",") for value in incomes]
    said[:300] = [text[:-3] for text in said[:300]]  # no comma at all in the first file
    folder = tmp_path / "in"
    folder.mkdir()
    for number in range(3):
        some = said[300 * number : 300 * number + 300]
        ages = rng.integers(18, 80, 300)
        lines = [f"{age};{income}" for age, income in zip(ages, some, strict=True)]
        (folder / f"{number}.csv").write_text("\n".join(["age;income", *lines]))
    release = tk.release.mask_dataset(
        folder, tmp_path / "out", k=3, quasi=["age", "income"], accept_risk=ACCEPTED
    )
    assert release.record["input"]["notation"]["income"]["decimal"] == ","
    found = [line.split(",", 1)[1].strip('"') for line in lines_of(tmp_path / "out")]
    values = [float(text.replace(",", ".")) for text in found]
    assert not any("." in text for text in found)
    assert any("," in text for text in found)
    whole = [float(text.replace(",", ".")) for text in said]
    assert np.isclose(np.mean(values), np.mean(whole), rtol=1e-3)


def test_words_for_missing_cells_are_those_of_single_files(tmp_path, small):
    rng = np.random.default_rng(2)
    ages = [str(n) for n in rng.integers(18, 80, 900)]
    ages[5], ages[500], ages[899] = "NA", "", "-99"
    table = pa.table({"age": ages, "income": rng.integers(0, 9000, 900)})
    source = csv_folder(tmp_path / "in", table)
    how = {"k": 3, "quasi": ["age", "income"], "accept_risk": ACCEPTED}
    with pytest.raises(InputError, match="'age' has 1 missing value"):
        tk.release.mask_dataset(source, tmp_path / "no", **how)
    release = tk.release.mask_dataset(
        source, tmp_path / "out", missing="impute", na=["NA", "-99"], **how
    )
    assert release.record["input"]["notation"]["age"]["missing"] == {"NA": 1, "-99": 1}
    assert not any(line.startswith(("-99", "NA")) for line in lines_of(tmp_path / "out"))


def test_dates_are_read_in_the_order_that_all_files_show(tmp_path, small):
    """Each file alone could be read with the month first; only the last says that it is the day."""
    rng = np.random.default_rng(3)
    days = [
        f"{rng.integers(1, 13):02}.{rng.integers(1, 13):02}.{rng.integers(1950, 2000)}"
        for _ in range(600)
    ]
    days[-1] = "31.12.1999"
    table = pa.table({"born": days, "income": rng.integers(0, 9000, 600)})
    how = {"k": 3, "quasi": ["born", "income"], "accept_risk": ACCEPTED}
    how |= {"resolution": {"born": "month"}}
    source = csv_folder(tmp_path / "in", table, files=2)
    tk.release.mask_dataset(source, tmp_path / "out", **how)
    assert all(line[4] == "-" and line[7] == "," for line in lines_of(tmp_path / "out"))
    doubtful = table.slice(0, 590)
    with pytest.raises(InputError, match="day and month cannot be told apart"):
        tk.release.mask_dataset(csv_folder(tmp_path / "in2", doubtful), tmp_path / "no", **how)


def test_a_file_with_another_column_is_named(tmp_path, rows, small):
    source = csv_folder(tmp_path / "in", rows)
    text = (source / "f1.csv").read_text()
    (source / "f1.csv").write_text(text.replace("income", "wage", 1))
    with pytest.raises(InputError, match=r"f1.csv has no column 'income', which f0.csv has"):
        mask(source, tmp_path / "out")
    assert [p.name for p in tmp_path.iterdir()] == ["in"]


def test_a_bad_cell_is_placed_and_not_told(tmp_path, rows, small):
    source = csv_folder(tmp_path / "in", rows)
    lines = (source / "f2.csv").read_text().splitlines()
    lines[700] = "4711secret," + lines[700].partition(",")[2]
    (source / "f2.csv").write_text("\n".join(lines))
    with pytest.raises(InputError) as found:
        mask(source, tmp_path / "out")
    assert str(found.value).startswith(
        "f2.csv, records 1 to 1000: column 'age' has 1 cell that is not a number"
    )
    assert "4711" not in str(found.value)
    assert [p.name for p in tmp_path.iterdir()] == ["in"]


@pytest.mark.parametrize(
    ("damage", "sentence"),
    [
        (lambda text: "", "f1.csv is empty"),
        (lambda text: text + '1,2,n,"never\nclosed\n', "a quoted cell is still open"),
        (
            lambda text: text + "1,2\n",
            "f1.csv: 1 row without exactly 4 cells, the first is record 1002",
        ),
        (lambda text: text.partition("\n")[2], "f1.csv: its first line looks like data"),
        (lambda text: text + "1,2,\x00\udcff,a\n", "is not UTF-8 text"),
    ],
)
def test_a_damaged_file_is_one_sentence(tmp_path, rows, small, damage, sentence):
    source = csv_folder(tmp_path / "in", rows)
    text = damage((source / "f1.csv").read_text())
    (source / "f1.csv").write_bytes(text.encode(errors="surrogateescape"))
    with pytest.raises(InputError, match=sentence):
        mask(source, tmp_path / "out")
    assert [p.name for p in tmp_path.iterdir()] == ["in"]


def test_files_of_two_kinds_are_no_data_set(tmp_path, rows, small):
    source = csv_folder(tmp_path / "in", rows)
    pq.write_table(rows, source / "more.parquet")
    with pytest.raises(InputError, match=r"more.parquet and f0.csv: files of CSV and of other"):
        mask(source, tmp_path / "out")


def test_partitions_and_other_texts_come_out_as_they_went_in(tmp_path, small):
    rng = np.random.default_rng(4)
    texts = ["007", "1.10", ' a "b", c', "", "x\ny"] * 120
    for year in (2020, 2021):
        table = pa.table({"age": rng.integers(18, 80, 600), "note": texts})
        csv_folder(tmp_path / "in" / f"year={year}", table, files=2)
    tk.release.mask_dataset(
        tmp_path / "in", tmp_path / "out", k=3, quasi=["age"], other=["note", "year"],
        accept_risk=ACCEPTED, files="parquet",
    )  # fmt: skip
    released = pa.concat_tables([pq.read_table(p) for p in (tmp_path / "out").iterdir()])
    assert sorted(released["note"].to_pylist()) == sorted(texts * 2)
    assert sorted(released["year"].to_pylist()) == [2020] * 600 + [2021] * 600


@pytest.mark.parametrize("threads", [1, 3])
def test_records_do_not_depend_on_files_or_workers(tmp_path, rows, small, same_key, threads):
    mask(csv_folder(tmp_path / "in", rows), tmp_path / "out", n_threads=1)
    order = np.random.default_rng(6).permutation(len(rows))
    other = csv_folder(tmp_path / "in2", rows.take(pa.array(order)), files=7)
    mask(other, tmp_path / "out2", n_threads=threads)
    assert lines_of(tmp_path / "out") == lines_of(tmp_path / "out2")


def test_names_of_persons_are_not_even_staged(tmp_path, rows, small, monkeypatch):
    from tokumei.batch import verdict

    named = rows.append_column("name", pa.array([f"planted-{n}" for n in range(len(rows))]))
    found = []

    def look(plan):
        files = [p for p in tmp_path.rglob("*") if p.is_file() and "in" not in p.parts]
        found.extend(p for p in files if b"planted-" in p.read_bytes())
        return []

    monkeypatch.setattr(verdict, "attacks", look)
    monkeypatch.setattr("tokumei.batch.delimited.Decoded.consumed", lambda *args: None)
    mask(csv_folder(tmp_path / "in", named), tmp_path / "out", identifier=["name"])
    assert found == []


def test_what_a_run_costs_is_said_of_csv_too(tmp_path, rows, small):
    from tokumei.batch import cost
    from tokumei.release.job import gather
    from tokumei.release.mask.step import Microaggregate

    source = csv_folder(tmp_path / "in", people(2000))
    asked = {"k": 3, "quasi": QUASI, "other": ["ward"]}
    job = gather(Microaggregate, asked, source=str(source), target=str(tmp_path / "out"))
    found = cost.plan_of(job)
    assert (found.rows, found.files) == (2000, 3)
    assert [p.name for p in tmp_path.iterdir()] == ["in"]
