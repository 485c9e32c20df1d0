"""Losses: of squares, of distances, of categories and tables of counts, of models; bounds."""

from __future__ import annotations

from itertools import product

from golden.case import Case
from golden.groups import TABLES

LOGARITHMS = "logarithms and powers of numpy, which differ in the last bit between processors"
SUMS = "sums and products of numpy and BLAS, whose order is their own"
FITS = "models that scikit-learn fits"
PROGRAMS = "dual values that HiGHS finds"

NUMBERS = ("Euclidean()", "Minkowski(1)", "Minkowski(3)", "Minkowski(2.5)", "Minkowski(np.inf)")
ROADS = ("Graph(roads)", "Graph(streets, shortest_paths=True)")
STRINGS = tuple(
    f"{name}Levenshtein({how})" for name in ("", "Damerau") for how in ("", "normalized=True")
)
RECORDS = "*[tk.distances.Euclidean()] * 3"
CATEGORIES = "tk.distances.Discrete(), tk.distances.Ordinal(SIZES), tk.distances.Discrete()"
# Columns before and after masking, and distances of their values.
MEASURED: list[tuple[str, str, str]] = [
    *(("amount", "masked_amount", name) for name in NUMBERS),
    *(("trio", "masked_trio", name) for name in NUMBERS),
    ("half8", "half8 * 0.5", "Minkowski(1)"),
    ("far2", "np.repeat(far2[::2], 2, axis=0)", "Minkowski(1)"),
    ("ties2", "ties2 // 2", "Euclidean()"),
    ("job", "masked_job", "Discrete()"),
    ("age", "masked_age", "Discrete()"),
    ("size", "masked_size", "Ordinal(SIZES)"),
    ("job", "masked_job", "Tree(trades)"),
    *(("job", "masked_job", name) for name in ROADS),
    ("codes12", "masked_codes12", "Hamming()"),
    *(("texts", "masked_texts", name) for name in STRINGS),
    ("texts", "masked_texts", "Callable(lambda a, b: abs(len(a) - len(b)))"),
    ("trio", "masked_trio", f"Product({RECORDS})"),
    ("trio", "masked_trio", f"Product({RECORDS}, weights=[1, 0.5, 2])"),
    ("people", "masked_people", f"Product({CATEGORIES})"),
    ("people", "masked_people", f"Product({CATEGORIES}, weights=[1, 2, 3])"),
]
ESTIMATED = "estimate=True, pairs=2000, random_state=3"


def measured() -> list[Case]:
    cases = []
    # Powers of numbers and of strings are our own.
    own = ("Euclidean", "Minkowski", "Hamming", "Levenshtein", "Damerau")
    for (before, after, name), power in product(MEASURED, (1, 2, 1.5)):
        distance = f"tk.distances.{name}"
        for way in ("", ", method='pairs'"):
            if "Callable" in name and way:
                continue
            near = "" if power != 1.5 or name.startswith(own) else LOGARITHMS
            options = f"{distance}, power={power}{way}"
            cases += [
                Case(f"tk.loss.information({before}, {options})", near),
                Case(f"tk.loss.ild({before}, {after}, {options})", near),
            ]
    for before, after, name in MEASURED:
        both = f"{before}, {after}, tk.distances.{name}"
        one = f"{before}, tk.distances.{name}"
        cases += [
            Case(f"tk.loss.information({one}, {ESTIMATED})", SUMS),
            Case(f"tk.loss.ild({both}, {ESTIMATED})", SUMS),
        ]
    return cases


CASES = [
    *(
        Case(f"tk.loss.{measure}({X}, np.arange(len({X})) // 5 % 50)")
        for X, measure in product((*TABLES, "large8"), ("sse", "ilssdm"))
    ),
    *(Case(f"tk.loss.sst({X})") for X in (*TABLES, "large8")),
    *measured(),
    # Numbers.
    *(
        Case(f"tk.loss.{measure}({before}, {after})", SUMS)
        for measure in ("il1s", "moments")
        for before, after in (("trio", "masked_trio"), ("far2", "np.round(far2)"))
    ),
    # Categories and tables of counts.
    Case("tk.loss.direct(job, masked_job)"),
    Case("tk.loss.direct(size, masked_size, order=SIZES)"),
    *(
        Case(f"tk.loss.{measure}({column}, masked_{column})", LOGARITHMS)
        for measure, column in product(("entropy", "ebil"), ("job", "size", "age"))
    ),
    Case(
        "tk.loss.ebil(size, masked_size, np.full((5, 5), 0.125) + np.eye(5) * 0.375, "
        "categories=SIZES)",
        LOGARITHMS,
    ),
    *(
        Case(f"tk.loss.ctbil(people, masked_people, max_order={order}, average={average})")
        for order, average in product((1, 2, 3), (False, True))
    ),
    Case(
        "tk.loss.ctbil({'job': job}, {'job': [trades[one] for one in job]}, "
        "recodings={'job': {one: trades[one] for one in JOBS}})"
    ),
    *(
        Case(f"tk.loss.cramers_v({a}, {b})", SUMS)
        for a, b in (("job", "masked_job"), ("job", "sex"), ("size", "fives"))
    ),
    Case("tk.loss.cramers_matrix(people)", SUMS),
    # Groups.
    Case("tk.loss.ncp({'age': age, 'job': job}, fives)", SUMS),
    Case("tk.loss.ncp(people, fives, hierarchies={'job': trades}, average=True)", SUMS),
    Case("tk.loss.ncp(trio, fives, weights=[1, 0, 2.5])", SUMS),
    Case(
        "tk.loss.ncp({'age': age, 'job': job}, masked={'age': [(a - 3, a + 4) for a in age], "
        "'job': [trades[one] for one in job]}, hierarchies={'job': trades})",
        SUMS,
    ),
    Case("tk.loss.cm(job, fives)"),
    Case("tk.loss.cm(job, fives, suppressed=sex == 'm')"),
    Case("tk.loss.dm(fives, 3)"),
    # Models and reports.
    Case("tk.loss.model(people, masked_people, n_jobs=1).records()", FITS, slow=True),
    Case(
        "tk.loss.model(people, {'a': masked_people}, targets=['sex'], sizes=[1], folds=3, "
        "empty=None, n_jobs=1).records()",
        FITS,
        slow=True,
    ),
    Case(
        "tk.loss.compare({**people, 'age': age, 'amount': amount}, {**masked_people, "
        "'age': masked_age, 'amount': masked_amount}, orders={'size': SIZES}).to_dict()",
        LOGARITHMS,
    ),
    Case(
        "tk.loss.compare({**people, 'age': age}, {**masked_people, 'age': masked_age}, "
        "kinds={'age': 'category'}, max_order=3, "
        "distances={'job': tk.distances.Tree(trades)}).to_dict()",
        LOGARITHMS,
    ),
    # Bounds.
    *(
        Case(f"tk.lower_bound({X}, {k}, method='neighbours')")
        for X, k in product(("ties2", "bell2", "far2", "mixed8", "bell13"), (2, 5))
    ),
    Case("tk.lower_bound(skew1, 4)"),
    Case("tk.lower_bound(few2, 25)"),
    Case("tk.bounds.lower_bound_report(half8, 6)"),
    *(
        Case(f"tk.lower_bound({X}, {k}, method='columns')", PROGRAMS, slow=X != "few2")
        for X, k in product(("few2", "half8"), (2, 3))
    ),
    *(
        Case(f"tk.bounds.gap({X}, tk.mdav({X}, 3), 3, method='neighbours')")
        for X in ("ties2", "half8")
    ),
]
