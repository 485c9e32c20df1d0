"""What the commands that release a file have in common: their words, their progress, their end."""

from __future__ import annotations

import inspect
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Annotated, Any

import typer

from tokumei.commands.app import app, print_json, progress
from tokumei.commands.derive import Spelling, Word, command, read_words, words_of
from tokumei.release import engines
from tokumei.release.errors import Refused
from tokumei.release.io.staging import ending_raises
from tokumei.release.job import Output, Source, Step, gather
from tokumei.release.release import Audit
from tokumei.release.schema import Columns

# Names of functions' arguments that are words of the command anyway, or no words at all.
PLACES = ("path",)
ALWAYS = (
    Word(
        "threads",
        "N",
        "Number of threads; all there are by default.",
        int | None,
        None,
    ),
    Word("save_job", "FILE", "Write what is asked for as a job for run.", Path | None, None),
    Word("as_json", None, "Print the audit as JSON.", bool, False, "--json"),
    Word("quiet", None, "Print nothing when all is well.", bool, False, "--quiet"),
)
# An audit, where it was written, seconds -> lines of a name and what is said of it.
Summary = Callable[[Audit, Path, float], list[tuple[str, str]]]


def releasing(
    kind: type[Step], summary: Summary, spelled: Mapping[str, Spelling], what: str
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Make a command of a step; the decorated function gives its name and its help."""
    kinds: list[type] = [Columns, *kind.models, kind, Source, Output]
    unused = {each for each in Columns.__dataclass_fields__ if each not in kind.columns}
    hidden = {*unused, *PLACES, "insecure_seed_for_tests"}
    words = [word for word in words_of(kinds, spelled) if word.name not in hidden]

    def decorated(named: Callable[..., None]) -> Callable[..., None]:
        def run(given: dict[str, Any]) -> None:
            keywords = read_words(kinds, spelled, given)
            keywords |= {"n_threads": given["threads"]}
            release(kind, keywords, given, summary, what)

        run.__doc__, run.__name__ = named.__doc__, named.__name__
        app.command()(command([*words, *ALWAYS], _places(what), run))
        return named

    return decorated


def release(
    kind: type[Step],
    keywords: Mapping[str, Any],
    given: Mapping[str, Any],
    summary: Summary,
    what: str,
) -> None:
    """Release a file as these keywords ask, and say what was done."""
    with engines.needed():
        from tokumei.release import job_files, pipeline
    start = time.perf_counter()
    quiet, target = given["quiet"], given["target"]
    try:
        with ending_raises(), progress(sys.stderr.isatty() and not quiet, what) as callback:
            wanted = {name: value for name, value in keywords.items() if value is not None}
            wanted |= {"callback": callback}
            job = gather(kind, wanted, source=str(given["source"]), target=str(target))
            if given["save_job"] is not None:
                job_files.write(job, given["save_job"])
            done = pipeline.from_file(job)
    except Refused as refusal:
        if given["as_json"]:
            print_json(refusal.audit)
        raise
    if given["as_json"]:
        print_json(done.audit)
    elif not quiet:
        for name, value in summary(done.audit, target, time.perf_counter() - start):
            print(f"{name:<11} {value}")


def _places(what: str) -> list[inspect.Parameter]:
    file = "A CSV, Parquet or Arrow file, by its ending."
    made = f"The {what.removesuffix('ing')}ed file; its audit is put beside it."
    return [
        inspect.Parameter(
            name,
            inspect.Parameter.POSITIONAL_OR_KEYWORD,
            annotation=Annotated[Path, typer.Argument(metavar=metavar, readable=False, help=help)],
        )
        for name, metavar, help in (("source", "IN", file), ("target", "OUT", made))
    ]


def passed(audit: Audit) -> str:
    """How many checks passed, in words."""
    passed = sum(check["verdict"] == "passed" for check in audit["checks"])
    return f"{passed} of {len(audit['checks'])} passed"
