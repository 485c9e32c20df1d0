"""A table with canaries, one record each, and what is published of it."""

import numpy as np

import tokumei as tk

CANARY = "canary-in-a-cell"
LARGEST = 987654.321
SMALLEST = -987654.321


def people(rows=400, seed=3):
    """A table with two canaries, one record each, and what is published of it."""
    rng = np.random.default_rng(seed)
    X = rng.normal([40, 3000], [10, 500], size=(rows, 2))
    X[7, 1], X[8, 1] = LARGEST, SMALLEST
    job = rng.choice(["farm", "wood", "shop", "school"], p=[0.1, 0.1, 0.4, 0.4], size=rows)
    job = job.astype(object)
    job[9] = CANARY
    size = rng.choice(["small", "middle", "large"], size=rows)
    masked = tk.microaggregate(X, 5)
    merged = np.where(np.isin(job, ["farm", "wood", CANARY]), "outside", job)
    before = {"name": np.arange(rows), "age": X[:, 0], "pay": X[:, 1], "job": job, "size": size}
    after = {"age": masked[:, 0], "pay": masked[:, 1], "job": merged, "size": np.sort(size)}
    return before, after
