"""Columns of hundreds of categories are masked by every method and effort."""

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


def test_the_audit_says_that_the_time_limit_has_cut_a_search():
    table, asked = many_categories()
    release = tk.release.mask(table, k=3, effort="optimal", time_limit=0.05, **asked)
    assert release.audit["achieved"]["cut_by_time_limit"] is True
    release = tk.release.mask(table, k=3, effort="fast", time_limit=600, **asked)
    assert release.audit["achieved"]["cut_by_time_limit"] is False
    release = tk.release.mask(table, k=3, effort="fast", **asked)
    assert "cut_by_time_limit" not in release.audit["achieved"]
