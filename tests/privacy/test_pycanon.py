"""What pycanon 1.3.6 counts on Adult, the models here count too.

The values are those of its `k_anonymity`, `l_diversity`, `entropy_l_diversity` (rounded down),
`t_closeness` (earth mover's for numbers, equal distances for texts) and `basic_beta_likeness`, read
with pandas from the file as it is. Its `recursive_c_l_diversity` is left out: it begins with the
rarest value where the definition has the most frequent, and its enhanced beta bounds the largest
gain by the rarest value's logarithm, not each gain by its own.
"""

import csv

import numpy as np
import pytest
from builders.people import ACCEPTED

import tokumei as tk

COUNTED = {
    ("sex", "race", "occupation"): (109, 11, 8, 0.32220540754980986, 17.843171296296298),
    ("marital-status", "sex", "education"): (9, 4, 3, 0.35948254387491513, 10.989689772622665),
    ("education", "sex", "hours-per-week"): (16, 8, 5, 0.11370504927729848, 87.96448087431695),
    ("relationship", "race", "age"): (13, 13, 12, 0.19724927470389822, 32.498971193415635),
}
NUMBERS = ("hours-per-week", "age")


@pytest.fixture(scope="module")
def adult(reference_path):
    with reference_path("adult.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    return {name: np.array([row[name] for row in rows]) for name in rows[0]}


@pytest.mark.parametrize("columns", COUNTED)
def test_k_l_entropy_t_and_beta_are_those_of_pycanon(adult, columns):
    *quasi, name = columns
    joint = np.char.add(np.char.add(adult[quasi[0]], "|"), adult[quasi[1]])
    groups = np.unique(joint, return_inverse=True)[1]
    values = adult[name].astype(int) if name in NUMBERS else adult[name]
    codes = np.unique(values, return_inverse=True)[1]
    k, least, entropy, t, beta = COUNTED[columns]
    kind = "ordered" if name in NUMBERS else "equal"
    privacy = tk.privacy
    assert privacy.KAnonymity(2).reached(groups) == k
    assert privacy.LDiversity(name, 2).reached(groups, codes) == least
    assert int(privacy.LDiversity(name, 2, "entropy").reached(groups, codes)) == entropy
    reached = privacy.TCloseness(name, 0.1, kind).reached(groups, codes)
    assert reached == pytest.approx(t, rel=1e-12)
    assert privacy.BetaLikeness(name, 1.0).reached(groups, codes) == pytest.approx(beta, rel=1e-12)


@pytest.mark.parametrize("columns", [("marital-status", "sex", "education")])
def test_the_gate_counts_the_same_in_what_was_written(reference_path, tmp_path, columns):
    *quasi, name = columns
    k, least, _, t, beta = COUNTED[columns]
    tree = {"sex": dict.fromkeys(["Male", "Female"], "any")}
    asked = {"k": 2, "quasi": quasi, "sensitive": [name], "drop": "*", "trees": tree}
    asked |= {
        "accept_risk": ACCEPTED,
        "level": {"sex": 0},
        "l_diversity": 2,
        "t_closeness": 0.4,
        "beta_likeness": 11.0,
    }
    done = tk.release.recode_file(reference_path("adult.csv"), tmp_path / "out.csv", **asked)
    found = done.audit["achieved"]
    assert (found["k"], found[f"distinct l of {name}"]) == (k, least)
    assert found[f"t-closeness of {name}"] == pytest.approx(t, rel=1e-12)
    assert found[f"beta-likeness of {name}"] == pytest.approx(beta, rel=1e-12)
