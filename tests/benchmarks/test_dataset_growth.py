"""What is kept of a data set's sizes, and the drawing of them."""

import pytest

pytest.importorskip("bench", reason="the benchmarks are not here")

from bench import dataset_growth as growth

FOUND = {"wall": 5.0, "cpu": 9.0, "made": 0.5, "others": 0.1, "memory": 2**30, "disk": 2**29}


def size(rows: int, cpu: float) -> dict[str, float]:
    return growth.of(rows, FOUND | {"cpu": cpu, "bytes": 1, "audit": "not kept"})


def test_a_size_measured_later_joins_those_that_were_kept(tmp_path):
    file = tmp_path / "kept.json"
    growth.write(file, {10**8: size(10**8, 90.0)})
    growth.write(file, growth.read(file) | {10**7: size(10**7, 9.0)})
    assert list(growth.read(file)) == [10**7, 10**8]
    assert "audit" not in growth.read(file)[10**7]


def test_nothing_is_kept_where_there_is_no_file(tmp_path):
    assert growth.read(None) == {}
    assert growth.read(tmp_path / "none.json") == {}


def test_the_power_is_that_of_the_two_largest_sizes():
    linear = [size(10**6, 5.0), size(10**8, 90.0), size(10**7, 9.0)]
    assert growth.power(linear) == pytest.approx(1.0)
    assert growth.power([*linear, size(10**9, 9000.0)]) == pytest.approx(2.0)


def test_a_line_tells_seconds_a_million_and_rows_a_second():
    assert growth.line(size(10**7, 9.0)).split() == [
        "10,000,000",
        "0.900",
        "2,000,000",
        "1.00",
        "0.50",
    ]


def test_every_kept_size_is_drawn(tmp_path):
    pytest.importorskip("matplotlib")
    growth.draw({rows: size(rows, rows / 1e6) for rows in (10**6, 10**7)}, tmp_path / "a" / "g.svg")
    assert "linear" in (tmp_path / "a" / "g.svg").read_text()
