"""The table layer: masking, and dataframes of every kind."""

import json
import math
import runpy
import signal
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from builders.people import ACCEPTED, KINDS, ROLES, people
from hypothesis import given, settings
from hypothesis import strategies as st

import tokumei as tk
from tokumei.microaggregation.partition import partition_of
from tokumei.release.io import frames
from tokumei.release.mask import masking as run

EXAMPLES = Path(__file__).parents[2] / "examples"


def columns(table):
    if isinstance(table, pd.DataFrame):
        return table.to_dict("list")
    return table.to_pydict() if isinstance(table, pa.Table) else table.to_dict(as_series=False)


@pytest.mark.parametrize("kind", KINDS)
def test_the_same_kind_comes_out_masked_and_checked(kind):
    table = KINDS[kind](people())
    release = tk.release.mask(table, k=3, keep_order=True, **ROLES)
    assert type(release.table) is type(table)
    out = columns(release.table)
    assert list(out) == ["age", "income", "job"]
    assert out["job"] == people()["job"]
    assert min(Counter(zip(out["age"], out["income"], strict=True)).values()) >= 3
    assert release.audit["verdict"] == "released"
    assert release.audit["achieved"]["k"] == 3
    assert columns(table) == people()
    json.dumps(release.audit)


@pytest.mark.parametrize("method", ["mdav", "auto"])
def test_masked_values_are_the_means_of_the_original_values_in_their_groups(method):
    rng = np.random.default_rng(1)
    x = np.column_stack([rng.integers(0, 9, 50), rng.normal(1e6, 1e5, 50)])
    release = tk.release.mask(
        pl.DataFrame({"a": x[:, 0], "b": x[:, 1]}),
        k=4,
        quasi=["b", "a"],
        method=method,
        keep_order=True,
        round="none",
    )
    labels = tk.partition(tk.standardize(x), 4, method=method)
    for group in set(labels):
        rows = np.flatnonzero(labels == group)
        for j, name in enumerate("ab"):
            mean = math.fsum(x[rows, j]) / len(rows)
            assert release.table[name].gather(rows).to_list() == pytest.approx([mean] * len(rows))
    achieved = release.record["achieved"]
    assert achieved["groups"] == labels.max() + 1
    assert achieved["loss_percent"] == 100 * tk.loss.ilssdm(tk.standardize(x), labels)


@settings(max_examples=25, deadline=None)
@given(
    st.lists(st.tuples(st.integers(0, 3), st.sampled_from([0.1, 1e9, -5.0])), min_size=2),
    st.integers(2, 6),
)
def test_k_holds_for_every_table(rows, k):
    k = min(k, len(rows))
    table = pa.table({"a": [row[0] for row in rows], "b": [row[1] for row in rows]})
    release = tk.release.mask(table, k=k, quasi=["a", "b"])
    out = columns(release.table)
    classes = Counter(zip(out["a"], out["b"], strict=True))
    assert min(classes.values()) >= k
    assert release.audit["achieved"]["k"] == min(classes.values())
    assert sum(classes.values()) == len(rows)


@pytest.mark.parametrize("threads", [1, 2, 3])
def test_masked_values_do_not_depend_on_threads_or_on_the_order_of_names(threads):
    table = pa.table(people())
    first = tk.release.mask(table, k=3, keep_order=True, **ROLES)
    again = tk.release.mask(
        table, k=3, keep_order=True, n_threads=threads, **(ROLES | {"quasi": ["income", "age"]})
    )
    assert again.table.equals(first.table)
    assert again.audit["job"] == first.audit["job"]


def test_rows_are_shuffled_unless_asked_otherwise():
    table = pa.table({"age": list(range(500)), "row": list(range(500))})
    shuffled = tk.release.mask(table, k=2, quasi=["age"], other="*", accept_risk=ACCEPTED)
    again = tk.release.mask(table, k=2, quasi=["age"], other="*", accept_risk=ACCEPTED)
    assert shuffled.table["row"].to_pylist() != table["row"].to_pylist()
    assert shuffled.table["row"].to_pylist() != again.table["row"].to_pylist()
    assert shuffled.audit["random_numbers"] == "operating system"
    kept = tk.release.mask(
        table, k=2, quasi=["age"], other="*", accept_risk=ACCEPTED, keep_order=True
    )
    assert kept.table["row"].to_pylist() == table["row"].to_pylist()
    assert kept.audit["random_numbers"] == "none"
    pairs = zip(kept.table["row"].to_pylist(), kept.table["age"].to_pylist(), strict=True)
    masked = dict(pairs)
    for row, age in zip(*map(pa.ChunkedArray.to_pylist, shuffled.table.columns[::-1]), strict=True):
        assert masked[row] == age


def test_a_shuffle_puts_a_row_before_or_after_the_next_as_often():
    order = frames.shuffled(40_000)
    assert sorted(order) == list(range(40_000))
    assert (np.diff(order) > 0).mean() == pytest.approx(0.5, abs=0.02)  # 14 standard deviations


@pytest.mark.parametrize("keep_order", [True, False])
def test_row_labels_and_notes_of_pandas_do_not_survive(keep_order):
    frame = pd.DataFrame(people(), index=pd.Index([f"secret {i}" for i in range(10)], name="who"))
    frame.attrs["note"] = "secret"
    release = tk.release.mask(frame, k=3, keep_order=keep_order, **ROLES)
    assert release.table.index.equals(pd.RangeIndex(10))
    assert release.table.index.name is None
    assert release.table.attrs == {}
    assert frame.attrs == {"note": "secret"}
    assert frame.index[0] == "secret 0"


def test_columns_of_pandas_keep_their_types_and_objects():
    things = [f"thing {i}" if i % 2 else i for i in range(10)]
    frame = pd.DataFrame(people()).assign(
        thing=things,
        when=pd.date_range("2020", periods=10),
        many=pd.array([1, None] * 5, dtype="Int64"),
    )
    release = tk.release.mask(
        frame, k=3, keep_order=True, quasi=["age"], other="*", accept_risk=ACCEPTED
    )
    others = [name for name in frame if name != "age"]
    pd.testing.assert_frame_equal(release.table[others], frame[others])


def test_categories_that_no_cell_uses_do_not_survive():
    jobs = pd.Categorical(["b", "a"] * 5, categories=["secret", "b", "a"], ordered=True)
    frame = pd.DataFrame(people()).assign(job=jobs)
    release = tk.release.mask(frame, k=3, keep_order=True, **ROLES)
    assert list(release.table["job"].cat.categories) == ["b", "a"]
    assert release.table["job"].cat.ordered
    assert list(release.table["job"]) == list(jobs)
    assert list(frame["job"].cat.categories) == ["secret", "b", "a"]


def test_arrow_metadata_does_not_survive():
    table = pa.table(people()).replace_schema_metadata({"pandas": "secret"})
    release = tk.release.mask(table, k=3, **ROLES)
    assert release.table.schema.metadata is None


def test_a_table_that_had_k_from_the_start_is_released_as_it_is():
    table = pa.table({"age": [1, 1, 5, 5], "x": [1, 2, 3, 4]})
    release = tk.release.mask(
        table, k=2, quasi=["age"], other="*", accept_risk=ACCEPTED, keep_order=True
    )
    assert release.table["age"].to_pylist() == [1, 1, 5, 5]
    assert release.audit["achieved"]["changed_rows"] == 0
    assert release.audit["achieved"]["loss_percent"] == 0


def test_a_constant_table_has_nothing_to_lose():
    release = tk.release.mask(pa.table({"age": [7] * 5}), k=5, quasi=["age"])
    assert release.audit["achieved"]["loss_percent"] == 0


def test_the_audit_names_the_job_and_hashes_it():
    table = pa.table(people())
    first = tk.release.mask(table, k=3, **ROLES).audit
    (step,), (model,) = first["job"]["steps"], first["job"]["privacy"]
    assert (step["do"], step["method"], step["effort"]) == ("microaggregate", "auto", "balanced")
    assert model == {"model": "k-anonymity", "k": 3}
    assert first["job"]["output"] == {"keep_order": False, "files": None}
    assert first["job"]["roles"]["name"] == "identifier"
    hashes = [tk.release.mask(table, k=k, **ROLES).record["job"]["sha256"] for k in (3, 3, 4)]
    assert hashes[0] == hashes[1] != hashes[2]
    assert "sha256" not in first["job"]
    assert set(first["versions"]) == {"tokumei", "python", "numpy", "pyarrow", "duckdb", "narwhals"}


def test_the_callback_hears_of_progress_and_may_end_the_work(monkeypatch):
    def partition(asked):
        asked.run.callback(0.5)
        return partition_of(asked)

    def stop(share):
        raise RuntimeError(share)

    monkeypatch.setattr(run, "partition_of", partition)
    heard = []
    tk.release.mask(pa.table(people()), k=3, callback=heard.append, **ROLES)
    assert heard == [0.5]
    with pytest.raises(RuntimeError, match=r"0\.5"):
        tk.release.mask(pa.table(people()), k=3, callback=stop, **ROLES)


def test_files_can_be_masked_beside_the_main_thread_and_signals_are_left_as_they_were(tmp_path):
    ending = [signal.SIGTERM, signal.SIGINT]
    before = [signal.getsignal(number) for number in ending]
    source = tmp_path / "in.csv"
    source.write_text("age\n1\n2\n")
    for name, here in (("a.csv", False), ("b.csv", True)):
        work = partial(tk.release.mask_file, source, tmp_path / name, k=2, quasi=["age"])
        if here:
            work()
        else:
            with ThreadPoolExecutor(1) as other:
                other.submit(work).result()
        assert (tmp_path / name).read_text() == "age\n2\n2\n"
    assert [signal.getsignal(number) for number in ending] == before


def test_the_example_reproduces_its_file_byte_for_byte():
    script = runpy.run_path(str(EXAMPLES / "make_people.py"))
    assert script["text"]().encode() == (EXAMPLES / "people.csv").read_bytes()
