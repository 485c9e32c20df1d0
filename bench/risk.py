"""``python -m bench risk``: is the gate of use? Claims about its second half, counted.

Each claim prints what it came to, and the command ends with 1 where one does not hold:

    adult      the six usual columns masked, all others passed through: refused, columns named, and
               the proposal of the refusal passes
    public     public tables and continuous incomes under sensible roles pass by default
    drawn      of 50 harmless tables at most one is refused; how many of those with columns of many
               categories are refused is printed beside, and claims nothing
    anonymeter figures agree with those of the package within their intervals (needs the package)
    coverage   intervals of population uniqueness hold the truth where their model is right
    speed      what attacks and counts of large tables cost, CPU time
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import tokumei as tk
from bench import harmless, problems
from bench.harmless import Harmless

ALLOWED = 1  # of the harmless tables that are drawn
DEFAULTS: dict[str, Any] = {"k": 5, "effort": "fast", "missing": "category"}


def main(argv: Sequence[str] | None = None) -> int:
    """Print what each claim came to; 1 where one does not hold."""
    parser = argparse.ArgumentParser(prog="python -m bench risk", description=__doc__)
    parser.add_argument("claims", nargs="*", metavar="claim", help=f"{', '.join(CLAIMS)}; all")
    parser.add_argument("--tables", type=int, default=harmless.DRAWN, help="how many are drawn")
    asked = parser.parse_args(argv)
    for wrong in set(asked.claims) - set(CLAIMS):
        parser.error(f"no claim {wrong!r}; there are {', '.join(CLAIMS)}")
    held = True
    for name in asked.claims or CLAIMS:
        try:
            found = CLAIMS[name](asked.tables)
        except problems.Absent as reason:
            print(f"{name}: not asked, {reason}", flush=True)
            continue
        held &= found
        print(f"{name}: {'holds' if found else 'DOES NOT HOLD'}", flush=True)
    return 0 if held else 1


def judged(one: Harmless) -> list[dict[str, Any]]:
    """The checks that did not pass; nothing where the table is released."""
    try:
        tk.release.mask(one.table, **DEFAULTS | one.asked)
    except tk.release.Refused as refusal:
        return [dict(check) for check in refusal.audit["checks"] if check["verdict"] != "passed"]
    return []


def passed(one: Harmless) -> bool:
    """Whether a table is released; what failed is printed."""
    failed = judged(one)
    what = "; ".join(f"{check['check']} {check['verdict']}" for check in failed) or "released"
    print(f"  {one.name}, {one.table.num_rows:,} rows: {what}", flush=True)
    return not failed


def adult(_: int) -> bool:
    """Whether Adult is refused with all other columns passed through, and its proposal is not."""
    original = next(harmless.public())
    others = {"quasi": original.asked["quasi"], "sensitive": ["income"], "other": "*"}
    failed = judged(replace(original, asked=others))
    for check in failed:
        print(f"  {check['check']}: {check['detail']}")
    named = list(dict.fromkeys(name for check in failed for name in check.get("columns", ())))
    if not named:
        return False
    return passed(replace(original, asked=others | {"drop": named}))


def public(_: int) -> bool:
    """Whether every public table, and the one of incomes, is released."""
    verdicts = [passed(one) for one in (*harmless.public(), harmless.incomes())]
    return all(verdicts)


def drawn(tables: int) -> bool:
    """Whether at most one of the harmless is refused."""
    refused = [
        sum(not passed(harmless.drawn(number, kinds)) for number in range(tables))
        for kinds in (harmless.FEW, harmless.MANY)
    ]
    print(
        f"  refused of {tables} with at most {harmless.FEW} categories a column: {refused[0]}; "
        f"with up to {harmless.MANY}: {refused[1]}"
    )
    return refused[0] <= ALLOWED


def anonymeter(_: int) -> bool:
    """Whether both say the same of Adult, as far as their intervals go."""
    from bench.anonymeter_risks import agree

    return agree()


def coverage(_: int) -> bool:
    """Whether intervals of population uniqueness hold the truth."""
    from bench.risk_coverage import covers

    return covers()


def speed(_: int) -> bool:
    """Whether large tables cost no more than was promised."""
    from bench.risk_speed import fast_enough

    return fast_enough()


CLAIMS: dict[str, Callable[[int], bool]] = {
    "adult": adult,
    "public": public,
    "drawn": drawn,
    "anonymeter": anonymeter,
    "coverage": coverage,
    "speed": speed,
}

if __name__ == "__main__":
    sys.exit(main())
