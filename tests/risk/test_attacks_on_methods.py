"""Attacks of who knows the method: each finds its planted leak in every seed, accuses no other."""

import numpy as np
import pyarrow as pa
import pyarrow.feather
import pyarrow.parquet as pq
import pytest
from builders.adversaries import SEEDS, accused, halves, of

import tokumei as tk
from tokumei.release.io.beside_cells import texts_beside
from tokumei.risk.attacks.left_behind import left_behind


def classed(seed, k=5, rows=300):
    """People, their classes by age, and a shuffle."""
    released, _ = halves(seed, 2 * rows)
    labels = np.empty(rows, dtype=np.int64)
    labels[np.argsort(released["age"], kind="stable")] = np.arange(rows) // k
    return released, labels, np.random.default_rng(seed).permutation(rows)


def means(values, labels):
    present = ~np.isnan(values)
    sums = np.bincount(labels, np.where(present, values, 0.0))
    return (sums / np.bincount(labels, present))[labels]


def attacked(released, release, name, **more):
    asked = {"known": list(release), "attempts": 300} | more
    return tk.risk.attack(released, release, **asked)[name]


@pytest.mark.parametrize("seed", SEEDS)
def test_records_that_keep_their_order_inside_classes_are_found_by_replay(seed):
    released, labels, shuffle = classed(seed)
    masked = {"age": means(released["age"], labels) + labels}
    by_class = np.argsort(labels, kind="stable")
    for order in (by_class, by_class[::-1]):
        found = attacked(released, of(masked, order), "replay", rows=order, replayed=masked)
        assert accused(found, 0.9)
    found = attacked(released, of(masked, shuffle), "replay", rows=shuffle, replayed=masked)
    assert not accused(found)


@pytest.mark.parametrize("seed", SEEDS)
def test_sets_that_hold_only_what_members_have_are_given_back(seed):
    released, labels, shuffle = classed(seed, k=3)
    town = released["town"]

    def sets(also):
        held = [sorted({*town[labels == one], *also}) for one in range(100)]
        return np.array(["{" + ", ".join(one) + "}" for one in held])[labels]

    def found(also):
        masked = {"age": means(released["age"], labels) + labels, "town": sets(also)}
        return attacked(released, of(masked, shuffle), "downcoding of town", rows=shuffle)

    assert accused(found(()), 0.3)
    assert "certain in" in found(()).note
    assert not accused(found("abcdefgh"))


@pytest.mark.parametrize("seed", SEEDS)
def test_means_over_the_cells_that_are_there_tell_which_are_not(seed):
    released, labels, shuffle = classed(seed)
    wage = np.where(np.random.default_rng(seed).random(300) < 0.2, np.nan, released["wage"])
    people = {"wage": wage, "group": labels.astype(float)}

    def found(published):
        masked = of({"wage": published, "group": people["group"]}, shuffle)
        return attacked(people, masked, "missing cells of wage", rows=shuffle)

    assert accused(found(means(wage, labels)), 0.9)
    pooled = np.where(np.isnan(wage), np.nanmedian(wage), wage)  # as if it were there
    assert not accused(found(np.round(means(pooled, labels) / 1e4) * 1e4))


@pytest.mark.parametrize("seed", SEEDS)
def test_noise_of_floats_is_told_by_its_last_bits_and_noise_on_a_lattice_is_not(seed):
    rng = np.random.default_rng(seed)
    shuffle = rng.permutation(300)
    people = {"wage": np.exp(rng.normal(0, 4, 300))}
    noise = rng.laplace(0, 1, 300)

    def found(noisy):
        return attacked(people, of({"wage": noisy}, shuffle), "trailing bits of wage", rows=shuffle)

    assert accused(found(people["wage"] + noise))
    assert not accused(found(np.round((people["wage"] + noise) * 1024) / 1024))
    channel = tk.noise.laplace(1.0, lower=0.0, upper=1e5)
    assert not accused(found(channel.perturb(np.minimum(people["wage"], 1e5))))


@pytest.mark.parametrize("seed", SEEDS)
def test_means_of_dates_tell_the_last_member_unless_they_are_months(seed):
    _, labels, shuffle = classed(seed)
    born = np.random.default_rng(seed).integers(0, 20_000, 300)
    people = {"born": born.astype("datetime64[D]"), "group": labels}
    exact = means(born * 86_400.0, labels).astype("datetime64[s]")
    month = means(born.astype(float), labels).astype("datetime64[D]").astype("datetime64[M]")
    for published, told in ((exact, True), (month.astype("datetime64[D]"), False)):
        masked = of({"born": published, "group": labels}, shuffle)
        found = attacked(people, masked, "differencing of born", rows=shuffle)
        assert accused(found, 0.2) == told


@pytest.mark.parametrize("seed", SEEDS)
def test_what_a_file_has_beside_its_cells_is_found(seed, tmp_path):
    rng = np.random.default_rng(seed)
    names = [f"Person {number}" for number in rng.integers(10**6, 10**7, 50)]
    cells = pa.array(["a", "b"] * 25)
    clean = pa.table({"town": cells})
    labelled = clean.replace_schema_metadata({"index": ",".join(names)})
    stale = pa.DictionaryArray.from_arrays(np.arange(50) % 2, pa.array(["a", "b", *names]))

    def found(table, ending=".parquet"):
        path = tmp_path / f"release{ending}"
        if ending == ".parquet":
            pq.write_table(table, path)
        else:
            pa.feather.write_feather(table, path)
        return left_behind([*names, "a", "b"], {"a", "b"}, texts_beside(path))

    assert accused(found(labelled), 0.8)
    assert accused(found(pa.table({"town": stale}), ".feather"), 0.8)
    assert not accused(found(clean), 0.0)
    assert not accused(found(clean, ".feather"), 0.0)


def test_the_command_looks_beside_the_cells(tmp_path):
    from tokumei.release.attack_files import attack_files
    from tokumei.risk.attack import Attacking

    names = [f"Person {number}" for number in range(1000, 1050)]
    people = pa.table({"name": names, "age": list(range(50))})
    pq.write_table(people, tmp_path / "original.parquet")
    left = people.select(["age"]).replace_schema_metadata({"was": " ".join(names)})
    pq.write_table(left, tmp_path / "release.parquet")
    paths = [tmp_path / f"{name}.parquet" for name in ("original", "release")]
    found = attack_files(*paths, Attacking(attempts=20))["metadata and bytes"]
    assert found.successes == 50
