"""People for adversaries: who is released, who is not, and releases that leak or do not."""

import numpy as np

SEEDS = range(20)
ACCUSED = 0.1  # a risk of which the interval is above this is an accusation


def crowd(seed, rows=600):
    """People with numbers and categories, half of whom will be released."""
    rng = np.random.default_rng(seed)
    age = rng.integers(18, 90, rows).astype(float)
    return {
        "age": age,
        "wage": np.round(np.exp(rng.normal(8, 0.7, rows)), 1),
        "town": rng.choice(list("abcdefgh"), rows),
        "job": rng.choice(list("uvwxyz"), rows),
        "ill": np.where(rng.random(rows) < 0.5, "no", rng.choice(list("pqrs"), rows)),
    }


def of(table, rows):
    return {name: np.asarray(cells)[rows] for name, cells in table.items()}


def halves(seed, rows=600):
    """People who are released, and others of the same kind who are not."""
    table = crowd(seed, rows)
    return of(table, slice(rows // 2)), of(table, slice(rows // 2, rows))


def shuffled(table, seed):
    rows = np.random.default_rng(1000 + seed).permutation(len(table["age"]))
    return of(table, rows)


def strangers(seed, rows=600):
    """A release that has nothing to do with the people it is said to be of."""
    return of(crowd(5000 + seed, rows), slice(rows // 2))


def accused(attack, threshold=ACCUSED):
    return attack.risk.lower > threshold
