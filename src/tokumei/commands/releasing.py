"""What the commands that release a file have in common: their words, their progress, their end."""

from __future__ import annotations

import inspect
import json
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer

from tokumei import _check
from tokumei._check.options import options_of
from tokumei.commands.app import app, print_json, progress, shortened
from tokumei.commands.derive import Spelling, Word, command, read_words, words_of
from tokumei.release import engines
from tokumei.release.errors import Refused
from tokumei.release.io.staging import audit_of, ending_raises
from tokumei.release.job import Job, Step, gather
from tokumei.release.phases import phase
from tokumei.release.release import Audit, Release
from tokumei.release.schema import Columns
from tokumei.release.sections import Gate, Output, Report, Source

# Names of functions' arguments that are words of the command anyway, or no words at all.
PLACES = ("path",)
FOLDERS = (
    Word(
        "consume", None, "Of a folder: remove files once they are read.", bool, False, "--consume"
    ),
    Word(
        "memory_limit", "GIB", "Of a folder: the memory that the run may take.", float | None, None
    ),
    Word(
        "encryption_key",
        "FILE",
        "Of a folder: a key for its stage, or fresh.",
        str | None,
        None,
    ),
    Word(
        "storage_options",
        "FILE",
        "Of folders behind URLs: a TOML file of what fsspec is to know, such as keys.",
        str | None,
        None,
    ),
    Word("staging", "DIR", "Of a URL as OUT: where it is made.", Path | None, None),
    Word("cluster", "TCP://...", "Of a folder: the scheduler of a Dask cluster.", str | None, None),
)
ALWAYS = (
    Word(
        "threads",
        "N",
        "Number of threads; all there are by default.",
        int | None,
        None,
    ),
    Word("save_job", "FILE", "Write what is asked for as a job for run.", Path | None, None),
    Word(
        "dry_run",
        None,
        "Say what would be done, and how long it may take.",
        bool,
        False,
        "--dry-run",
    ),
    Word("as_json", None, "Print the audit as JSON.", bool, False, "--json"),
    Word("quiet", None, "Print nothing when all is well.", bool, False, "--quiet"),
)
MOST_LOSSES = 10
# What a step says of itself on the screen: names, and what is said of each.
Lines = Callable[[Audit], list[tuple[str, str]]]
LINES: dict[str, Lines] = {}


def releasing(
    kind: type[Step], lines: Lines, spelled: Mapping[str, Spelling], what: str
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Make a command of a step; the decorated function gives its name and its help."""
    LINES[kind.do] = lines
    kinds: list[type] = [Columns, *kind.models, kind, Source, Gate, Output, Report]
    known = {Columns: kind.columns, Gate: kind.gate}
    unused = {each.name for of in known for each in options_of(of) if each.name not in known[of]}
    hidden = (*PLACES, "insecure_seed_for_tests")
    words = [
        word
        for word in words_of(kinds, spelled, kept=kind.keeps)
        if word.option not in unused and word.name not in hidden
    ]

    def decorated(named: Callable[..., None]) -> Callable[..., None]:
        def run(given: dict[str, Any]) -> None:
            keywords = read_words(kinds, spelled, given)
            keywords = {name: value for name, value in keywords.items() if value is not None}
            keywords |= {"n_threads": given["threads"]}
            released(partial(_job, kind, keywords, given), what, given)

        run.__doc__, run.__name__ = named.__doc__, named.__name__
        app.command()(command([*words, *FOLDERS, *ALWAYS], _places(what), run))
        return named

    return decorated


def released(
    asked: Callable[[_check.Callback | None], Job], what: str, given: Mapping[str, Any]
) -> None:
    """Release a file as a job asks for it, and say what was done; or what would be."""
    if given["dry_run"]:
        _plan(asked(None), given)
        return
    start = time.perf_counter()
    try:
        shown = sys.stderr.isatty() and not given["quiet"]
        with ending_raises(), progress(shown, what) as callback:
            # Said before what takes long begins: who waits sees from the first moment on for what.
            with phase("loading"), engines.needed():
                from tokumei.release import pipeline
            job = asked(callback)
            done = _of_folder(job, given) if job.of_folder else pipeline.from_file(job)
    except Refused as refusal:
        if given["as_json"]:
            print_json(refusal.audit)
        raise
    if given["as_json"]:
        print_json(done.audit)
    elif not given["quiet"]:
        for name, value in _summary(done, time.perf_counter() - start):
            print(f"{name:<11} {value}")


def _of_folder(job: Job, given: Mapping[str, Any]) -> Release:
    from tokumei.batch.doors import of_job

    return of_job(job, given)


def _plan(job: Job, given: Mapping[str, Any]) -> None:
    from tokumei.release.plan import plan_of

    plan: Any
    if job.of_folder:
        from tokumei.batch import cost
        from tokumei.batch.doors import how_of

        plan = cost.plan_of(job, how_of(given))
    else:
        plan = plan_of(job)
    if given["as_json"]:
        print(json.dumps(asdict(plan), indent=2, ensure_ascii=False))
    else:
        for name, value in plan.lines():
            print(f"{name:<11} {value}")


def _job(
    kind: type[Step],
    keywords: Mapping[str, Any],
    given: Mapping[str, Any],
    callback: _check.Callback | None,
) -> Job:
    with engines.needed():
        from tokumei.release import job_files
    places = {"source": str(given["source"]), "target": str(given["target"])}
    job = gather(kind, {**keywords, "callback": callback}, **places)
    if given["save_job"] is not None:
        job_files.write(job, given["save_job"])
    return job


def _summary(done: Release, seconds: float) -> list[tuple[str, str]]:
    """What was done, on one screen: what all releases have, and what each step says."""
    audit, by_role = done.audit, dict[str, list[str]]()
    for name, role in audit["job"]["roles"].items():
        by_role.setdefault(role, []).append(name)
    checks = [check["verdict"] == "passed" for check in audit["checks"]]
    accepted = len(checks) - sum(checks)
    return [
        ("rows", f"{(audit['achieved'] or {})['rows']:,}"),
        *((role, shortened(names)) for role, names in by_role.items()),
        *_notation(done.record["input"]["notation"]),
        *(line for step in audit["job"]["steps"] for line in LINES[step["do"]](audit)),
        *((name, _shown_of(name, audit)) for name in by_role.get("sensitive", ())),
        *_losses(audit["achieved"] or {}),
        (
            "checks",
            f"{sum(checks)} of {len(checks)} passed" + f", {accepted} accepted" * bool(accepted),
        ),
        ("written", f"{done.table} and {audit_of(Path(str(done.table))).name}"),
        ("time", _times(done.record["run"]["seconds"], seconds)),
    ]


def _times(phases: Mapping[str, float], seconds: float) -> str:
    """How long it took, and what took most of it."""
    longest = sorted(phases.items(), key=lambda one: -one[1])[:3]
    return f"{seconds:.1f} s: " + ", ".join(f"{name} {spent:.1f}" for name, spent in longest)


def _shown_of(name: str, audit: Audit) -> str:
    """What the classes of a release show of a sensitive column."""
    found = audit["achieved"] or {}
    diverse, spread, close, alone = (
        found.get(f"{what} of {name}")
        for what in ("distinct l", "entropy l", "t", "homogeneous share")
    )
    if alone is None:
        return "not counted"
    of_one = f"{100 * alone:.3g} % in classes of one value"
    return f"l {diverse} (entropy {spread:g}), t {close:g}, {of_one}"


def _losses(achieved: Mapping[str, Any]) -> list[tuple[str, str]]:
    """What each column lost, a line each; of many columns those that lost most cells."""
    from tokumei.release.losses import sentence_of

    lost = sorted(achieved.get("losses", {}).items(), key=lambda one: -one[1]["changed"])
    lines = [("lost", f"{name}: {sentence_of(one)}") for name, one in lost[:MOST_LOSSES]]
    more = len(lost) - len(lines)
    return lines + [("", f"and {more} more columns, in the audit")] * bool(more)


def _notation(told: Mapping[str, Any]) -> list[tuple[str, str]]:
    """What was taken for missing, and for a decimal comma."""
    words: dict[str, list[str]] = {}
    for name, each in told.items():
        for word, cells in each["missing"].items():
            words.setdefault(word, []).append(f"{name} ({cells:,})")
    commas = [name for name, each in told.items() if each["decimal"] == ","]
    missing = [("missing", f"{word} in {', '.join(names)}") for word, names in words.items()]
    return missing + [("decimals", f"with a comma in {', '.join(commas)}")] * bool(commas)


def _places(what: str) -> list[inspect.Parameter]:
    file = (
        "A CSV, Parquet or Arrow file, by its ending. Or a folder of such files, or its URL, into "
        "another folder."
    )
    made = f"The {what.removesuffix('ing')}ed file; its audit is put beside it."
    return [
        inspect.Parameter(
            name,
            inspect.Parameter.POSITIONAL_OR_KEYWORD,
            annotation=Annotated[str, typer.Argument(metavar=metavar, help=help)],
        )
        for name, metavar, help in (("source", "IN", file), ("target", "OUT", made))
    ]
