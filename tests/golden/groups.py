"""Labels and orders: methods, orders and their cuts, one attribute."""

from __future__ import annotations

from itertools import product

from golden.case import Case

TABLES = ("ties1", "skew1", "far1", "ties2", "bell2", "far2", "clusters2")
TABLES += ("bell8", "twins8", "mixed8", "bell13")
SOME = ("ties2", "far2", "clusters2", "mixed8", "bell13")
METHODS = ("auto", "mdav", "vmdav", "block_mdav", "mondrian", "kmember")
PATHS = ("npn", "grid", "flexdice", "hilbert", "principal", "column")


def labels(call: str, table: str) -> Case:
    return Case(f"tk.{call}", losses_of=table)


CASES = [
    *(labels(f"mdav({X}, {k})", X) for X, k in product(TABLES, (3, 10))),
    *(labels(f"vmdav({X}, 4)", X) for X in TABLES),
    *(labels(f"vmdav({X}, 4, gamma={g})", X) for X, g in product(SOME, (0, 0.2, 1.1, "'auto'"))),
    *(labels(f"vmdav({X}, 4, rest='mean')", X) for X in SOME),
    *(labels(f"microaggregation.mondrian({X}, 5)", X) for X in TABLES),
    *(labels(f"microaggregation.mondrian({X}, 5, strict=False)", X) for X in TABLES),
    *(labels(f"microaggregation.kmember({X}, 5)", X) for X in TABLES),
    # Orders.
    *(Case(f"tk.npn_order({X})") for X in TABLES),
    *(Case(f"tk.grid_order({X})") for X in TABLES),
    *(Case(f"tk.grid_order({X}, blocks_per_axis=3)") for X in SOME),
    Case("tk.grid_order(bell2, blocks_per_axis=[5, 9])"),
    *(Case(f"tk.flexdice_order({X})") for X in TABLES),
    *(Case(f"tk.flexdice_order({X}, c1=20)") for X in TABLES),
    *(Case(f"tk.flexdice_order({X}, c1=40, c2=4)") for X in SOME),
    *(Case(f"tk.flexdice_order({X}, c1=30, c2=1, axes=2)") for X in SOME),
    *(Case(f"tk.microaggregation.flexdice_blocks({X}, c1=30)") for X in SOME),
    *(Case(f"tk.microaggregation.flexdice_blocks({X}, c1=50, c2=8, axes=2)") for X in SOME),
    *(Case(f"tk.microaggregation.hilbert_order({X})") for X in TABLES),
    *(Case(f"tk.microaggregation.hilbert_order({X}, bits=4)") for X in SOME),
    *(Case(f"tk.microaggregation.principal_order({X})") for X in TABLES),
    *(Case(f"tk.microaggregation.column_order({X})") for X in TABLES),
    Case("tk.microaggregation.column_order(mixed8, column=4)"),
    # Cuts.
    *(labels(f"cut({X}, np.arange(len({X})), {k})", X) for X, k in product(TABLES, (2, 5, 30))),
    *(labels(f"cut({X}, tk.npn_order({X}), 6)", X) for X in SOME),
    *(labels(f"cut(np.ascontiguousarray({X}), np.arange(len({X})), 7)", X) for X in SOME),
    *(labels(f"univariate({X}, {k})", X) for X, k in product(TABLES[:3], (1, 2, 5, 21, 40, 200))),
    *(labels(f"univariate({X}, {k}, cost='absolute')", X) for X, k in product(TABLES[:3], (2, 30))),
    Case("tk.microaggregation.runs(np.arange(300)[::-1] * 7 % 300, 8)"),
    *(labels(f"mil({X}, tk.mdav({X}, {k}), {k})", X) for X, k in product(TABLES[:3], (2, 5, 20))),
    Case("tk.microaggregation.mil_report(skew1, np.arange(1200) // 4, 4)"),
    # By name.
    *(
        labels(f"partition({X}, 4, method='{method}')", X)
        for X, method in product(SOME, METHODS[1:] + PATHS)
    ),
    *(labels(f"partition({X}, 30, method='flexdice')", X) for X in SOME),
    *(labels(f"partition({X}, 7, method='univariate')", X) for X in TABLES[:3]),
    labels("partition(large8, 5, method='block_mdav')", "large8"),
    *(
        Case(f"tk.microaggregation.choose({n}, {d}, 5)")
        for n, d in ((100, 1), (30, 2), (10**5, 8), (10**6, 8))
    ),
]
