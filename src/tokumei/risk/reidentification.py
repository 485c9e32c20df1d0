"""Re-identification as three adversaries attempt it: prosecutor, journalist and marketer."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from tokumei._check import Floats
from tokumei._check.options import share
from tokumei.risk.classes import Classes, chosen, classes_of
from tokumei.values import tables
from tokumei.values.columns import column
from tokumei.values.containers import listed


@dataclass(frozen=True)
class Reidentification:
    """How often links by the quasi-identifiers are right.

    It holds counts and shares.

    Attributes
    ----------
    records : int
        How many records there are.
    threshold : float
        A record whose link is right with more than this probability is at risk.
    prosecutor_highest, prosecutor_at_risk : float
        Of one who knows that a person is in the table: the highest probability of a right link, and
        the share of records at risk.
    journalist_highest, journalist_at_risk : float or None
        The same of one who knows that a person is in the population; None without one.
    marketer : float
        The share of right links of one who links all records: to the population where there is one,
        else to the table.
    """

    records: int
    threshold: float
    prosecutor_highest: float
    prosecutor_at_risk: float
    journalist_highest: float | None
    journalist_at_risk: float | None
    marketer: float

    def __str__(self) -> str:
        lines = [
            f"prosecutor: at most {self.prosecutor_highest:.3f}; "
            f"{self.prosecutor_at_risk:.2%} of records above {self.threshold:g}"
        ]
        if self.journalist_highest is not None:
            lines.append(
                f"journalist: at most {self.journalist_highest:.3f}; "
                f"{self.journalist_at_risk:.2%} of records above {self.threshold:g}"
            )
        return "\n".join([*lines, f"marketer: {self.marketer:.2%} of links are right"])


def reidentification(
    table: Any,
    quasi: Sequence[Hashable] | None = None,
    *,
    population: Any = None,
    threshold: float = 0.09,
) -> Reidentification:
    """Say how often links by the quasi-identifiers are right, for three adversaries [1]_.

    Parameters
    ----------
    table : table
        A mapping of columns, a dataframe, or an array of two dimensions.
    quasi : sequence, optional
        The columns that others may know; all by default. A missing cell is a value of its own.
    population : table, optional
        The people the table was drawn from, with the same quasi-identifiers. Every record must
        agree with someone there.
    threshold : float
        The probability above which a record is at risk; 0.09 is that of the European Medicines
        Agency for published tables.

    Returns
    -------
    Reidentification

    References
    ----------
    .. [1] K. El Emam, Guide to the De-Identification of Personal Health Information (2013).

    Examples
    --------
    >>> import tokumei as tk
    >>> people = {"age": [31, 31, 47], "sex": ["f", "f", "m"]}
    >>> print(tk.risk.reidentification(people))
    prosecutor: at most 1.000; 100.00% of records above 0.09
    marketer: 66.67% of links are right
    """
    columns = chosen(tables.table(table, "table"), quasi)
    threshold = share(threshold, "threshold")
    if population is None:
        return reidentification_of(classes_of(columns), None, threshold)
    everyone = chosen(tables.table(population, "population"), list(columns), "population: quasi")
    rows = tables.records(columns)
    both = classes_of(
        {
            key: column([*listed(one.source), *listed(everyone[key].source)], "population")
            for key, one in columns.items()
        }
    )
    sizes = np.bincount(both.labels[:rows], minlength=len(both.sizes))
    in_population = (both.sizes - sizes)[sizes > 0]
    short = int((in_population < sizes[sizes > 0]).sum())
    if short:
        msg = f"population lacks people for {short} classes of the table"
        raise ValueError(msg)
    return reidentification_of(classes_of(columns), in_population.astype(np.float64), threshold)


def reidentification_of(
    classes: Classes, population: Floats | None, threshold: float
) -> Reidentification:
    """The same of classes, and of how many people of the population each stands for."""
    records = len(classes.labels)

    def at_risk(people: Any) -> float:
        return float(classes.sizes[1.0 / people > threshold].sum() / records)

    known = classes.sizes if population is None else population
    return Reidentification(
        records=records,
        threshold=threshold,
        prosecutor_highest=float(1.0 / classes.sizes.min()),
        prosecutor_at_risk=at_risk(classes.sizes),
        journalist_highest=None if population is None else float(1.0 / population.min()),
        journalist_at_risk=None if population is None else at_risk(population),
        marketer=float((classes.sizes / known).sum() / records),
    )
