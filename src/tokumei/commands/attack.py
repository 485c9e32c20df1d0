"""The subcommand ``tokumei attack``."""

from __future__ import annotations

import inspect
import json
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

import typer

from tokumei.commands.app import app
from tokumei.commands.derive import Word, command, read_words, words_of
from tokumei.release import engines
from tokumei.risk.attack import Attacking
from tokumei.risk.attacks.outcome import Attack

ALWAYS = (
    Word("control", "FILE", "People who are not in the release.", Path | None, None),
    Word("delimiter", "D", "What separates cells in CSV; found in header lines.", str | None, None),
    Word("as_json", None, "Print what attacks came to as JSON.", bool, False, "--json"),
)


def attack(given: dict[str, Any]) -> None:
    """Attack a release as an adversary would: singling out, linkability, inference and more.

    Columns that others may know, and sensitive ones, are those of RELEASE.audit.json, unless they
    are named. A control group says what the release adds to what is true of everybody.
    """
    with engines.needed():
        from tokumei.release.attack_files import attack_files
        from tokumei.release.io.staging import ending_raises
    keywords = read_words([Attacking], {}, given)
    keywords["known"] = keywords["known"] or None
    with ending_raises():
        found = attack_files(
            given["original"],
            given["release"],
            Attacking(**keywords),
            control=given["control"],
            delimiter=given["delimiter"],
        )
    if given["as_json"]:
        losses = [{"name": "anonymity loss"} | asdict(loss) for loss in found.losses]
        print(json.dumps([*map(_plain, found.attacks), *losses], indent=2))
        return
    print(found)


def _plain(one: Attack) -> dict[str, Any]:
    rates = {"attack": one.attack_rate, "control": one.control_rate, "baseline": one.baseline_rate}
    shown = {name: None if rate is None else asdict(rate) for name, rate in rates.items()}
    return {
        "name": one.name,
        "knows": one.knows,
        "attempts": one.attempts,
        **shown,
        "risk": asdict(one.risk),
        "columns": list(map(str, one.columns)),
        "note": one.note,
    }


def _place(name: str, help: str) -> inspect.Parameter:
    about = typer.Argument(metavar=name.upper(), readable=False, help=help)
    return inspect.Parameter(
        name, inspect.Parameter.POSITIONAL_OR_KEYWORD, annotation=Annotated[Path, about]
    )


app.command()(
    command(
        [*words_of([Attacking], {}), *ALWAYS],
        [
            _place("original", "The records as they were."),
            _place("release", "What was released of them."),
        ],
        attack,
    )
)
