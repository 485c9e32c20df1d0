"""Small tables that are the same on every machine: whole numbers mixed, summed, divided by powers
of two. No float is rounded on the way, and no library's generator is asked.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from tokumei.release.sections import ACCEPTABLE

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


def words64(seed: int, count: int) -> NDArray[np.uint64]:
    """The first words of the generator SplitMix64."""
    step, first, second = 0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB
    state = np.arange(seed << 32, (seed << 32) + count, dtype=np.uint64) * np.uint64(step)
    state = (state ^ (state >> np.uint64(30))) * np.uint64(first)
    state = (state ^ (state >> np.uint64(27))) * np.uint64(second)
    return state ^ (state >> np.uint64(31))


def whole(seed: int, shape: int | tuple[int, ...], below: int) -> Integers:
    """Whole numbers from 0 to below a bound."""
    drawn = words64(seed, int(np.prod(shape))) >> np.uint64(20)
    return (drawn % np.uint64(below)).astype(np.int64).reshape(shape)


def bell(seed: int, shape: int | tuple[int, ...], digits: int = 10) -> Floats:
    """Nearly normal numbers: twelve uniform ones summed, less 6; so many binary digits each."""
    size = (12, *((shape,) if isinstance(shape, int) else shape))
    return np.ldexp((whole(seed, size, 1 << digits).sum(axis=0) - (6 << digits)), -digits)


def kept(values: Floats | Integers) -> Floats:
    """Floats that complain where a function writes to them."""
    table = np.array(values, dtype=np.float64)
    table.flags.writeable = False
    return table


def skewed(seed: int, shape: int | tuple[int, ...]) -> Floats:
    """Cubes of whole numbers: many small, few large."""
    return np.ldexp(whole(seed, shape, 512) ** 3, -20)


def columns(*parts: Floats | Integers) -> Floats:
    return kept(np.column_stack(parts))


# One attribute.
ties1 = kept(whole(1, (300, 1), 40))
skew1 = kept(skewed(2, (1200, 1)))
far1 = kept(bell(3, (500, 1)) + 1e9)
# Two, for methods that look at space.
ties2 = kept(whole(4, (400, 2), 7))
bell2 = kept(bell(5, (900, 2)))
far2 = kept(bell(6, (300, 2)) + 1e9)
clusters2 = kept(bell(7, (800, 2)) + 16 * whole(8, (800, 1), 5) * np.array([[1, -1]]))
few2 = kept(bell(9, (40, 2)))
large2 = kept(bell(10, (9000, 2)))
# Many: bell-shaped, with rows three times each, of all kinds, sparse.
bell8 = kept(bell(11, (1000, 8)))
twins8 = kept(whole(12, (150, 8), 4)[whole(13, 450, 150)])
mixed8 = columns(
    bell(14, (600, 2)),
    whole(15, (600, 2), 2),
    skewed(16, (600, 2)),
    np.full(600, 5),
    whole(17, 600, 9) + 1e9,
)
bell13 = kept(bell(18, (500, 13)))
large8 = kept(bell(19, (3000, 8)))
half8 = kept(bell8[:250])

# Beside the 900 rows of bell2.
weights = kept(1 + whole(20, 900, 9))
strata = np.array(["north", "east", "south"])[whole(21, 900, 3)]
illness = np.array(["flu", "cold", "gout", "mumps", "none"])[whole(22, 900, 5) * whole(23, 900, 2)]
income = whole(24, 900, 12)
households = whole(25, 900, 400)
pairs2 = np.arange(900) // 4

# Columns of 500 records.
JOBS = ["baker", "butcher", "miller", "tailor", "weaver", "cooper", "smith"]
job = np.array(JOBS)[np.minimum(whole(31, 500, 7), whole(32, 500, 7))]
masked_job = np.where(whole(33, 500, 4) == 0, job[::-1], job)
SIZES = ["tiny", "small", "medium", "large", "huge"]
size = np.array(SIZES)[whole(34, 500, 5)]
masked_size = np.array(SIZES)[whole(34, 500, 5) // 2 * 2]
sex = np.array(["f", "m"])[whole(35, 500, 2)]
age = kept(17 + whole(36, 500, 60))
holes = np.where(whole(43, 500, 9) < 2, np.nan, age)
masked_age = kept(age // 8 * 8)
amount = kept(skewed(37, 500))
masked_amount = kept(amount + bell(38, 500))
trio = columns(age, amount, bell(39, 500))
masked_trio = columns(masked_age, masked_amount, bell(39, 500))
fives = whole(40, 500, 60)
trades = {"baker": "food", "butcher": "food", "miller": "food", "tailor": "cloth"}
trades |= {"weaver": "cloth", "cooper": "craft", "smith": "craft"}
trades |= {"food": "work", "cloth": "work", "craft": "work"}
letters = np.array(list("abcde"))[whole(41, (120, 12), 5)]
ends = 4 + whole(42, 120, 9)
texts = ["".join(row[:length]) for row, length in zip(letters, ends, strict=True)]
masked_texts = [text[:3] + "a" * (len(text) - 3) for text in texts]
codes12 = ["".join(row) for row in letters]
masked_codes12 = [code[:6] + "cccccc" for code in codes12]
people = {"job": job, "size": size, "sex": sex}
masked_people = {"job": masked_job, "size": masked_size, "sex": sex}
places = list(enumerate(JOBS))
roads = {(a, b): 1 + (3 * i + 5 * j) % 7 for i, a in places for j, b in places if j < i}
streets = dict.fromkeys(pairwise(JOBS), 1.5) | {("baker", "smith"): 2.0}

# Released values, without asking a channel: a lattice's whole numbers, and cells.
noisy = kept(bell(51, 600) * 2 + 8 * whole(52, 600, 2) + bell(53, 600) * whole(54, 600, 3))
noisy_whole = kept(np.rint(20 + 5 * bell(55, 600) + 6 * bell(56, 600)))
answers = kept(np.minimum(whole(57, 600, 6), whole(58, 600, 6)))
noisy2 = columns(noisy, noisy * 0.5 + bell(59, 600))
answers2 = columns(answers, np.maximum(answers - whole(60, 600, 2), 0))


# Why invented tables may be released.
ACCEPTED = dict.fromkeys(ACCEPTABLE, "invented people, for a test")


def frame(**named: Any) -> Any:
    """An Arrow table; what is not a number is missing."""
    return pa.table({name: pa.array(values, from_pandas=True) for name, values in named.items()})


def rows(table: Any) -> list[tuple[Any, ...]]:
    """The rows of an Arrow table that was shuffled, in an order of their own."""
    return sorted(zip(*table.to_pydict().values(), strict=True))
