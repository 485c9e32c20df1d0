"""How well an adversary who knows the originals links released records to them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from tokumei import _check
from tokumei._check import Floats, Labels
from tokumei.noise import linkage_k
from tokumei.noise.channel import Channel
from tokumei.risk.permutations import MOST_RECORDS, by_subsets
from tokumei.risk.scaling import KEPT, by_scaling
from tokumei.risk.two_values import MOST_OF_TWO, by_two_values

ADVERSARIES = ("everyone", "joint", "independent")
METHODS = ("auto", "exact", "scaling")
# Numbers of the matrix of different originals x released records.
MOST_NUMBERS = 2**27


@dataclass(frozen=True)
class NoiseAttack:
    """What linkage comes to in one release, beside what was promised.

    Attributes
    ----------
    largest : float
        The largest posterior probability that any released record is that of any original.
    mean : float
        The mean over originals of the largest posterior of each: the share of links that is
        expected to be right where each original is linked to its likeliest released record.
    links : float
        Links expected to be right: `mean` times the records.
    correct : int or None
        Links that are right, where it was said which are.
    promised : float
        What no release of these channels exceeds: 1/k.
    adversary, method : str
        Who attacks, and how the posterior was found: "subsets" and "two values" are exact.
    error : float
        0 for exact methods. For "scaling" how far it was from samples of the permutation, among
        the likeliest links, plus two standard errors of these.
    records : int
        How many were released.
    """

    largest: float
    mean: float
    links: float
    correct: int | None
    promised: float
    adversary: str
    method: str
    error: float
    records: int

    def to_dict(self) -> dict[str, Any]:
        """The figures; they belong in private records: they depend on the originals."""
        return asdict(self)


def noise_attack(
    original: ArrayLike,
    released: ArrayLike,
    channels: Sequence[Channel],
    *,
    adversary: str = "everyone",
    method: str = "auto",
    order: ArrayLike | None = None,
    random_state: int | np.random.Generator | None = None,
) -> NoiseAttack:
    """Link released records to the originals as well as it can be done.

    The bound on linkage holds for the worst table and the worst draw of the noise. This says what
    it came to for one table and one draw, for whoever holds both.

    Parameters
    ----------
    original : array_like of shape (n, d) or (n,)
        The original records, within the bounds of the channels.
    released : array_like of shape (n, d) or (n,)
        The released records, in any order.
    channels : sequence of Channel
        The channel of each attribute.
    adversary : {"everyone", "joint", "independent"}
        Who attacks: one who knows all originals, as the bound allows; one who knows one original
        and the joint distribution of all; one who knows it and the distribution of each attribute
        by itself.
    method : {"auto", "exact", "scaling"}
        For the adversary who knows everyone: exact for up to 16 records and for two different
        originals in up to 40,000 records; otherwise the matrix of likelihoods is scaled to sums of
        1 (Sinkhorn), and the error is measured on samples of the permutation.
    order : array_like of shape (n,), optional
        For each original the row of its released record, where that is known: right links are then
        counted, too.
    random_state : int or numpy.random.Generator, optional
        For the samples; None is a fixed seed.

    Returns
    -------
    NoiseAttack
        The largest and the mean posterior, links, and what was promised.

    Notes
    -----
    Memory is that of different originals times released records, at most 2^27 numbers.

    Examples
    --------
    >>> import tokumei as tk
    >>> channel = tk.noise.laplace(tk.noise.pk_scale(0, 9, n=8, k=2), lower=0, upper=9)
    >>> ages = [0, 1, 2, 3, 5, 7, 8, 9]
    >>> found = tk.risk.noise_attack(ages, channel.perturb(ages), [channel])
    >>> found.method, found.largest <= found.promised
    ('subsets', True)
    """
    truth, noisy = _columns(original, "original"), _columns(released, "released")
    channels = tuple(channels)
    if truth.shape != noisy.shape:
        msg = f"original and released must have one shape, got {truth.shape} and {noisy.shape}"
        raise ValueError(msg)
    if len(channels) != truth.shape[1]:
        msg = (
            f"channels must hold one for each of the {truth.shape[1]} columns, got {len(channels)}"
        )
        raise ValueError(msg)
    for column, channel in zip(truth.T, channels, strict=True):
        _check.instance(channel, Channel, "channels")
        _check.within(
            column,
            channel.lower,
            channel.upper,
            integer=channel.integer,
            clip=False,
            name="original",
        )
    _check.one_of(adversary, ADVERSARIES, "adversary")
    _check.one_of(method, METHODS, "method")
    places = None if order is None else _check.permutation(order, len(truth), "order")
    chance = np.random.default_rng(0) if random_state is None else _check.generator(random_state)
    kinds = len(np.unique(truth, axis=0))
    if kinds * len(noisy) > MOST_NUMBERS:
        msg = (
            f"{kinds} different originals and {len(noisy)} records are too many; "
            "attack a sample of columns or rounded originals"
        )
        raise ValueError(msg)
    return linkage(truth, noisy, channels, adversary, method, places, chance, KEPT)


def linkage(
    truth: Floats,
    noisy: Floats,
    channels: tuple[Channel, ...],
    adversary: str,
    method: str,
    places: Labels | None,
    chance: np.random.Generator,
    sweeps: int,
) -> NoiseAttack:
    """`noise_attack` of checked tables; the more sweeps, the better the error is known."""
    kinds, member, counts = np.unique(truth, axis=0, return_inverse=True, return_counts=True)
    logs = _log_likelihoods(kinds, noisy, channels)
    if not np.isfinite(logs.max(axis=0)).all():
        msg = "released holds values that the channels never release for these originals"
        raise ValueError(msg)
    if adversary == "everyone":
        posterior, how, error = _of_everyone(logs, counts, method, chance, sweeps)
    else:
        expected = _expected(kinds, counts, noisy, channels, logs, adversary == "joint")
        posterior, how, error = _shares(logs - expected), "one original", 0.0
    best = posterior.max(axis=1)
    mean = float((best * counts).sum() / len(truth))
    return NoiseAttack(
        largest=float(best.max()),
        mean=mean,
        links=mean * len(truth),
        correct=None if places is None else _right(posterior, member.reshape(-1), places),
        promised=1.0 / linkage_k(channels, len(truth)),
        adversary=adversary,
        method=how,
        error=error,
        records=len(truth),
    )


def _columns(values: ArrayLike, name: str) -> Floats:
    array = np.asarray(values)
    return _check.table(array[:, None] if array.ndim == 1 else array, name, largest=None)


def _log_likelihoods(kinds: Floats, released: Floats, channels: Sequence[Channel]) -> Floats:
    """Log density of each released record (columns) given each kind of original (rows)."""
    total = np.zeros((len(kinds), len(released)))
    for x, y, channel in zip(kinds.T, released.T, channels, strict=True):
        total += _of_attribute(x, y, channel)
    return total


def _of_attribute(x: Floats, y: Floats, channel: Channel) -> Floats:
    values, place = np.unique(x, return_inverse=True)
    seen, at = np.unique(y, return_inverse=True)
    return np.asarray(channel.log_density(seen, values).T[place][:, at])


def _of_everyone(
    logs: Floats, counts: Labels, method: str, chance: np.random.Generator, sweeps: int
) -> tuple[Floats, str, float]:
    """Posterior of a record of each kind (rows), how it was found and how far it may be off."""
    records = logs.shape[1]
    if method != "scaling":
        if len(counts) == 1:
            return np.full(logs.shape, 1.0 / records), "two values", 0.0
        if records <= MOST_RECORDS:
            return by_subsets(logs, counts), "subsets", 0.0
        if len(counts) == 2 and records <= MOST_OF_TWO:
            return by_two_values(logs, counts), "two values", 0.0
    if method == "exact":
        msg = (
            f"method='exact' needs at most {MOST_RECORDS} records, or two different originals in "
            f"at most {MOST_OF_TWO}; got {len(counts)} in {records}"
        )
        raise ValueError(msg)
    posterior, error = by_scaling(logs, counts, chance, sweeps)
    return posterior, "scaling", error


def _expected(
    kinds: Floats,
    counts: Labels,
    released: Floats,
    channels: Sequence[Channel],
    logs: Floats,
    together: bool,
) -> Floats:
    """Log density of each released record if its original is not known."""
    if together:
        return _log_mean(logs, counts)
    total = np.zeros(len(released))
    for x, y, channel in zip(kinds.T, released.T, channels, strict=True):
        total += _log_mean(_of_attribute(x, y, channel), counts)
    return total


def _log_mean(logs: Floats, counts: Labels) -> Floats:
    top = logs.max(axis=0)
    parts = (np.exp(logs - top) * counts[:, None]).sum(axis=0)
    return np.asarray(top + np.log(parts / counts.sum()))


def _shares(logs: Floats) -> Floats:
    parts = np.exp(logs - logs.max(axis=1, keepdims=True))
    return np.asarray(parts / parts.sum(axis=1, keepdims=True))


def _right(posterior: Floats, member: Labels, places: Labels) -> int:
    """Links to the likeliest released record that are right; the first of equals is taken."""
    return int((posterior.argmax(axis=1)[member] == places).sum())
