"""Compare every result with the table, or write it anew: ``python tests/golden [--write]``.

Written is only what all instruction sets and one and two threads agree about.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from pathlib import Path

# The package, and not the folder of its modules.
sys.path[0] = str(Path(__file__).resolve().parents[1])

from golden.case import agree  # noqa: E402
from golden.cases import CASES, read, ways, write  # noqa: E402 - found through the line above


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true", help="write table.json")
    asked = parser.parse_args()
    table = {} if asked.write else read()
    wrong = 0
    for case in CASES:
        begin = time.process_time()
        for environment in ways(case):
            os.environ.update(environment)
            found = case.run()
            if not agree(table.setdefault(case.expression, found), found, case.within):
                wrong += 1
                how = ", ".join(environment.values())
                print(f"{case.expression} ({how} threads): {table[case.expression]} -> {found}")
        if time.process_time() - begin > 1:
            print(f"{time.process_time() - begin:.1f} s: {case.expression}")
    if asked.write and not wrong:
        write({case.expression: table[case.expression] for case in CASES})
    print(f"{len(CASES)} cases, {wrong} differences")
    return bool(wrong)


if __name__ == "__main__":
    raise SystemExit(main())
