"""The gate's second half: what leads to people is refused and named, what does not is released."""

import numpy as np
import pandas as pd
import pytest

import tokumei as tk
from tokumei.release.sections import TOO_FEW

UNMASKED = "linkage through unmasked columns"


def people(rows=1200, seed=0):
    rng = np.random.default_rng(seed)
    return pd.DataFrame(
        {
            "age": rng.integers(18, 90, rows),
            "town": rng.choice(list("abcdefgh"), rows),
            "sex": rng.choice(["f", "m"], rows),
            "income": np.round(np.exp(rng.normal(10, 1, rows)), 2),
            "visits": rng.integers(0, 3, rows),
        }
    )


ROLES = {"quasi": ["age", "town", "sex"], "effort": "fast"}


def verdicts(audit):
    return {check["check"]: check["verdict"] for check in audit["checks"]}


def refused(table, **asked):
    with pytest.raises(tk.release.Refused) as caught:
        tk.release.mask(table, **ROLES | asked)
    return caught.value


@pytest.mark.parametrize("seed", range(3))
def test_continuous_income_as_a_secret_passes(seed):
    asked = ROLES | {"sensitive": ["income"], "drop": ["visits"]}
    audit = tk.release.mask(people(seed=seed), **asked).audit
    assert set(verdicts(audit).values()) == {"passed"}
    assert {UNMASKED, "singling out", "linkability", "inference"} <= set(verdicts(audit))


def test_a_column_that_leads_back_is_refused_and_named_and_the_proposal_passes():
    refusal = refused(people(), other=["income", "visits"])
    found = next(check for check in refusal.audit["checks"] if check["check"] == UNMASKED)
    assert found["verdict"] == "failed"
    proposed = found["columns"]
    assert proposed[0] == "income"
    assert "'income'" in str(refusal)
    assert "coarsen or drop" in str(refusal)
    left = [name for name in ("income", "visits") if name not in proposed]
    audit = tk.release.mask(people(), **ROLES, other=left, drop=proposed).audit
    assert audit["verdict"] == "released"


def test_a_risk_is_accepted_by_name_with_a_reason_that_the_audit_holds():
    failed = [name for name, verdict in verdicts(refused(people(), other="*").audit).items()
              if verdict == "failed"]  # fmt: skip
    reasons = dict.fromkeys(failed, "kept in a locked room")
    audit = tk.release.mask(people(), **ROLES, other="*", accept_risk=reasons).audit
    assert audit["verdict"] == "released"
    accepted = [check for check in audit["checks"] if check["verdict"] == "accepted"]
    assert [check["check"] for check in accepted] == failed
    assert {check["reason"] for check in accepted} == {"kept in a locked room"}
    first, *others = failed
    assert others
    with pytest.raises(tk.release.Refused):
        tk.release.mask(people(), **ROLES, other="*", accept_risk={first: "only this"})


def test_few_records_decide_nothing_and_need_a_reason():
    few, asked = people(30), {"k": 2, "sensitive": ["visits"], "drop": ["income"]}
    refusal = refused(few, **asked)
    assert verdicts(refusal.audit)["inference"] == "undecided"
    assert verdicts(refusal.audit)["singling out"] == "passed"  # all that is known is masked
    assert "too few records to decide" in str(refusal)
    accepted = tk.release.mask(few, **ROLES | asked, accept_risk={TOO_FEW: "invented"})
    assert verdicts(accepted.audit)["inference"] == "accepted"


def test_few_records_are_no_excuse_for_what_is_counted():
    refusal = refused(people(30), k=2, other=["income"], drop=["visits"],
                      accept_risk={TOO_FEW: "invented"})  # fmt: skip
    assert [name for name, verdict in verdicts(refusal.audit).items() if verdict == "failed"] == [
        UNMASKED
    ]


def test_a_secret_that_is_read_off_an_unmasked_column_is_refused():
    table = people(seed=4)
    table["code"] = np.random.default_rng(4).choice(list("abcdefghij"), len(table))
    everything = dict.fromkeys([UNMASKED, "singling out", "linkability"], "only inference is asked")
    refusal = refused(table, other=["income"], sensitive=["code"], drop="*",
                      accept_risk=everything)  # fmt: skip
    assert verdicts(refusal.audit)["inference"] == "failed"
    masked = ROLES | {"sensitive": ["code"], "drop": "*"}
    assert verdicts(tk.release.mask(table, **masked).audit)["inference"] == "passed"


def test_a_verdict_is_the_same_when_it_is_asked_again():
    found = (UNMASKED, "singling out", "linkability", "inference")
    both = [refused(people(), other="*").audit["checks"] for _ in range(2)]
    one, other = ([c for c in checks if c["check"] in found] for checks in both)
    assert one == other
    assert len(one) == len(found)


def test_thresholds_are_those_of_the_job():
    table = people()
    refusal = refused(table, other=["visits"], drop=["income"], unmasked=0.001)
    assert "at most 0.1 % allowed" in str(refusal)
    loose = ROLES | {"other": "*", "unmasked": 1, "singling_out": 1, "linkability": 1}
    assert tk.release.mask(table, **loose).audit["verdict"] == "released"


def test_households_have_fresh_numbers_and_stay_together():
    table = people(600)
    table["home"] = np.arange(600) // 3 + 10_000
    asked = ROLES | {"household": "home", "drop": ["income", "visits"], "keep_order": True, "k": 3}
    homes = [tk.release.mask(table, **asked).table["home"].to_numpy() for _ in range(2)]
    for found in homes:
        assert set(found) == set(range(200))
        assert len(set(zip(found, table["home"], strict=True))) == 200
    assert (homes[0] != homes[1]).any()


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"luck": "x"}, "accept_risk knows .*got another check"),
        ({"inference": " "}, "needs a reason for 'inference'"),
        ({"inference": 1}, "the reason of 'inference' must be a text"),
        (["inference"], "must map checks to reasons"),
    ],
)
def test_reasons_that_are_none_are_refused(wrong, words):
    with pytest.raises(tk.release.InputError, match=words):
        tk.release.mask(people(), **ROLES, other="*", accept_risk=wrong)
