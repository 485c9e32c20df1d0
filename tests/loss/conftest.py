"""A comparison shared by the tests of its measures and of its report."""

import pytest
from builders.canaries import people

import tokumei as tk


@pytest.fixture(scope="module")
def compared():
    return tk.loss.compare(*people(), orders={"size": ["small", "middle", "large"]})
