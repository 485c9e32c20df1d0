"""Plain answers computed once, and the paths and blocks of FlexDice by short names."""

import functools

import pytest
from strategies import KINDS, make

import tokumei as tk
from tokumei import microaggregation as ma

MANY_ATTRIBUTES = pytest.mark.parametrize("d", [1, 2, 3, 7, 8, 9, 17, 64])
EVERY_KIND = pytest.mark.parametrize("kind", KINDS)


@functools.cache
def known(definition, kind, n, d, *arguments):
    """The plain answer, computed once for all instruction sets."""
    return definition(make(kind, n, d, seed=d), *arguments)


def flexdice(X, rule, **more):
    c1, c2, axes = rule
    return tk.flexdice_order(X, c1=c1, c2=c2, axes=axes, **more)


def blocks(X, rule, **more):
    c1, c2, axes = rule
    return ma.flexdice_blocks(X, c1=c1, c2=c2, axes=axes, **more)
