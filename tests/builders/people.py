"""Ten people, their roles, and dataframes of every kind.

Ten people are too few for adversaries to say anything: whoever releases them gives a reason.
"""

import pandas as pd
import polars as pl
import pyarrow as pa

from tokumei.release.sections import ACCEPTABLE

AGES = [20, 21, 22, 40, 41, 42, 60, 61, 62, 90]


def people():
    return {
        "name": [f"P{i}" for i in range(10)],
        "age": AGES,
        "income": [float(7 * i % 10) for i in range(10)],
        "job": [f"j{i % 3}" for i in range(10)],
    }


ACCEPTED = dict.fromkeys(ACCEPTABLE, "invented people, for a test")
ROLES = {
    "quasi": ["age", "income"],
    "identifier": ["name"],
    "other": ["job"],
    "accept_risk": ACCEPTED,
}
KINDS = {"pandas": pd.DataFrame, "polars": pl.DataFrame, "arrow": pa.table}
