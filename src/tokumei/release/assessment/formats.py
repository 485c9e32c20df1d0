"""How cells are written: texts that name a person, numbers that are codes."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

from tokumei._check import Floats

FEW = 30  # values, of numbers that may be codes
OFTEN = 10  # records a value, or gaps are those of a sample
LOOK_AT = 500  # texts show what a column holds
MOST = 0.8  # of them, if that is what it holds
FORMATS = {
    "e-mail addresses": re.compile(r"[^@\s]+@[^@\s]+\.[A-Za-z]{2,}"),
    "bank accounts": re.compile(r"[A-Z]{2}\d{2}[ ]?([A-Z0-9]{4}[ ]?){2,7}[A-Z0-9]{1,4}"),
    "addresses of machines": re.compile(
        r"(\d{1,3}\.){3}\d{1,3}|([0-9A-Fa-f]{2}[:-]){5}[0-9A-Fa-f]{2}"
    ),
    "links": re.compile(r"https?://\S+"),
    "keys": re.compile(r"[0-9a-fA-F]{8}-([0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}|[0-9a-fA-F]{32,64}"),
    "social security numbers": re.compile(r"\d{3}-\d{2}-\d{4}"),
    "telephone numbers": re.compile(r"(\+|00)\d[\d ()/.-]{6,18}\d|0\d{1,5}[ /-][\d -]{4,12}\d"),
}
LEADING_ZERO = re.compile(r"0\d+")


def format_of(texts: Sequence[str]) -> str | None:
    """What most of some texts are written as, or None."""
    looked = [text.strip() for text in texts[:LOOK_AT]]
    for what, pattern in FORMATS.items():
        if looked and sum(map(bool, map(pattern.fullmatch, looked))) >= MOST * len(looked):
            return what
    return None


def are_codes(texts: Sequence[str]) -> bool:
    """Whether some of the texts are digits that no number begins with."""
    return any(LEADING_ZERO.fullmatch(text.strip()) for text in texts[:LOOK_AT])


def have_gaps(values: Floats) -> bool:
    """Whether whole numbers are too few for their span, as codes are and amounts are not.

    Two values are; numbers that are equally far from one another are a scale with larger steps.
    """
    known, counts = np.unique(values, return_counts=True)
    if not 2 <= len(known) <= FEW or counts.sum() < OFTEN * len(known):
        return False
    steps = np.diff(known)
    span = (known[-1] - known[0]) / np.gcd.reduce(steps.astype(np.int64))
    return bool(len(known) == 2 or span + 1 > 2 * len(known))
