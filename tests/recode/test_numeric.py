"""Numbers recoded: bins, top and bottom coding."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

import tokumei as tk


@given(st.lists(st.integers(0, 99), min_size=1, max_size=40), st.sampled_from([None, 0.1, 0.3]))
def test_bins_hold_their_numbers_and_are_not_rare(values, share):
    recoding = tk.recode.bins(values, [0, 10, 20, 50, 100], share=share)
    for value, name in zip(values, recoding.values, strict=True):
        low, high = map(float, name.split(" to "))
        assert low <= value < high or value == high == 100
    if share is not None and len(recoding.counts) > 1:
        assert min(recoding.counts.values()) >= round(share * len(values), 9)


@given(st.lists(st.integers(0, 20), min_size=1, max_size=40), st.sampled_from([0.05, 0.3, 0.6]))
def test_an_end_holds_at_least_its_share_and_no_number_more(values, share):
    top = tk.recode.top_code(values, share=share, label="top")
    limit = min(v for v, new in top.mapping.items() if new == "top")
    assert sum(v >= limit for v in values) >= round(share * len(values), 9)
    assert sum(v > limit for v in values) < round(share * len(values), 9)
    bottom = tk.recode.bottom_code([-v for v in values], share=share, label="top")
    assert bottom.values.tolist() == [v if v == "top" else -v for v in top.values]


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: tk.recode.bins([1, 2], [0, 1]), "edges must span all values; 1 of 2"),
        (lambda: tk.recode.bins([1, 2], [3, 0]), "two increasing numbers"),
        (lambda: tk.recode.bins([1, 2], 0), "edges must be at least 1"),
        (lambda: tk.recode.top_code([1, 2]), "either a limit or a share"),
        (lambda: tk.recode.top_code([1, 2], limit=1, share=0.2), "either a limit or a share"),
        (lambda: tk.recode.top_code([1, float("nan")], limit=1), "1 missing values"),
        (lambda: tk.recode.bottom_code([], limit=1), "values"),
        (lambda: tk.recode.top_code([1], share=1.0), "share must be at least 0 and below 1"),
    ],
)
def test_bad_numbers_are_refused(call, message):
    with pytest.raises(ValueError, match=message):
        call()
