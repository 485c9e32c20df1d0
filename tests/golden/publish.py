"""What is published: scaled tables, means and medians of groups, representatives of any kind."""

from __future__ import annotations

from itertools import product

from golden.case import Case
from golden.groups import TABLES

GROUPS = "np.arange(900) // 7 % 60"
HOW = ("'mode'", "'median'", "'interval'", "'set'")

CASES = [
    *(Case(f"tk.standardize({X})") for X in (*TABLES, "large2", "large8")),
    *(
        Case(f"tk.aggregate({X}, np.arange(len({X})) // 7 % 40, how='{how}')")
        for X, how in product(TABLES, ("mean", "median"))
    ),
    Case(f"tk.aggregate(bell2, {GROUPS}, record_weights=weights)"),
    Case(f"tk.aggregate(bell2, {GROUPS}, record_weights=np.arange(900) % 3)"),
    *(
        Case(f"tk.microaggregate({X}, 4, method='mdav', how='{how}')")
        for X, how in product(("bell8", "far2"), ("mean", "median"))
    ),
    Case("tk.microaggregate(mixed8, 4, method='individual')"),
    Case("tk.microaggregate(bell2, 4, effort='fast', record_weights=weights, strata=strata)"),
    *(
        Case(f"tk.microaggregation.represent({column}, fives, how={how})")
        for column, how in product(("job", "size", "age", "fives", "texts * 5"), HOW)
        if column != "texts * 5"
    ),
    *(Case(f"tk.microaggregation.represent(size, fives, how={how}, order=SIZES)") for how in HOW),
    *(
        Case(f"tk.microaggregation.represent(job, {labels}, how='ancestor', tree=trades)")
        for labels in ("fives", "np.arange(500) // 2", "np.arange(500)")
    ),
    Case("tk.Microaggregator(k=4, method='mdav').fit(bell8)"),
    Case("tk.Microaggregator(k=4, effort=1, standardize=True).fit_transform(mixed8)"),
    Case("tk.Microaggregator(k=4, method='mdav', new_rows='nearest').fit(bell2).transform(ties2)"),
]
