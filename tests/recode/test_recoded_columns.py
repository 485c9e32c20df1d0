"""A recoding is what was published: losses take it as it is."""

import numpy as np
import pytest

import tokumei as tk

JOBS = ["farm", "wood", "shop", "shop", "wood", "shop"] * 3
TOOLS = ["axe", "rake", "till", "till", "axe", "rake"] * 3
TABLE = {"job": JOBS, "tool": TOOLS}
RECODED = {name: tk.recode.by_share(column, 0.4) for name, column in TABLE.items()}
VALUES = {name: recoding.values for name, recoding in RECODED.items()}


@pytest.mark.parametrize(
    "loss",
    [
        lambda masked: tk.loss.entropy(JOBS, masked["job"]),
        lambda masked: tk.loss.ebil(JOBS, masked["job"], RECODED["job"]),
        lambda masked: tk.loss.direct(JOBS, masked["job"]),
        lambda masked: tk.loss.cramers_v(masked["job"], masked["tool"]),
        lambda masked: tk.loss.ctbil(TABLE, masked, recodings=RECODED),
        lambda masked: tk.loss.ild(JOBS, masked["job"], tk.distances.Discrete()),
        lambda masked: tk.loss.model(TABLE, masked, n_jobs=1).to_json(),
    ],
)
def test_a_loss_of_a_recoding_is_that_of_its_values(loss):
    assert loss(RECODED) == loss(VALUES)


def test_a_recoding_is_a_column():
    recoding = RECODED["job"]
    assert len(recoding) == len(JOBS)
    assert list(recoding) == np.asarray(recoding).tolist() == recoding.values.tolist()
