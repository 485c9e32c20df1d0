"""Columns with canaries where cells are not: under nulls, beside slices, in notes."""

import numpy as np
import pandas as pd
import pyarrow as pa

CANARY = "7f3canary"
HIDDEN = 0x7F3CA4A27F3CA4A2  # a number under a null, whose bytes are searched for
BYTES = [CANARY.encode(), HIDDEN.to_bytes(8, "little")]


def with_buffers(kind, values, *, missing):
    """Numbers or texts whose cells are there, and missing all the same."""
    bits = pa.py_buffer(np.packbits(~np.asarray(missing), bitorder="little"))
    made = pa.array(values, kind)
    return pa.Array.from_buffers(kind, len(values), [bits, *made.buffers()[1:]])


def hidden_numbers():
    return with_buffers(pa.int64(), [1, HIDDEN, 3, 4], missing=[False, True, False, False])


def hidden_texts(kind=None):
    hole = [False, True, False, False]
    return with_buffers(kind or pa.string(), ["a", CANARY, "c", "d"], missing=hole)


def hidden_records():
    inner = pa.array(["a", CANARY, "c", "d"])
    return pa.StructArray.from_arrays(
        [inner], names=["x"], mask=pa.array([False, True, False, False])
    )


def hidden_items():
    inner = pa.array(["a", CANARY, "c", "d"])
    bits = pa.py_buffer(np.packbits([True, False, True, True], bitorder="little"))
    offsets = pa.py_buffer(np.arange(5, dtype=np.int32))
    return pa.Array.from_buffers(pa.list_(pa.string()), 4, [bits, offsets], children=[inner])


def hidden_in_dictionary():
    codes = pa.array([0, 2, 0, 2], pa.int8())
    return pa.DictionaryArray.from_arrays(codes, ["a", CANARY, "c"])


class Noted(pa.ExtensionType):
    def __init__(self, note=CANARY):
        self.note = note
        super().__init__(pa.int64(), "tests.noted")

    def __arrow_ext_serialize__(self):
        return self.note.encode()

    @classmethod
    def __arrow_ext_deserialize__(cls, storage_type, serialized):
        return cls(serialized.decode())


def slice_of_more():
    return pa.array([CANARY, "a", "b", "c", "d", CANARY]).slice(1, 4)


COLUMNS = {
    "numbers under nulls": hidden_numbers,
    "texts under nulls": hidden_texts,
    "long texts under nulls": lambda: hidden_texts(pa.large_string()),
    "values under records that are null": hidden_records,
    "items of lists that are null": hidden_items,
    "a category that no cell has": hidden_in_dictionary,
    "a category in an order": lambda: pa.DictionaryArray.from_arrays(
        pa.array([0, 2, 0, 2], pa.int8()), ["a", CANARY, "c"], ordered=True
    ),
    "a dictionary in lists": lambda: pa.ListArray.from_arrays(
        pa.array([0, 1, 2, 3, 4], pa.int32()), hidden_in_dictionary()
    ),
    "parameters of an extension": lambda: pa.ExtensionArray.from_storage(
        Noted(), pa.array([1, 2, 3, 4])
    ),
    "neighbours of a slice": slice_of_more,
    "views of texts": lambda: pa.array([CANARY + "-" * 20, *"abcd"]).cast(pa.string_view())[1:],
}


class Labelled(str):
    """A text that carries something."""

    __slots__ = ("note",)


def pandas_table(secret=CANARY):
    noted = Labelled("b")
    noted.note = secret
    index = pd.Index([secret] * 4, name=secret)
    whole = pd.arrays.IntegerArray(np.array([1, HIDDEN, 3, 4]), np.array([0, 1, 0, 0], bool))
    frame = pd.DataFrame(
        {
            "age": [1, 2, 3, 4],
            "category": pd.Categorical(list("abab"), categories=["a", secret, "b"]),
            "order": pd.Categorical(list("abab"), categories=["b", secret, "a"], ordered=True),
            "whole": whole,
            "text": None,
            "arrow": pd.array(hidden_texts(), dtype=pd.ArrowDtype(pa.string())),
            "when": pd.date_range("2020", periods=4, tz="Europe/Paris"),
            "day": pd.period_range("2020", periods=4, freq="D"),
            "flag": pd.array([True, None, False, True], dtype="boolean"),
            "string": pd.array(["x", None, "y", "z"], dtype="string"),
        },
        index=index,
    )
    frame["text"] = pd.Series(["a", noted, "c", None], dtype=object, index=index)
    frame.attrs["note"] = secret
    frame.columns.name = secret
    return frame
