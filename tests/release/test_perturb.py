"""Perturbed releases of dataframes, and their gate."""

import json

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from builders.noisy_tables import AGE, AGES, FRAME, INCOME, INCOMES, ROWS, SEX, Attribute

import tokumei as tk
from tokumei.noise import generator
from tokumei.release.io import frames

pytestmark = pytest.mark.filterwarnings("ignore::tokumei.noise.NotPrivateWarning")
ROLES = {"attributes": {"age": AGE, "income": INCOME, "sex": SEX}, "identifier": ["name"]}


@pytest.mark.parametrize("kind", [pd.DataFrame, pl.DataFrame, pa.table])
def test_a_dataframe_comes_out_as_it_came_without_identifiers(kind):
    table = kind({name: list(values) for name, values in FRAME.items()})
    release = tk.release.perturb(table, k=3, **ROLES)
    assert type(release.table) is type(table)
    assert list(release.table.columns if kind is not pa.table else release.table.column_names) == [
        "age", "income", "sex",
    ]  # fmt: skip
    audit = release.audit
    assert audit["verdict"] == "released"
    assert audit["random_numbers"] == "operating system"
    assert audit["achieved"]["rows"] == ROWS
    assert audit["achieved"]["columns"]["age"]["mechanism"] == "laplace"
    assert audit["achieved"]["columns"]["sex"]["categories"] == 2
    assert all(check["verdict"] == "passed" for check in audit["checks"])
    json.dumps(audit)


def test_the_released_type_follows_from_what_is_known():
    table = pa.table(FRAME)
    holes = {"age": Attribute(17, 90, integer=True, missing="category"), "income": INCOME}
    for attributes, kinds in (
        (ROLES["attributes"], [pa.int64(), pa.float64(), pa.large_string()]),
        (holes, [pa.float64(), pa.float64()]),
    ):
        done = tk.release.perturb(table, k=3, attributes=attributes, drop="*").table
        for kind, expected in zip(done.schema.types, kinds, strict=True):
            assert kind == expected or {kind, expected} == {pa.string(), pa.large_string()}


def test_a_column_without_a_role_is_refused():
    with pytest.raises(tk.release.Refused, match="'income', 'sex' have none") as refused:
        tk.release.perturb(pa.table(FRAME), attributes={"age": AGE}, identifier=["name"])
    assert refused.value.audit["output"] is None
    with pytest.raises(tk.release.InputError, match="at least one column to perturb"):
        tk.release.perturb(pa.table(FRAME), attributes={}, drop="*")
    with pytest.raises(tk.release.InputError, match="attributes must map columns"):
        tk.release.perturb(pa.table(FRAME), attributes=[AGE])
    with pytest.raises(tk.release.InputError, match="named twice"):
        tk.release.perturb(pa.table(FRAME), drop=["age"], **ROLES)


def test_noise_from_a_seed_is_never_released():
    with pytest.raises(tk.release.Refused, match="the noise is not private") as refused:
        tk.release.perturb(pa.table(FRAME), k=3, insecure_seed_for_tests=1, **ROLES)
    assert refused.value.audit["random_numbers"] == "a seed: not private"


def test_bounds_of_the_data_are_warned_of_in_the_audit_and_not_shown():
    attributes = {"income": Attribute()}
    table = pa.table(FRAME)
    done = tk.release.perturb(table, k=3, attributes=attributes, drop="*", bounds="data")
    told = done.audit["achieved"]
    assert "column 'income' were taken from the data" in told["warnings"][0]
    assert (told["columns"]["income"]["lower"], told["columns"]["income"]["upper"]) == (None, None)
    assert str(INCOMES.max()) not in json.dumps(done.audit)


CLUMSY = {
    "another value": (
        lambda table: table.set_column(0, "age", pa.array([17.5] * ROWS)),
        "released values can come out of the noise: 400 cells",
    ),
    "as it was": (
        lambda table: table.set_column(0, "age", pa.array(AGES)),
        "noise was added: column .age.: less noise",
    ),
    "a row less": (lambda table: table.slice(1), "as many rows out as in: 400 in, 399 out"),
    "identifiers": (
        lambda table: table.append_column("name", pa.array(FRAME["name"])),
        "identifiers are gone: still there: column 'name'",
    ),
    "a null": (
        lambda table: table.set_column(0, "age", pa.array([None] * ROWS, pa.int64())),
        "released values can come out of the noise: 400 cells",
    ),
    "metadata": (
        lambda table: table.replace_schema_metadata({"source": "here"}),
        "no index or metadata: found: source",
    ),
}


@pytest.mark.parametrize("what", CLUMSY)
def test_the_gate_sees_what_went_wrong(what, monkeypatch):
    spoil, sentence = CLUMSY[what]
    real = frames.released

    def clumsy(*arguments, **options):
        return frames.frame_of(spoil(real(*arguments, **options).to_native()))

    monkeypatch.setattr(frames, "released", clumsy)
    with pytest.raises(tk.release.Refused, match=sentence):
        tk.release.perturb(pa.table(FRAME), k=3, **ROLES)


def test_numbers_beside_flags_of_missing_ones_have_to_change_too(monkeypatch):
    ages = [None if i % 40 == 0 else age for i, age in enumerate(AGES)]
    known = {"age": Attribute(17, 90, integer=True, missing="category")}
    monkeypatch.setattr(
        frames, "released", lambda *_, **__: frames.frame_of(pa.table({"age": ages}))
    )
    with pytest.raises(tk.release.Refused, match="noise was added: 0 records changed"):
        tk.release.perturb(pa.table({"age": ages}), k=3, attributes=known)


def test_the_gate_computes_the_budget_again(monkeypatch):
    real = tk.noise.table.plan
    monkeypatch.setattr(
        tk.noise.table, "plan", lambda attributes, n, k, **names: real(attributes, n, 2, **names)
    )
    with pytest.raises(tk.release.Refused, match="the budget holds: linkage is bounded by 1/2"):
        tk.release.perturb(pa.table(FRAME), k=9, **ROLES)


@pytest.mark.parametrize("share", [0, 10, 3])
def test_noise_that_is_less_than_its_channel_makes_is_refused(monkeypatch, share):
    """Values are rounded to the lattice all the same, so that records change."""
    real = generator.discrete_laplace

    def fainter(*given):
        return real(*given) * share // 10

    ages = np.random.default_rng(2).integers(17, 91, 2000)
    ages = pa.table({"age": ages, "height": ages + 100 + np.linspace(0.0, 0.9, 2000)})
    known = {"age": AGE, "height": Attribute(110, 200)}
    assert tk.release.perturb(ages, k=3, attributes=known).audit["verdict"] == "released"
    monkeypatch.setattr(generator, "discrete_laplace", fainter)
    if share == 10:
        assert tk.release.perturb(ages, k=3, attributes=known).audit["verdict"] == "released"
        return
    with pytest.raises(tk.release.Refused, match="'age', 'height': less noise than its channel"):
        tk.release.perturb(ages, k=3, attributes=known)


def test_what_linkage_came_to_is_in_the_record_and_not_in_the_audit():
    few = {"age": list(range(20, 32)), "sex": ["f", "m", "m"] * 4}
    known = {"age": AGE, "sex": SEX}
    release = tk.release.perturb(pd.DataFrame(few), k=3, attributes=known)
    found = release.record["achieved"]["linkage"]
    assert "linkage" not in release.audit["achieved"]
    epsilons = tk.noise.shares(12, 3, [one.weight for one in known.values()])
    channels = [one.channels([e])[0] for one, e in zip(known.values(), epsilons, strict=True)]
    codes = [
        np.column_stack([table["age"], [SEX.categories.index(sex) for sex in table["sex"]]])
        for table in (few, release.table)
    ]
    attack = tk.risk.noise_attack(*codes, channels)
    assert found["method"] == attack.method == "subsets"
    assert found["largest"] == pytest.approx(attack.largest, rel=1e-9)
    assert found["mean"] == pytest.approx(attack.mean, rel=1e-9)
    assert found["largest"] <= found["promised"] <= 1 / 3
    page = tk.release.report(release.record)
    assert f"promised: {found['promised']:.3g}" in page
    assert "links a record with a probability" not in tk.release.report(release.audit)


def test_linkage_is_not_measured_where_it_would_hold_a_release_up_or_nothing_is_promised():
    ages = np.random.default_rng(1).integers(17, 91, 5000)
    attributes = {"age": AGE}
    large = tk.release.perturb(pd.DataFrame({"age": ages}), k=3, attributes=attributes)
    assert "linkage" not in large.record["achieved"]
    few = pd.DataFrame({"age": ages[:40]})
    kept = tk.release.perturb(few, k=3, attributes=attributes, keep_order=True)
    assert "linkage" not in kept.record["achieved"]
    flagged = {"age": Attribute(17, 90, integer=True, missing="category")}
    missing = tk.release.perturb(few, k=3, attributes=flagged)
    assert "linkage" not in missing.record["achieved"]
