"""What risk remains."""

from __future__ import annotations

from golden.case import Case

TABLE = "{'job': job, 'size': size, 'sex': sex, 'fives': fives, 'age': holes}"

CASES = [
    Case(f"tk.risk.class_sizes({TABLE}, ['job', 'sex', 'age'])"),
    *(
        Case(f"tk.risk.special_uniques({TABLE}, largest={largest}, score='{score}')")
        for largest, score in ((2, "elliot"), (5, "sdcmicro"))
    ),
]
