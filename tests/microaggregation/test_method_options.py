"""Options of single methods, asked for through the whole step, the job and the command."""

import numpy as np
import pytest
from strategies import make

import tokumei as tk
from tokumei.microaggregation import column_order, hilbert_order, mondrian
from tokumei.microaggregation.options import OF_METHOD, Search

X = make("normal", 300, 3, seed=4)
ASKED = {
    "vmdav": [
        ({"gamma": 0.2}, lambda: tk.vmdav(X, 4, gamma=0.2)),
        ({"gamma": "auto"}, lambda: tk.vmdav(X, 4, gamma="auto")),
        ({"rest": "mean"}, lambda: tk.vmdav(X, 4, rest="mean")),
    ],
    "flexdice": [
        ({"c1": 20, "c2": 3}, lambda: tk.cut(X, tk.flexdice_order(X, c1=20, c2=3), 4)),
        ({"c1": 20, "axes": 2}, lambda: tk.cut(X, tk.flexdice_order(X, c1=20, axes=2), 4)),
    ],
    "grid": [
        ({"blocks_per_axis": 3}, lambda: tk.cut(X, tk.grid_order(X, blocks_per_axis=3), 4)),
        (
            {"blocks_per_axis": [2, 3, 1]},
            lambda: tk.cut(X, tk.grid_order(X, blocks_per_axis=[2, 3, 1]), 4),
        ),
    ],
    "hilbert": [({"bits": 3}, lambda: tk.cut(X, hilbert_order(X, bits=3), 4))],
    "column": [({"by_column": 2}, lambda: tk.cut(X, column_order(X, 2), 4))],
    "mondrian": [({"strict": False}, lambda: mondrian(X, 4, strict=False))],
}
CASES = [(method, *case) for method, cases in ASKED.items() for case in cases]


@pytest.mark.parametrize(("method", "options", "directly"), CASES)
def test_partition_hands_options_to_their_method(method, options, directly):
    np.testing.assert_array_equal(tk.partition(X, 4, method=method, **options), directly())
    masker = tk.Microaggregator(4, method=method, **options)
    np.testing.assert_array_equal(masker.fit(X).labels_, directly())


def test_every_option_of_a_method_is_tried_here():
    assert {name for _, options, _ in CASES for name in options} == set(OF_METHOD)


@pytest.mark.parametrize("name", OF_METHOD)
def test_an_option_without_its_method_is_refused(name):
    value = {"gamma": 0.5, "rest": "mean", "strict": True}.get(name, 1)
    with pytest.raises(ValueError, match=f"{name} goes with method='{OF_METHOD[name]}'"):
        tk.partition(X, 4, **{name: value})


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"method": "flexdice", "c1": "mine"}, "c1 must be one of"),
        ({"method": "flexdice", "c1": 0}, "c1 must be at least 1"),
        ({"method": "flexdice", "axes": 9}, "axes must be between 1 and 3"),
        ({"method": "grid", "blocks_per_axis": [1, 2]}, "blocks_per_axis"),
        ({"method": "column", "by_column": 3}, "by_column must be between 0 and 2"),
        ({"method": "hilbert", "bits": 99}, "bits must be between"),
        ({"method": "vmdav", "gamma": -1}, "gamma must be a number from 0"),
    ],
)
def test_bad_options_of_methods_are_refused(options, message):
    with pytest.raises(ValueError, match=message):
        tk.partition(X, 4, **options)


def test_options_left_out_change_no_hash_and_those_given_do():
    plain, given = Search("vmdav"), Search("vmdav", gamma=0.5)
    assert plain.of_method() == {}
    assert given.of_method() == {"gamma": 0.5}


def test_masking_takes_them():
    pa = pytest.importorskip("pyarrow")
    table = pa.table({"a": X[:, 0], "b": X[:, 1]})
    release = tk.release.mask(
        table, 4, quasi=["a", "b"], method="flexdice", c1="paper", c2=2, keep_order=True
    )
    Z = tk.standardize(np.asfortranarray(X[:, :2]))
    expected = tk.aggregate(X[:, :2], tk.partition(Z, 4, method="flexdice", c1="paper", c2=2))
    np.testing.assert_allclose(release.table["a"].to_numpy(), expected[:, 0], rtol=1e-12)


@pytest.mark.parametrize(
    ("method", "options", "words"),
    [
        ("flexdice", {"c1": "paper", "c2": 2}, ["--c1", "paper", "--c2", "2"]),
        ("flexdice", {"c1": 20, "axes": 2}, ["--c1", "20", "--axes", "2"]),
        ("grid", {"blocks_per_axis": 3}, ["--blocks-per-axis", "3"]),
        ("vmdav", {"gamma": 0.2, "rest": "mean"}, ["--gamma", "0.2", "--rest", "mean"]),
    ],
)
def test_command_and_job_take_them(method, options, words, tmp_path, monkeypatch):
    pa = pytest.importorskip("pyarrow")
    pq = pytest.importorskip("pyarrow.parquet")
    from tokumei import cli

    table = pa.table({"a": X[:, 0], "b": X[:, 1]})
    monkeypatch.chdir(tmp_path)
    pq.write_table(table, "in.parquet")
    asked_for = ["-k4", "--quasi", "a,b", "--keep-order", "--method", method, *words]
    with pytest.raises(SystemExit) as end:
        cli.main(["mask", "in.parquet", "out.parquet", *asked_for, "--save-job", "job.toml"])
    assert end.value.code == 0
    job = (tmp_path / "job.toml").read_text(encoding="utf-8")
    assert all(name in job for name in options)
    (tmp_path / "job.toml").write_text(job.replace('"out.parquet"', '"by_job.parquet"'), "utf-8")
    tk.release.run("job.toml")
    asked = {"quasi": ["a", "b"], "method": method, "keep_order": True, **options}
    expected = tk.release.mask(table, 4, **asked).table
    assert pq.read_table("out.parquet").equals(expected)
    assert pq.read_table("by_job.parquet").equals(expected)
