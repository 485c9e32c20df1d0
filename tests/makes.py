"""Columns of every make: lists, arrays, and columns of pandas, polars and Arrow."""

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa


def objects(cells):
    array = np.empty(len(cells), dtype=object)
    array[:] = cells
    return array


def masked(cells):
    some = next(cell for cell in cells if cell is not None)
    data = np.array([some if cell is None else cell for cell in cells])
    return np.ma.masked_array(data, mask=[cell is None for cell in cells])


def chunks(cells, kind=None):
    half = len(cells) // 2
    typed = kind or pa.array(cells).type
    return pa.chunked_array([cells[:half], cells[half:]], type=typed)


ANY = {
    "list": list,
    "tuple": tuple,
    "objects": objects,
    "pandas objects": lambda cells: pd.Series(cells, dtype=object),
    "pandas by rows": lambda cells: pd.Series(cells, dtype=object, index=range(9, 9 + len(cells))),
    "pandas": pd.Series,
    "polars": pl.Series,
    "arrow": pa.array,
    "arrow chunks": chunks,
    "masked": masked,
}
DICTIONARY = {
    "arrow dictionary": lambda cells: pa.array(cells).dictionary_encode(),
    "arrow dictionaries": lambda cells: pa.chunked_array(
        [pa.array(cells[:2]).dictionary_encode(), pa.array(cells[2:]).dictionary_encode()]
    ),
    "pandas category": lambda cells: pd.Series(cells, dtype="category"),
}
TEXT = {
    "list": list,
    "numpy": np.array,
    "pandas": pd.Series,
    "pandas string": lambda cells: pd.Series(cells, dtype="string"),
    "polars": pl.Series,
    "arrow": pa.array,
    "arrow chunks": chunks,
    **DICTIONARY,
}
