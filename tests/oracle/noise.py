"""Noise: the keystream, the exact sampler, what an adversary makes of a release."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction

import numpy as np

WORD = 2**32
GROUP = 16


def chacha_block(key, stream, counter):
    """The sixteen words of a block of ChaCha20; key is eight words, stream a 64-bit number."""

    def quarter_round(x, a, b, c, d):
        for target, other, mixed, by in ((a, b, d, 16), (c, d, b, 12), (a, b, d, 8), (c, d, b, 7)):
            x[target] = (x[target] + x[other]) % WORD
            word = x[mixed] ^ x[target]
            x[mixed] = (word << by | word >> (32 - by)) % WORD

    letters = b"expand 32-byte k"
    constants = [int.from_bytes(letters[i : i + 4], "little") for i in range(0, 16, 4)]
    start = [*constants, *map(int, key), counter, 0, stream % WORD, stream // WORD]
    x = list(start)
    for _ in range(10):
        for column in range(4):
            quarter_round(x, *(column + 4 * row for row in range(4)))
        for column in range(4):
            quarter_round(x, *((column + row) % 4 + 4 * row for row in range(4)))
    return [(a + b) % WORD for a, b in zip(x, start, strict=True)]


def keystream(key, stream):
    """The words of a stream: word w of sixteen blocks, then word w + 1 of them."""
    for group in itertools.count():
        blocks = [chacha_block(key, stream, GROUP * group + b) for b in range(GROUP)]
        for word in range(16):
            for block in blocks:
                yield block[word]


def below(words, bound):
    """A whole number below `bound`: the high word of a product, the first words too many."""
    while True:
        product = next(words) * bound
        if product % WORD >= WORD % bound:
            return product // WORD


def coin(words, probability, parts):
    """True with probability / parts: a uniform number, word by word, against an exact fraction."""
    low, unit = Fraction(0), Fraction(1)
    for _ in range(2):
        unit /= WORD
        low += next(words) * unit
        if parts * (low + unit) <= probability:
            return True
        if parts * low >= probability and _decided(low, unit, parts, probability):
            return False
    return below(words, parts) < (probability - parts * low) / unit


def _decided(low, unit, parts, probability):
    # The first word is compared with the first word of the probability alone.
    return unit < Fraction(1, WORD) or parts * low > math.floor(probability * WORD) * unit


def exponential_coin(words, whole, fraction):
    """True with probability exp(-whole - fraction)."""
    parts = 1
    while coin(words, fraction, parts):
        parts += 1
    if parts % 2 == 0:
        return False
    for _ in range(whole):
        parts = 2
        while below(words, parts) == 0:
            parts += 1
        if parts % 2 == 0:
            return False
    return True


def discrete_laplace(words, rate):
    """A whole number j with probability in proportion to exp(-rate |j|)."""
    whole, fraction = math.floor(rate), rate - math.floor(rate)
    bits = 0
    limit = Fraction(0xB504F333F9DE6484 // 2, 2**64)
    while whole == 0 and fraction * 2**bits <= limit:
        bits += 1
    while True:
        word = next(words)
        low = word % 2**bits
        if bits and not exponential_coin(words, 0, low * fraction):
            continue
        high = 0
        while exponential_coin(words, whole, fraction * 2**bits):
            high += 1
        size = high * 2**bits + low
        if word < 2**31:
            return size
        if size:
            return -size


def scattered(words, code, codes, reach, near):
    """A code near (with probability `near`) or far, counted from -reach."""
    if coin(words, near, 1):
        return code + below(words, 2 * reach + 1)
    far = [c for c in range(codes + 2 * reach) if not code <= c <= code + 2 * reach]
    return far[below(words, codes - 1)]


def shuffled(words, rows):
    """Each row in turn changes places with one of itself and those behind it."""
    order = list(range(rows))
    for row in range(rows - 1):
        other = row + below(words, rows - row)
        order[row], order[other] = order[other], order[row]
    return order


def geometric_chances(rate, sizes):
    """P(|K| = j) of two-sided geometric noise for whole j."""
    a = math.exp(-rate)
    return [(1 - a) / (1 + a) * a**j * (2 if j else 1) for j in sizes]


def linkage(chances):
    """The largest posterior that a record has a given output, over all permutations.

    `chances[r, l]` is the probability of output r under record l.
    """
    n = len(chances)
    permutations = np.array(list(itertools.permutations(range(n))))
    weights = chances[permutations, np.arange(n)].prod(axis=1)
    total = weights.sum()
    return max(
        weights[permutations[:, record] == output].sum() / total
        for record in range(n)
        for output in range(n)
    )


def excluded_by_trailing_bits(released, candidates):
    """Which candidates (columns) the last bits of released values (rows) rule out.

    The value is a whole number and the noise z a double. Where |z| > |y| the sum y = x + z is
    exact, so y is a multiple of the last bit of z, or of half of it where the difference was
    rounded up to a power of two.
    """
    y = released[:, None]
    z = np.maximum(np.abs(y - candidates[None, :]), 1.0)
    multiple = y / (np.spacing(z) / 2)
    return (z > np.abs(y)) & (z > 1) & (multiple != np.rint(multiple))
