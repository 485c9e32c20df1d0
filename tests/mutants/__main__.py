"""Faults put into the code on purpose, one by one: does a test find each?

    nox -s mutants                    every mutant of every list
    nox -s mutants -- --sample 6      so many, others for each commit
    nox -s mutants -- --only noise    those of the lists whose names begin so

Tests have to pass without the fault, else their failure says nothing. Ends with an error where a
mutant survives that is not listed as equivalent, or where one that is listed is found after all.
"""

from __future__ import annotations

import argparse
import os
import random
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from queue import SimpleQueue

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from mutants.mutant import Mutant, mutants
from mutants.trial import Trial


def main() -> int:
    parser = argparse.ArgumentParser(description="Do the tests find faults put in on purpose?")
    parser.add_argument("--sample", type=int, help="only so many, drawn by chance")
    parser.add_argument("--seed", help="what the chance follows from")
    parser.add_argument("--only", default="", help="only lists whose names begin so")
    asked = parser.parse_args()
    chosen = [mutant for mutant in mutants() if mutant.name.startswith(asked.only)]
    if asked.sample is not None:
        chosen = random.Random(asked.seed).sample(chosen, min(asked.sample, len(chosen)))
    workers = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else 1
    with tempfile.TemporaryDirectory() as scratch, ThreadPoolExecutor(workers) as pool:
        free: SimpleQueue[Trial] = SimpleQueue()
        for number in range(workers):
            free.put(Trial(Path(scratch) / str(number)))

        def with_one(question: str, mutant: Mutant) -> bool:
            trial = free.get()
            try:
                return bool(getattr(trial, question)(mutant))
            finally:
                free.put(trial)

        groups = {(mutant.tests, mutant.room): mutant for mutant in chosen}
        for mutant, sound in zip(
            groups.values(), pool.map(lambda m: with_one("sound", m), groups.values()), strict=True
        ):
            if not sound:
                print(f"{mutant.room or ' '.join(mutant.tests)}: fails without any fault")
                return 2
        survivors = []
        verdicts = pool.map(lambda m: with_one("survives", m), chosen)
        for mutant, survived in zip(chosen, verdicts, strict=True):
            expected = bool(mutant.equivalent)
            word = ("survived" if survived else "killed") + (" (equivalent)" if expected else "")
            print(f"{mutant.name}: {word}: {mutant.file}", flush=True)
            survivors += [mutant] if survived != expected else []
    equivalent = sum(bool(mutant.equivalent) for mutant in chosen)
    print(
        f"{len(chosen)} mutants, {len(chosen) - equivalent - len(survivors)} killed, "
        f"{equivalent} equivalent, {len(survivors)} otherwise than listed"
    )
    return 1 if survivors else 0


if __name__ == "__main__":
    raise SystemExit(main())
