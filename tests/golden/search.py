"""Labels of the search for lower loss: efforts, costs, rules, weights, households, strata."""

from __future__ import annotations

from itertools import product

from golden.case import Case
from golden.groups import labels

RULES = (
    "l_diversity=2, sensitive=illness",
    "l_diversity=3, sensitive=illness",
    "t_closeness=0.4, sensitive=illness",
    "t_closeness=0.2, sensitive=income, t_kind='ordered'",
    "l_diversity=3, t_closeness=0.25, sensitive=income, t_kind='ordered'",
    "households=households, min_households=3",
    "households=households, min_households=2, l_diversity=2, sensitive=illness",
)
UNITS = (
    "attribute_weights=[1, 0]",
    "attribute_weights=[2, 0.25]",
    "record_weights=weights",
    "strata=strata",
    "strata=strata, record_weights=weights",
    "households=households",
    "households=households, record_weights=weights",
    "cost='absolute'",
    "cost='absolute', strata=strata",
    "random_state=7",
)
SMALL = ("ties1", "ties2", "far2", "twins8", "mixed8")

CASES = [
    *(labels(f"partition({X}, {k}, effort='fast')", X) for X, k in product(SMALL, (3, 5, 12))),
    *(labels(f"partition({X}, {k}, effort=3)", X) for X, k in product(SMALL, (2, 4))),
    *(labels(f"partition(bell2, 4, effort=2, {rule})", "bell2") for rule in RULES),
    *(labels(f"partition(bell2, 4, effort=2, strata=strata, {rule})", "bell2") for rule in RULES),
    *(labels(f"partition(bell2, 4, effort=2, {units})", "bell2") for units in UNITS),
    labels("partition(bell2, 4, method='mdav', households=households)", "bell2"),
    labels("partition(bell2, 4, method='npn', strata=strata)", "bell2"),
    labels("partition(bell2, 4, method='vmdav', attribute_weights=[3, 1])", "bell2"),
    *(labels(f"refine(bell2, pairs2, 4, effort=2, {rule})", "bell2") for rule in RULES),
    labels("refine(bell2, pairs2, 4, effort=2, record_weights=weights)", "bell2"),
    labels("refine(bell2, pairs2, 4, effort=2, cost='absolute')", "bell2"),
    labels("refine(bell2, pairs2, 4, effort=2, largest=12)", "bell2"),
    labels("refine(bell2, pairs2, 3, effort=1.5, random_state=2**63)", "bell2"),
    labels(
        "refine(bell2, tk.partition(bell2, 4, method='mdav', strata=strata), 4, effort=2, "
        "strata=strata)",
        "bell2",
    ),
    *(
        labels(f"refine({X}, np.arange(len({X})) // 5, 5, effort='{effort}')", X)
        for X, effort in product(("far1", "half8"), ("fast", "balanced"))
    ),
    *(labels(f"refine(few2, np.arange(40) // 2, 2, effort={e})", "few2") for e in ("'best'", 500)),
    labels("partition(few2, 3)", "few2"),
    labels("partition(few2, 3, cost='absolute', random_state=5)", "few2"),
    # Long searches, searches in blocks, programs.
    *(
        Case(f"tk.partition({X}, {k})", losses_of=X, slow=True)
        for X, k in product(("clusters2", "mixed8", "bell13"), (3, 5))
    ),
    Case("tk.partition(few2, 3, effort='best')", losses_of="few2", slow=True),
    Case("tk.partition(large2, 5, effort='fast')", losses_of="large2", slow=True),
    Case("tk.partition(large2, 3)", losses_of="large2", slow=True),
    Case("tk.partition(large2, 5, effort=0.5, cost='absolute')", losses_of="large2", slow=True),
    # One optimum, whatever the way of the solver.
    Case("tk.partition(few2, 3, effort='optimal')", losses_of="few2", slow=True),
]
