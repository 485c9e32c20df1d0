"""Columns of hundreds of categories are masked; only a proof asks for fewer."""

import pyarrow as pa
import pytest
from builders.hiding import CANARY
from builders.people import ACCEPTED

import tokumei as tk


def many_categories():
    table = pa.table({"name": [f"{CANARY}{i}x" for i in range(600)]})
    return table, {"quasi": ["name"], "kinds": {"name": "nominal"}, "accept_risk": ACCEPTED}


@pytest.mark.parametrize("method", ["kmember", "mondrian", "mdav"])
def test_hundreds_of_categories_are_no_limit(method):
    table, asked = many_categories()
    release = tk.release.mask(table, k=3, method=method, **asked)
    assert release.audit["achieved"]["k"] >= 3


def test_too_many_categories_for_a_proof_get_advice():
    table, asked = many_categories()
    with pytest.raises(tk.release.InputError, match=r"600 categories; .*512") as caught:
        tk.release.mask(table, k=3, effort="optimal", **asked)
    assert CANARY not in str(caught.value)
