"""Categories merged, generalised, or changed by known chances."""

from __future__ import annotations

from itertools import product

from golden.case import Case

TREE = "tk.Hierarchy.from_parents(trades)"
NESTED = "tk.Hierarchy.from_nested({'little': [SIZES[:2]], 'much': SIZES[2:]})"
LEVELS = "tk.Hierarchy.from_levels({a: [a // 5 * 5, a // 20 * 20, '*'] for a in range(17, 77)})"
DATA = "{'job': job, 'size': size, 'sex': sex, 'age': age.astype(int)}"
TREES = f"{{'job': {TREE}, 'size': {NESTED}, 'age': {LEVELS}}}"
DIVERSE = "tk.privacy.LDiversity('sex', 2)"
SUMS = "sums and products of numpy and BLAS, whose order is their own"
SEVEN = "tk.recode.retention(JOBS, 0.7)"

CASES = [
    *(
        Case(f"tk.recode.by_share({column}, {share}, rule='{rule}')")
        for column, share, rule in product(
            ("job", "size", "fives"), (0.02, 0.2, 0.9), ("smallest", "neighbours", "other")
        )
    ),
    *(
        Case(f"tk.recode.by_share(job, {share}, rule='parents', parent_of=trades)")
        for share in (0.1, 0.3, 0.6)
    ),
    Case("tk.recode.by_share(size, 0.25, rule='neighbours', order=SIZES)"),
    Case("tk.recode.by_share(job, 0.15, label='+')"),
    Case("tk.recode.by_share(job, 0.15, rule='other', other='rest').apply(masked_job)"),
    *(Case(f"tk.recode.bins({x}, 9)") for x in ("age", "amount")),
    Case("tk.recode.bins(age, [0, 20, 25, 30, 40, 60, 100], share=0.15)"),
    *(
        Case(f"tk.recode.{end}_code({x}, {where})")
        for end, x, where in product(
            ("top", "bottom"), ("age", "amount"), ("limit=40", "share=0.07")
        )
    ),
    Case(
        "tk.ShareRecoder(0.2, orders={'size': SIZES}, parents={'job': trades})"
        ".fit_transform(people)"
    ),
    *(Case(f"tk.recode.suppress_cells({DATA}, {k})") for k in (2, 5)),
    # Hierarchies.
    *(
        Case(
            "(lambda made: {'ways': made.levels, 'height': made.height, 'codes': made.codes, "
            f"'labels': made.labels}})({hierarchy})"
        )
        for hierarchy in (TREE, NESTED, LEVELS)
    ),
    *(Case(f"{TREE}.at(job, {level})") for level in range(3)),
    *(
        Case(f"tk.recode.full_domain({DATA}, {TREES}, {k}, suppress={share})", SUMS)
        for k, share in product((2, 8), (0.0, 0.05))
    ),
    *(
        Case(f"tk.recode.full_domain({DATA}, {TREES}, 4, metric='{metric}')", SUMS)
        for metric in (
            "information",
            "precision",
            "loss",
            "entropy",
            "class_size",
            "discernibility",
        )
    ),
    Case(f"tk.recode.full_domain({DATA}, {TREES}, 3, weights={{'job': 5}}, suppress=0.02)", SUMS),
    Case(f"tk.recode.full_domain({DATA}, {TREES}, 3, suppress=0.05, local=True)", SUMS),
    Case(f"tk.recode.full_domain({DATA}, {TREES}, 3, models=[{DIVERSE}])", SUMS),
    # Chances.
    Case(SEVEN),
    Case(f"tk.recode.invariant(job, {SEVEN})", SUMS),
    Case("np.isin(tk.recode.pram(job, np.eye(7), categories=JOBS), JOBS).all()"),
    Case("tk.recode.pram(job, {one: {trades[one]: 1.0} for one in JOBS})"),
]
