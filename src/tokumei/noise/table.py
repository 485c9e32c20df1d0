"""Several attributes under one budget, and the rows of the result in an order that says nothing."""

from __future__ import annotations

from collections.abc import Sequence

from numpy.typing import ArrayLike

from tokumei import _check
from tokumei.noise.attribute import Attribute
from tokumei.noise.budget import shares
from tokumei.noise.channel import OwnChannel
from tokumei.noise.coding import coded
from tokumei.noise.perturbed import Perturbed
from tokumei.noise.releasing import released

DATA_BOUNDS = (
    "the bounds of {} were taken from the data, which gives away the records at the bounds: "
    "linkage is not bounded"
)


def plan(
    attributes: Sequence[Attribute], n: int, k: int, *, names: Sequence[str] | None = None
) -> list[list[OwnChannel]]:
    """The channels that bound the linkage of n records by 1/k together.

    Parameters
    ----------
    attributes : sequence of Attribute
        All attributes that are to be released.
    n, k : int
        Number of records, and the bound.
    names : sequence of str, optional
        What messages call the attributes; their numbers by default.

    Returns
    -------
    list
        For each attribute the channel of its values and, where it has one, that of missingness.

    Examples
    --------
    >>> import tokumei as tk
    >>> age = tk.noise.Attribute(17, 90, integer=True)
    >>> sex = tk.noise.Attribute(categories=["Female", "Male"])
    >>> (ages,), (sexes,) = tk.noise.plan([age, sex], n=32561, k=2)
    >>> round(ages.epsilon, 3), round(sexes.epsilon, 3)
    (2.598, 2.598)
    """
    if not attributes:
        msg = "name at least one attribute to perturb"
        raise ValueError(msg)
    weights = [weight for attribute in attributes for weight in attribute.weights]
    epsilons = iter(shares(n, k, weights).tolist())
    made = []
    for attribute, name in zip(attributes, names or range(len(attributes)), strict=True):
        try:
            made.append(attribute.channels([next(epsilons) for _ in attribute.weights]))
        except (TypeError, ValueError) as error:
            msg = f"column {name!r}: {error}"
            raise type(error)(msg) from None
    return made


def perturb(
    columns: Sequence[ArrayLike],
    attributes: Sequence[Attribute],
    k: int = 5,
    *,
    names: Sequence[str] | None = None,
    clip: bool = False,
    bounds: str = "public",
    keep_order: bool = False,
    n_threads: int | None = None,
    callback: _check.Callback | None = None,
    insecure_seed_for_tests: int | None = None,
) -> Perturbed:
    """Perturb the attributes of a table under one budget, and shuffle its rows.

    The result may be released as a whole: linking a released row to its record then succeeds with
    probability 1/k at most, whatever else is known. It holds once: two releases of the same
    records spend two budgets. No other column of these records may be released beside it.

    Parameters
    ----------
    columns : sequence of array_like
        The values of each attribute, one for each record; NaN (or None) is missing.
    attributes : sequence of Attribute
        What is publicly known of each, and how it is perturbed.
    k : int
        The bound: at least 2 and below the number of records.
    names : sequence of str, optional
        What messages and warnings call the columns; their numbers by default.
    clip : bool
        Move values outside the bounds to the nearest bound; else they are refused.
    bounds : {"public", "data"}
        "data" takes the bounds that an attribute lacks from its values. Linkage is then not
        bounded, and the result's `warnings` say so.
    keep_order : bool
        Leave the rows in order. Linkage is then not bounded, and the result's `warnings` say so.
    n_threads : int, optional
        Number of threads; all that the process may use by default.
    callback : callable, optional
        Called now and then with the share of the work on one column that is done.
    insecure_seed_for_tests : int, optional
        Draw from a seed, for tests: the result is "not private".

    Returns
    -------
    Perturbed
        The columns, the channels they went through, and the k that is reached.

    Examples
    --------
    >>> import tokumei as tk
    >>> age = tk.noise.Attribute(17, 90, integer=True)
    >>> released = tk.noise.perturb([[17, 30, 41, 90]], [age], k=2)
    >>> released.rows, released.k >= 2, released.status
    (4, True, 'private')
    """
    options = locals()
    run = _check.run(options.pop("n_threads"), options.pop("callback"))
    return perturb_of(**options, run=run)


def perturb_of(
    columns: Sequence[ArrayLike],
    attributes: Sequence[Attribute],
    k: int,
    *,
    names: Sequence[str] | None,
    clip: bool,
    bounds: str,
    keep_order: bool,
    insecure_seed_for_tests: int | None,
    run: _check.Run,
) -> Perturbed:
    """`perturb` in a run that has begun."""
    _check.one_of(bounds, ("public", "data"), "bounds")
    _check.flag(keep_order, "keep_order")
    if len(columns) != len(attributes) or not attributes:
        msg = f"columns and attributes must be as many: {len(columns)} and {len(attributes)}"
        raise ValueError(msg)
    for attribute in attributes:
        _check.instance(attribute, Attribute, "attributes")
    called = [f"column {name!r}" for name in names or range(len(columns))]
    values = coded_columns(columns, attributes, called)
    known, warnings = _with_bounds(values, attributes, bounds, called)
    return released(
        values,
        known,
        plan(known, len(values[0]), k, names=names),
        called=called,
        clip=clip,
        keep_order=keep_order,
        warnings=warnings,
        run=run,
        insecure_seed_for_tests=insecure_seed_for_tests,
    )


def coded_columns(
    columns: Sequence[ArrayLike], attributes: Sequence[Attribute], called: Sequence[str]
) -> list[_check.Floats]:
    """The columns as numbers, NaN for what is missing, checked against what is known of them."""
    if len(columns) != len(attributes) or not attributes:
        msg = f"columns and attributes must be as many: {len(columns)} and {len(attributes)}"
        raise ValueError(msg)
    for attribute in attributes:
        _check.instance(attribute, Attribute, "attributes")
    values = [coded(*each) for each in zip(columns, attributes, called, strict=True)]
    lengths = {len(column) for column in values}
    if len(lengths) > 1:
        msg = f"columns must be equally long, got {len(lengths)} different lengths"
        raise ValueError(msg)
    return values


def _with_bounds(
    values: Sequence[_check.Floats],
    attributes: Sequence[Attribute],
    bounds: str,
    called: Sequence[str],
) -> tuple[list[Attribute], list[str]]:
    """The attributes with bounds, and a warning for each whose bounds come from its values."""
    known, warnings = list(attributes), []
    for number, attribute in enumerate(attributes):
        if attribute.bounded:
            continue
        if bounds == "public":
            msg = (
                f"{called[number]} has no public bounds; give lower and upper, or give the "
                "guarantee up by bounds='data'"
            )
            raise ValueError(msg)
        known[number] = attribute.bounded_by(values[number])
        warnings.append(DATA_BOUNDS.format(called[number]))
    return known, warnings
