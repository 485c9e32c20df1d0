"""Texts that are written as what names a person is: e-mail, telephone number, bank account."""

from __future__ import annotations

import re
from collections.abc import Sequence

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
