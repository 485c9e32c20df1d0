"""What the gate's second half asks beside the three risks, and what it only reports."""

import numpy as np
import pandas as pd
import pytest

import tokumei as tk
from tokumei.release.gate.answers import Check
from tokumei.release.gate.found import beside
from tokumei.release.gate.found.questions import Known
from tokumei.release.io import frames
from tokumei.release.job import gather
from tokumei.release.mask.step import Microaggregate
from tokumei.release.sections import ROW_ORDER, THROUGH_MASKED, TOLD, WEIGHT

QUASI = ["age", "town"]


def people(rows=800, seed=0):
    rng = np.random.default_rng(seed)
    return pd.DataFrame(
        {
            "age": rng.integers(18, 90, rows),
            "town": rng.choice(list("abcd"), rows),
            "wage": np.round(np.exp(rng.normal(8, 1, rows)), 1),
            "weight": rng.choice([10.0, 12.0], rows),
            "code": [f"c{number}" for number in rng.integers(0, 3 * rows, rows)],
        }
    )


def checks(audit):
    return {check["check"]: check for check in audit["checks"]}


def asked_of(original, released):
    """What is asked of a release of these records, whatever was done to them."""
    job = gather(Microaggregate, {"k": 5, "quasi": QUASI})
    known = Known(tuple(QUASI), (), ())
    frames_of = [frames.frame_of(each) for each in (original, released)]
    return {check.name: check for check in beside.of_release(job, _no_weight(), known, *frames_of)}


def _no_weight():
    class Roles:
        @staticmethod
        def of(_):
            return []

    return Roles


@pytest.mark.parametrize("seed", range(20))
def test_an_order_that_tells_is_refused_and_a_shuffle_is_not(seed):
    table = people(seed=seed)
    for order in (slice(None), slice(None, None, -1)):
        assert not asked_of(table, table.iloc[order])[ROW_ORDER].passed
    shuffle = np.random.default_rng(seed).permutation(len(table))
    assert asked_of(table, table.iloc[shuffle])[ROW_ORDER].passed


def released(table, **asked):
    everything = {"k": 5, "effort": "fast", "quasi": QUASI, "drop": "*"}
    return checks(tk.release.mask(table, **everything | asked).audit)


def test_a_release_is_asked_for_its_order_and_its_nearest_records():
    found = released(people(), sensitive=["wage"])
    assert found[ROW_ORDER]["verdict"] == "passed"
    assert "at most 20 % allowed" in found[THROUGH_MASKED]["detail"]
    assert found[beside.SENSITIVE]["verdict"] == "passed"
    kept = released(people(), keep_order=True)
    assert "as it was asked for" in kept[ROW_ORDER]["detail"]


def test_singling_out_by_sensitive_columns_is_reported_and_not_judged():
    found = released(people(), sensitive=["code"])[beside.SENSITIVE]
    assert found["verdict"] == "passed"
    assert float(found["detail"].split()[1]) > 0.5  # codes are alone; nobody is to know them


def test_one_weight_that_makes_the_mean_of_a_class_is_refused():
    table = people()
    assert released(table, weight="weight")[WEIGHT]["verdict"] == "passed"
    table.loc[::7, "weight"] = 10_000.0
    with pytest.raises(tk.release.Refused) as caught:
        released(table, weight="weight")
    found = checks(caught.value.audit)[WEIGHT]
    assert found["verdict"] == "failed"
    reason = {WEIGHT: "they are invented"}
    assert released(table, weight="weight", accept_risk=reason)[WEIGHT]["verdict"] == "accepted"


def test_recoding_without_k_is_attacked_and_reported():
    asked = {"quasi": ["town"], "share": {"town": 0.1}, "other": ["age", "code"], "drop": "*"}
    found = checks(tk.release.recode(people(), **asked).audit)
    told = found["singling out (3 columns) (reported)"]
    assert told["verdict"] == "passed"
    assert float(told["detail"].split()[1]) > 0.5
    assert "linkage through unmasked columns (reported)" in found
    assert "singling out" not in found


def test_noise_is_attacked_and_reported():
    attributes = {"age": tk.noise.Attribute(lower=18, upper=90)}
    found = checks(tk.release.perturb(people()[["age"]], 5, attributes=attributes).audit)
    told = [check for name, check in found.items() if name.startswith("singling out")]
    assert [check["verdict"] for check in told] == ["passed"]
    assert float(told[0]["detail"].split()[1]) < 0.1


def test_a_check_without_a_verdict_of_its_own_is_passed_or_failed():
    assert Check("x", True, "").verdict == "passed"
    assert Check("x", False, "").verdict == "failed"


@pytest.mark.parametrize("seed", range(20))
def test_a_column_that_tells_a_masked_one_is_refused_and_named(seed):
    table = people(1000, seed)
    table["decade"] = [f"d{age // 4}" for age in table["age"]]
    table["age"] = table["age"] // 4 * 4
    loose = dict.fromkeys(["unmasked", "singling_out", "linkability", "inference"], 1.0)
    with pytest.raises(tk.release.Refused) as caught:
        released(table, other=["decade"], **loose)
    found = checks(caught.value.audit)[TOLD]
    assert (found["verdict"], found["columns"]) == ("failed", ["decade"])
    table["decade"] = np.random.default_rng(seed).permutation(table["decade"])
    assert released(table, other=["decade"], **loose)[TOLD]["verdict"] == "passed"
