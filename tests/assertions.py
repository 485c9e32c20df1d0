"""What several tests assert."""

import re

import pytest

import tokumei as tk

SECRET = "secret-value"


def close(found, true):
    assert found == pytest.approx(float(true), rel=1e-12, abs=1e-12)


def refused(error, words, call, *arguments, **options):
    """A sentence says what is wrong, and tells no value."""
    with pytest.raises(error, match=re.escape(words)) as caught:
        call(*arguments, **options)
    assert SECRET not in str(caught.value)
    assert "123456" not in str(caught.value)


def within(X, labels):
    """The sum of squares that rounding may hide: a trillionth of the total."""
    return tk.loss.sse(X, labels), 1e-12 * tk.loss.sst(X)
