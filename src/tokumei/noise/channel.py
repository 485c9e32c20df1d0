"""What every channel can do: the small interface that reconstructions are written against."""

from __future__ import annotations

from fractions import Fraction
from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import ArrayLike

from tokumei import _check
from tokumei.noise import generator
from tokumei.noise.generator import Key


@runtime_checkable
class Channel(Protocol):
    """A perturbation of one attribute whose probabilities are known.

    `cells` are the edges of input cells, m + 1 increasing numbers; a cell has its lower edge, not
    its upper one.
    """

    @property
    def mechanism(self) -> str:
        """Its name: "laplace", "randomized-response" or "square-wave"."""

    @property
    def lower(self) -> float:
        """The public lower bound of the values that go in."""

    @property
    def upper(self) -> float:
        """The public upper bound."""

    @property
    def integer(self) -> bool:
        """Whether whole numbers go in."""

    @property
    def lattice(self) -> float:
        """The step of the lattice of released values."""

    @property
    def epsilon(self) -> float:
        """The largest log ratio of an output's probabilities under two inputs, rounded up."""

    @property
    def exact_epsilon(self) -> Fraction:
        """The same as a fraction, not below the true one and above it by less than 1e-48."""

    def perturb(
        self,
        x: ArrayLike,
        *,
        clip: bool = False,
        n_threads: int | None = None,
        callback: _check.Callback | None = None,
        insecure_seed_for_tests: int | None = None,
    ) -> _check.Floats:
        """Released values, one for each value of x and in its order."""

    def outputs(self, cells: ArrayLike) -> _check.Floats:
        """The edges of output cells that suit a reconstruction on these input cells."""

    def transition(self, cells: ArrayLike) -> _check.Floats:
        """P(output cell | input cell), outputs in rows; each column sums to 1."""

    def log_density(self, y: ArrayLike, x: ArrayLike) -> _check.Floats:
        """The log probability density of each y (rows) given each x (columns)."""


class OwnChannel(Channel, Protocol):
    """A channel of this library's, which draws for checked values, too."""

    def perturb_of(self, values: _check.Floats, key: Key, run: _check.Run) -> _check.Floats:
        """`perturb` of checked values."""


class Perturbing:
    """How the channels of this library perturb: values are checked, and drawn for with a key."""

    lower: float
    upper: float
    integer: bool

    def perturb_of(self, values: _check.Floats, key: Key, run: _check.Run) -> _check.Floats:
        """`perturb` of checked values."""
        raise NotImplementedError

    def perturb(
        self,
        x: ArrayLike,
        *,
        clip: bool = False,
        n_threads: int | None = None,
        callback: _check.Callback | None = None,
        insecure_seed_for_tests: int | None = None,
    ) -> _check.Floats:
        """Released values, on the lattice, in the order of x: shuffle before releasing them.

        Parameters
        ----------
        x : array_like of shape (n,)
            Finite values within the bounds.
        clip : bool
            Move values outside the bounds to the nearest bound; else they are refused.
        n_threads : int, optional
            Number of threads; all that the process may use by default.
        callback : callable, optional
            Called now and then with the share of the work done.
        insecure_seed_for_tests : int, optional
            Draw from a seed, for tests: the result is not private, and a warning says so.
        """
        values = _check.within(x, self.lower, self.upper, integer=self.integer, clip=clip)
        run = _check.run(n_threads, callback)
        return self.perturb_of(values, generator.key(insecure_seed_for_tests), run)


def whole_numbers(edges: _check.Floats) -> tuple[_check.Floats, _check.Floats]:
    """The first and the last whole number in each cell [a, b)."""
    ceilings = np.ceil(edges)
    first, last = ceilings[:-1], ceilings[1:] - 1
    empty = int((last < first).sum())
    if empty:
        msg = f"each cell must hold a whole number; {empty} of {len(first)} hold none"
        raise ValueError(msg)
    return first, last
