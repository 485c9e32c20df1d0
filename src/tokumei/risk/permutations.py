"""The exact posterior of every link in a small table: sums over all permutations, by subsets.

The weight of a permutation is the product of its likelihoods. Records are placed one after the
other; what those before one may have taken is a set of released records, and what those after it
take is the rest. So sums over n! permutations are sums over 2^n sets (Ryser's count, but without
his cancelling signs). Cost: n 2^n steps for all links together.
"""

from __future__ import annotations

import numpy as np

from tokumei._check import Floats, Labels

MOST_RECORDS = 16


def by_subsets(logs: Floats, counts: Labels) -> Floats:
    """P(a record of this kind (rows) was released as this (columns)).

    `logs` are log-likelihoods of kinds and released records; `counts` says how many records are of
    each kind.
    """
    member = np.repeat(np.arange(len(counts)), counts)
    # Neither changes a posterior, and both keep the products near 1.
    even = logs - logs.max(axis=1, keepdims=True)
    even = even - even.max(axis=0)
    weights = np.exp(even)[member]
    n = len(member)
    sets = np.arange(2**n)
    sizes = sum((sets >> j) & 1 for j in range(n))
    of_size = [np.flatnonzero(sizes == size) for size in range(n + 1)]
    before, after = np.zeros(2**n), np.zeros(2**n)
    before[0] = after[-1] = 1.0
    for size in range(1, n + 1):
        taken, open_ = of_size[size], of_size[n - size]
        for j in range(n):
            having = taken[(taken >> j) & 1 == 1]
            before[having] += weights[size - 1, j] * before[having ^ (1 << j)]
            lacking = open_[(open_ >> j) & 1 == 0]
            after[lacking] += weights[n - size, j] * after[lacking | (1 << j)]
    posterior = np.zeros((len(counts), n))
    for record, kind in enumerate(member):
        for j in range(n):
            free = of_size[record][(of_size[record] >> j) & 1 == 0]
            held = (before[free] * after[free | (1 << j)]).sum()
            posterior[kind, j] = weights[record, j] * held / before[-1]
    return posterior
