"""How much noise a bound on linkage asks for, and which bound given noise reaches.

The guarantee (Pk-anonymity): of n records, each perturbed by itself and released in an order that
says nothing, no one who knows all the originals links a released record to its original with
probability above 1/k. It holds where for each record, whatever its true values u and u',

    p(released | u) <= exp(B / 2) p(released | u'),      B = ln((n - 1) / (k - 1)).

Attributes are perturbed independently, so their epsilons add up to at most B / 2.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

import numpy as np
from numpy.typing import ArrayLike

from tokumei import _check
from tokumei.noise import tail_bound
from tokumei.noise.channel import Channel
from tokumei.noise.rounding import down, exp_bounds, log_bounds, up


def budget(n: int, k: int) -> float:
    """The budget B = ln((n - 1) / (k - 1)) of a release of n records with linkage bound 1/k.

    Parameters
    ----------
    n : int
        Number of released records.
    k : int
        The bound: at least 2 and below n.

    Returns
    -------
    float
        B, rounded down. Half of it is the epsilon that one record may spend.

    Examples
    --------
    >>> import tokumei as tk
    >>> round(tk.noise.budget(32561, 2), 4)
    10.3908
    """
    return down(_budget(n, k))


def shares(n: int, k: int, weights: ArrayLike) -> _check.Floats:
    """The epsilon of each attribute: B / 2 split in proportion to weights.

    Parameters
    ----------
    n, k : int
        As for `budget`.
    weights : array_like
        A positive weight for each attribute.

    Returns
    -------
    ndarray
        The epsilons, rounded down: they never add up to more than B / 2.

    Examples
    --------
    >>> import tokumei as tk
    >>> tk.noise.shares(1001, 11, [3, 1])
    array([1.72693882, 0.57564627])
    """
    half = _budget(n, k) / 2
    count = np.size(np.asarray(weights))
    if count == 0:
        msg = "weights must hold at least one weight"
        raise ValueError(msg)
    exact = [Fraction(float(w)) for w in _check.positive(weights, count, "weights")]
    total = sum(exact)
    return np.array([down(half * weight / total) for weight in exact])


def pk_scale(
    lower: float,
    upper: float,
    n: int,
    k: int,
    *,
    attributes: int = 1,
    delta: float | None = None,
    steps: int | None = None,
) -> float:
    """The scale of Laplace noise that bounds linkage by 1/k.

    ``2 W attributes / ln((n - 1) / (k - 1))``, with W the width of the bounds. With `delta` a
    smaller one and a second guarantee: whatever the table, with probability 1 - delta over the
    noise of one release no record is linked with probability above 1/k.

    Parameters
    ----------
    lower, upper : float
        Public bounds of the attribute: known without looking at the data. Bounds that are taken
        from the data give away the records that they are taken from.
    n, k : int
        As for `budget`.
    attributes : int
        Number of attributes that share the budget equally.
    delta : float, optional
        The probability, over the noise of all records and attributes, that the bound fails for any
        record: proven for every table. The scale falls by 5 to 18 %.
    steps : int, optional
        Where `delta` is given and any of the attributes has whole numbers: the fewest steps between
        the bounds of such an attribute, upper - lower.

    Returns
    -------
    float
        The scale, rounded up.

    Notes
    -----
    With `delta` all attributes need the scale of their own width, and the epsilons of the channels
    add up to more than B / 2: `linkage_k` states the bound that holds for every draw.

    Examples
    --------
    >>> import tokumei as tk
    >>> round(tk.noise.pk_scale(17, 90, n=32561, k=2), 4)
    14.0508
    >>> round(tk.noise.pk_scale(17, 90, n=32561, k=2, delta=1e-6, steps=73), 4)
    12.8623
    """
    lower, upper = _check.bounds(lower, upper)
    attributes = _check.at_least(attributes, 1, "attributes")
    width = Fraction(upper) - Fraction(lower)
    always = _budget(n, k) / 2
    if delta is None:
        if steps is not None:
            msg = "steps is an option of delta"
            raise ValueError(msg)
        return up(width * attributes / always)
    failing = _check.inside(delta, 0.0, 1.0, "delta")
    if steps is not None:
        steps = _check.at_least(steps, 1, "steps")
    n, k = _check.population(n, k)
    spread = tail_bound.widest(n, k, attributes, steps, failing, down(always))
    return up(width * attributes / max(always, Fraction(spread)))


def scale_of(lower: float, upper: float, epsilon: float) -> float:
    """The scale of Laplace noise of that epsilon, rounded up."""
    return up((Fraction(upper) - Fraction(lower)) / Fraction(epsilon))


def matrix_share(matrix: ArrayLike) -> float:
    """The share of the budget B that a transition matrix takes.

    ``max ln( A[r, u] A[s, v] / (A[s, u] A[r, v]) )`` over outputs r, s and inputs u, v: how much
    the exchange of two records' outputs can change their joint probability. It is at most twice
    the epsilon of the matrix.

    Parameters
    ----------
    matrix : array_like of shape (outputs, inputs)
        Probabilities; each column sums to 1.

    Returns
    -------
    float
        The share, rounded up by 1e-12 of itself; infinite where the matrix has a probability of 0
        beside one that is not.

    Examples
    --------
    >>> import tokumei as tk
    >>> round(tk.noise.matrix_share([[0.8, 0.1, 0.1], [0.1, 0.8, 0.1], [0.1, 0.1, 0.8]]), 4)
    4.1589
    """
    a = _check.transitions(matrix)
    a = a[a.any(axis=1)]
    if (a == 0.0).any():
        return float("inf")
    log = np.log(a)
    # one_way[u, v]: the largest log ratio of an output's probabilities under u and under v.
    one_way = np.array([(log[:, [u]] - log).max(axis=0) for u in range(a.shape[1])])
    return float((one_way + one_way.T).max()) * (1.0 + 1e-12)


def linkage_k(channels: Iterable[Channel | float], n: int) -> float:
    """The k that channels reach together on n records: linkage succeeds with at most 1/k.

    Parameters
    ----------
    channels : iterable
        The channels of all released attributes, or their epsilons.
    n : int
        Number of released records.

    Returns
    -------
    float
        ``1 + (n - 1) exp(-2 epsilon)`` for the sum of the epsilons, rounded down.

    Examples
    --------
    >>> import tokumei as tk
    >>> channel = tk.noise.laplace(tk.noise.pk_scale(17, 90, 32561, 2), lower=17, upper=90)
    >>> tk.noise.linkage_k([channel], 32561) >= 2
    True
    """
    n = _check.at_least(n, 1, "n")
    spent = sum((_epsilon(channel) for channel in channels), Fraction(0))
    if spent == 0:
        return float(n)
    if spent > 500:
        return 1.0
    return down(1 + (n - 1) / exp_bounds(2 * spent)[1])


def _epsilon(channel: Channel | float) -> Fraction:
    if isinstance(channel, Channel):
        return channel.exact_epsilon
    epsilon = _check.number(channel, "epsilon")
    if epsilon < 0:
        msg = f"epsilon must not be negative, got {epsilon:g}"
        raise ValueError(msg)
    return Fraction(epsilon)


def _budget(n: int, k: int) -> Fraction:
    """B, from below."""
    n, k = _check.population(n, k)
    return log_bounds(Fraction(n - 1, k - 1))[0]
