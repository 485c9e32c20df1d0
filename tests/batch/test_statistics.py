"""What is counted of a table is the same in any order and any pieces, and exact."""

import functools
from fractions import Fraction

import numpy as np
import pyarrow as pa
from hypothesis import given
from hypothesis import strategies as st

from tokumei.batch import hashes
from tokumei.batch.sample import Sample
from tokumei.batch.statistics import OfMoments, OfNumbers
from tokumei.batch.texts import seen_of
from tokumei.release.io.one_notation import Decimals

NUMBERS = st.lists(
    st.floats(-1e9, 1e9, allow_subnormal=False).filter(lambda x: x == 0 or abs(x) > 1e-100),
    min_size=1,
    max_size=40,
)


@given(NUMBERS, st.integers(0, 40), st.randoms(use_true_random=False))
def test_moments_are_exact_in_any_pieces_and_order(values, cut, random):
    whole = OfNumbers.of(np.array(values), np.float64)
    assert whole.sum == sum(map(Fraction, values))
    assert whole.squares == sum(Fraction(x) ** 2 for x in values)
    assert (whole.low, whole.high) == (min(values), max(values))
    shuffled = random.sample(values, len(values))
    parts = [OfNumbers.of(np.array(part), np.float64) for part in (shuffled[:cut], shuffled[cut:])]
    assert parts[0].merged(parts[1]) == whole == parts[1].merged(parts[0])


def test_deviation_survives_an_offset_that_leaves_floats_nothing():
    values = 1e9 + np.array([0.0, 1.0, 2.0, 3.0])
    assert OfNumbers.of(values, np.float64).deviation == np.sqrt(1.25)


def test_decimals_are_the_most_of_all_pieces():
    one, other, free = (OfNumbers.of(np.array(x), np.float64) for x in ([1.5], [2.25], [1 / 3]))
    assert one.merged(other).decimals == 2
    assert one.merged(free).decimals is None


def test_the_period_that_keeps_all_dates_is_the_finest_of_any_piece():
    day, year = (OfMoments(OfNumbers.of(np.zeros(1), np.float64), p) for p in ("day", "year"))
    assert day.merged(year).grid == year.merged(day).grid == "day"


def test_one_piece_tells_the_order_of_day_and_month_for_all():
    doubtful, told = (
        seen_of(pa.chunked_array([[text]]), None) for text in ("01.02.1999", "31.12.1999")
    )
    for both in (doubtful.merged(told), told.merged(doubtful)):
        assert both.reading("date", None, None).dates == "day first"


def test_one_piece_tells_the_decimal_mark_for_all():
    plain, told = (seen_of(pa.chunked_array([[text]]), None) for text in ("1234", "1.234,5"))
    for both in (plain.merged(told), told.merged(plain)):
        assert both.reading("numeric", None, None).decimals == Decimals(".")


def table(rows, seed=0, values=50):
    rng = np.random.default_rng(seed)
    texts = [None if x == 0 else f"t{x}" for x in rng.integers(0, values, rows)]
    return pa.table({"x": rng.integers(0, values, rows), "t": pa.array(texts, pa.string())})


def test_equal_records_have_equal_hashes_wherever_they_stand_and_others_differ():
    records = table(5000)
    found = hashes.of_records(records, bytes(range(32)))
    turned = hashes.of_records(records.take(pa.array(np.arange(5000)[::-1])), bytes(range(32)))
    assert np.array_equal(found, turned[::-1])
    different = set(zip(*(c.to_pylist() for c in records.columns), strict=True))
    assert len(np.unique(found)) == len(different)
    assert not np.array_equal(found, hashes.of_records(records, bytes(32)))


def test_a_type_of_another_width_and_a_negative_zero_change_no_hash():
    one = pa.table({"x": pa.array([1.0, -0.0, 2.5], pa.float64())})
    other = pa.table({"x": pa.array([1.0, 0.0, 2.5], pa.float32())})
    key = bytes(range(32))
    assert np.array_equal(hashes.of_records(one, key), hashes.of_records(other, key))


def test_missing_cells_are_no_empty_ones():
    found = hashes.of_records(pa.table({"t": ["", None, "a"]}), bytes(range(32)))
    assert len(np.unique(found)) == 3


def sampled(records, pieces, most):
    merged = None
    for rows in pieces:
        part = records.take(pa.array(rows))
        one = Sample.of(part, hashes.of_records(part, bytes(32)), most)
        merged = one if merged is None else merged.merged(one)
    return merged


def told(sample):
    return list(
        zip(sample.hashes.tolist(), sample.counts.tolist(), sample.records.to_pylist(), strict=True)
    )


def test_a_sample_is_the_same_in_any_pieces_and_has_the_counts_of_the_table():
    records = table(4000, values=40)
    rng = np.random.default_rng(1)
    whole = sampled(records, [np.arange(4000)], 200)
    for pieces in (2, 7, 90):
        order = np.array_split(rng.permutation(4000), pieces)
        assert told(sampled(records, order, 200)) == told(whole)
    counted = [tuple(row.values()) for row in records.to_pylist()]
    assert all(count == counted.count(tuple(row.values())) for _, count, row in told(whole)[:20])


def test_a_sample_of_mostly_equal_records_has_the_others_too():
    records = pa.table({"x": [7] * 3000 + list(range(1000, 1300))})
    whole = sampled(records, [np.arange(3300)], 200)
    assert len(whole.hashes) == 200
    assert told(whole) == told(sampled(records, np.array_split(np.arange(3300), 20), 200))


def test_the_number_of_different_records_is_counted_or_close():
    records = table(20000, values=300)
    different = len(set(map(tuple, (row.values() for row in records.to_pylist()))))
    assert sampled(records, [np.arange(20000)], 1 << 16).different() == different
    few = sampled(records, np.array_split(np.arange(20000), 3), 2000)
    assert not few.whole
    assert abs(few.different() / different - 1) < 0.15


def test_records_are_drawn_as_often_as_they_are_there():
    records = pa.table({"x": [7] * 900 + list(range(100, 200))})
    drawn = sampled(records, [np.arange(1000)], 500).drawn(100)["x"].to_pylist()
    assert len(drawn) == 100
    assert abs(drawn.count(7) - 90) <= 1


def test_how_much_a_record_takes_does_not_depend_on_the_pieces_it_came_in():
    x = [*map(float, range(3999)), None]
    table = pa.table({"x": x, "s": ["a" * (row % 7) for row in range(3999)] + [None]})
    turned = table.take(pa.array(np.random.default_rng(0).permutation(4000)))
    found, in_memory = set(), set()
    for rows, size in ((table, 4000), (table, 400), (turned, 80)):
        pieces = [rows.slice(first, size).combine_chunks() for first in range(0, 4000, size)]
        samples = [Sample.of(one, hashes.of_records(one, bytes(32)), 1000) for one in pieces]
        whole = functools.reduce(Sample.merged, samples)
        found.add(whole.row_bytes)
        in_memory.add(whole.records.nbytes)
    assert len(found) == 1
    assert len(in_memory) > 1  # which is what it would be by
