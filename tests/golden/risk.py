"""What risk remains, but for linkage through noise (channels)."""

from __future__ import annotations

from golden.case import Case

TABLE = "{'job': job, 'size': size, 'sex': sex, 'fives': fives, 'age': holes}"

LOGARITHMS = "the logarithms and exponentials of numpy and the C library"

CASES = [
    Case(f"tk.risk.class_sizes({TABLE}, ['job', 'sex', 'age'])"),
    *(
        Case(f"tk.risk.special_uniques({TABLE}, largest={largest}, score='{score}')")
        for largest, score in ((2, "elliot"), (5, "sdcmicro"))
    ),
    Case("tk.risk.reidentification(people, population={**people})"),
    Case("tk.risk.individual({'job': job, 'w': age}, weight='w')", LOGARITHMS),
    Case(
        "tk.risk.population_uniqueness({'a': fives, 'b': age}, fraction=0.2, samples=0)", LOGARITHMS
    ),
    Case("tk.risk.homogeneity(people, ['job'], ['sex', 'size'])", LOGARITHMS),
    Case("tk.risk.dominance({'job': job, 'amount': amount}, ['job'], ['amount'])"),
    Case("tk.risk.columns({'job': job, 'fives': fives}, ['job'])"),
    Case(
        "tk.risk.attack(people, people, control=people, sensitive=['sex'], attempts=40)",
        LOGARITHMS,
    ),
    Case(f"tk.risk.assess({TABLE}, quasi=['job', 'size'], sensitive=['sex'])", LOGARITHMS),
]
