"""Households whose members lie in any file are brought together, and k counts them."""

from dataclasses import replace

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from builders.datasets import ACCEPTED, folder_of

import tokumei as tk
from tokumei.batch import blocks
from tokumei.release.errors import InputError

QUASI = ["age", "income"]


def homes_of(rows, seed=0):
    """People of households of one to four, the members of each all over the table."""
    rng = np.random.default_rng(seed)
    home = rng.permutation(np.repeat(np.arange(rows), rng.integers(1, 5, rows))[:rows])
    age = rng.integers(18, 90, rows)
    income = np.round(rng.lognormal(9, 1, rows)[home], 2)
    texts = pa.array([f"planted-home-{n}" for n in home])
    return pa.table({"age": age, "income": income, "home": texts, "who": np.arange(rows)})


def mask(source, target, **more):
    asked = {"k": 3, "quasi": QUASI, "household": "home", "other": "*"} | more
    return tk.release.mask_dataset(source, target, accept_risk=ACCEPTED, **asked)


def released(folder):
    return pa.concat_tables([pq.read_table(each) for each in sorted(folder.iterdir())])


def households_in(table):
    counts = table.group_by(QUASI).aggregate([("home", "count_distinct")])
    return min(counts["home_count_distinct"].to_pylist())


@pytest.fixture
def table():
    return homes_of(3000)


def test_k_counts_households_whose_members_stay_together(tmp_path, table, small):
    release = mask(folder_of(tmp_path / "in", table), tmp_path / "out", k=4)
    out = released(tmp_path / "out")
    assert households_in(out) >= 4
    assert release.audit["achieved"]["k_households"] >= 4
    assert release.audit["achieved"]["blocks"] > 4
    of_home = out.group_by("home").aggregate([(name, "count_distinct") for name in QUASI])
    assert {*of_home["age_count_distinct"].to_pylist()} == {1}
    assert {*of_home["income_count_distinct"].to_pylist()} == {1}


def test_households_come_out_whole_under_fresh_numbers(tmp_path, table, small):
    mask(folder_of(tmp_path / "in", table), tmp_path / "out")
    was = dict(zip(table["who"].to_pylist(), table["home"].to_pylist(), strict=True))
    out = released(tmp_path / "out")
    assert out.schema.field("home").type == pa.int64()
    numbers, names = {}, {}
    for who, number in zip(out["who"].to_pylist(), out["home"].to_pylist(), strict=True):
        assert numbers.setdefault(was[who], number) == number
        assert names.setdefault(number, was[who]) == was[who]
    assert len(numbers) == len(names) == len(set(was.values()))
    ordered = [numbers[name] for name in sorted(numbers, key=lambda n: int(n.rpartition("-")[2]))]
    ranks = np.argsort(np.argsort(ordered))
    assert abs(np.corrcoef(ranks, np.arange(len(ranks)))[0, 1]) < 0.1
    again = tmp_path / "again"
    mask(tmp_path / "in", again)
    assert not set(numbers.values()) & set(released(again)["home"].to_pylist())


def test_members_may_be_parted_where_classes_have_so_many_households(tmp_path, table, small):
    release = mask(folder_of(tmp_path / "in", table), tmp_path / "out", min_households=3)
    assert households_in(released(tmp_path / "out")) >= 3
    assert release.audit["achieved"]["k_households"] >= 3


@pytest.mark.parametrize("more", [{}, {"min_households": 2}, {"method": "flexdice"}])
def test_records_do_not_depend_on_files_or_workers(tmp_path, table, small, same_key, read, more):
    mask(folder_of(tmp_path / "in", table), tmp_path / "out", n_threads=1, **more)
    order = np.random.default_rng(2).permutation(len(table))
    other = folder_of(tmp_path / "in2", table, files=7, group=90, order=order)
    mask(other, tmp_path / "out2", n_threads=3, **more)
    assert read(tmp_path / "out") == read(tmp_path / "out2")


def test_households_keep_to_their_stratum(tmp_path, table, small):
    home = pa.DictionaryArray.from_arrays(
        table["home"].combine_chunks().dictionary_encode().indices,
        table["home"].combine_chunks().dictionary_encode().dictionary,
    )
    side = np.asarray(home.indices) % 2
    table = table.append_column("side", pa.array(side))
    release = mask(folder_of(tmp_path / "in", table), tmp_path / "out", strata=["side"])
    assert release.audit["achieved"]["k_households"] >= 3
    torn = table.set_column(4, "side", pa.array(np.arange(len(table)) % 2))
    with pytest.raises(InputError, match="members of a household are in several strata"):
        mask(folder_of(tmp_path / "in2", torn), tmp_path / "no", strata=["side"])


def test_too_few_households_and_missing_ones_are_said(tmp_path, table, small):
    few = table.set_column(2, "home", pa.array(["a", "b"] * 1500))
    with pytest.raises(InputError, match="there are 2 households, and every group is to have 3"):
        mask(folder_of(tmp_path / "in", few), tmp_path / "out")
    lost = table.set_column(2, "home", pa.array([None, *table["home"].to_pylist()[1:]]))
    with pytest.raises(InputError, match="'home' has 1 missing value"):
        mask(folder_of(tmp_path / "in2", lost), tmp_path / "out")


def test_a_class_of_too_few_households_is_refused(tmp_path, table, small, monkeypatch):
    def planted(plan, block, left=None):
        masked = published(plan, block, left)
        one = pa.array(np.ones(len(masked.table), np.int64))
        place = masked.table.schema.get_field_index("home")
        return replace(masked, table=masked.table.set_column(place, "home", one))

    published = blocks.published
    monkeypatch.setattr(blocks, "published", planted)
    with pytest.raises(tk.release.Refused) as found:
        mask(folder_of(tmp_path / "in", table), tmp_path / "out", k=4)
    failed = {
        c["check"]: c["detail"] for c in found.value.audit["checks"] if c["verdict"] == "failed"
    }
    assert "1 household, 4 asked" in failed["joint k counted in households"]
    assert not (tmp_path / "out").exists()


def test_what_households_were_called_is_in_no_file_of_the_release(tmp_path, table, small):
    mask(folder_of(tmp_path / "in", table), tmp_path / "out")
    for path in [*(tmp_path / "out").iterdir(), tmp_path / "out.audit.json"]:
        assert b"planted-home" not in path.read_bytes()


def test_the_checks_say_how_many_households_a_class_has(tmp_path, table, small):
    release = mask(folder_of(tmp_path / "in", table), tmp_path / "out")
    (check,) = [c for c in release.audit["checks"] if "households" in c["check"]]
    assert check["verdict"] == "passed"
    assert "households, 3 asked" in check["detail"]
