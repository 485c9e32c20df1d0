"""Ten people, their roles, and dataframes of every kind."""

import pandas as pd
import polars as pl
import pyarrow as pa

AGES = [20, 21, 22, 40, 41, 42, 60, 61, 62, 90]


def people():
    return {
        "name": [f"P{i}" for i in range(10)],
        "age": AGES,
        "income": [float(7 * i % 10) for i in range(10)],
        "job": [f"j{i % 3}" for i in range(10)],
    }


ROLES = {"quasi": ["age", "income"], "identifier": ["name"], "other": ["job"]}
KINDS = {"pandas": pd.DataFrame, "polars": pl.DataFrame, "arrow": pa.table}
