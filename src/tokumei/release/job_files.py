"""A job in a file: TOML in, TOML out, and the JSON Schema of both.

What a file may hold are the options of the job's sections (`tokumei.release.job`); their types are
checked by pydantic, their rules by the options themselves.
"""

from __future__ import annotations

import json
import os
import re
import tomllib
from collections.abc import Mapping
from dataclasses import replace
from difflib import get_close_matches
from functools import cache
from pathlib import Path
from typing import Any

from tokumei import _check
from tokumei._check.options import options_of
from tokumei.release.errors import InputError, as_input_error
from tokumei.release.job import STEPS, Job, requested_of
from tokumei.release.mask import step as _mask  # noqa: F401 - they put themselves among the steps
from tokumei.release.perturb import step as _perturb  # noqa: F401
from tokumei.release.recode import step as _recode  # noqa: F401
from tokumei.release.schema import Columns
from tokumei.release.sections import Gate, Output, Report, Source, is_url
from tokumei.release.toml_places import place_of

SECTIONS = {
    "source": Source,
    "schema": Columns,
    "gate": Gate,
    "output": Output,
    "report": Report,
}
PLACES = ("source", "output", "report")  # the sections that name a file
LISTS = ("steps", "privacy")


class _Misplaced(InputError):
    """What is wrong with an option, and the way to it: names of tables and places in lists."""

    def __init__(self, message: str, where: str, *names: str | int) -> None:
        super().__init__(message)
        _, colon, table = where.rpartition(": ")
        way = re.findall(r"\w+", table) if colon else []
        self.way = (*(int(each) if each.isdecimal() else each for each in way), *names)


def read(path: Path, run: _check.Run) -> Job:
    """The job of a TOML file, its paths taken from the folder of the file."""
    with as_input_error(f"cannot read {path.name}"):
        text = path.read_text(encoding="utf-8")
    try:
        sections = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:  # it tells the place, and nothing of the text
        msg = f"{path.name} is no TOML: {error}"
        raise InputError(msg) from None
    try:
        job = from_sections(sections, path.name)
    except _Misplaced as error:
        place = place_of(text, error.way)
        where = f" (line {place[0]}, column {place[1]})" if place else ""
        msg = f"{error}{where}"
        raise InputError(msg) from None
    return replace(
        job,
        **{name: _beside(getattr(job, name), path) for name in PLACES},
        privacy=tuple(_with_population(model, path.parent) for model in job.privacy),
        run=run,
    )


def from_sections(sections: Mapping[str, Any], called: str) -> Job:
    """The job of these sections; messages call it so."""
    _known(sections, (*SECTIONS, *LISTS), called)
    made = {
        name: _made(kind, sections.get(name, {}), f"{called}: {name}")
        for name, kind in SECTIONS.items()
    }
    steps = tuple(
        _tagged(table, "do", STEPS, f"{called}: steps[{number}]")
        for number, table in enumerate(sections.get("steps", ()))
    )
    if not steps:
        msg = f"{called}: a job has one step or more"
        raise InputError(msg)
    models = {model.model: model for step in steps for model in step.models}
    privacy = tuple(
        _tagged(table, "model", models, f"{called}: privacy[{number}]")
        for number, table in enumerate(sections.get("privacy", ()))
    )
    kept = dict.fromkeys(step.keeps for step in steps if step.keeps is not None)
    by_default = tuple(model() for model in kept if not any(isinstance(p, model) for p in privacy))
    return Job(steps=steps, privacy=by_default + privacy, **made)


def write(job: Job, path: Path) -> None:
    """Write a job as TOML, its paths seen from the folder of the file; defaults are left out."""
    import tomlkit

    places = {name: _seen_from(getattr(job, name), path) for name in PLACES}
    privacy = tuple(_with_population(model, Path.cwd()) for model in job.privacy)
    seen = replace(job, privacy=privacy, **places)
    with as_input_error(f"cannot write {path.name}"):
        path.write_text(tomlkit.dumps(requested_of(seen)), encoding="utf-8")


def schema() -> dict[str, Any]:
    """The JSON Schema of a job file."""
    models = {model.model: model for step in STEPS.values() for model in step.models}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "A job of tokumei",
        "type": "object",
        "properties": {
            **{name: _schema_of(kind) for name, kind in SECTIONS.items()},
            "steps": _list_of("do", STEPS),
            "privacy": _list_of("model", models),
        },
        "required": ["schema", "steps"],
        "additionalProperties": False,
    }


def schema_text() -> str:
    """The JSON Schema as text."""
    return json.dumps(schema(), indent=2, ensure_ascii=False) + "\n"


def _beside(place: Any, path: Path) -> Any:
    if place.path is None or is_url(place.path):
        return place
    return replace(place, path=str(path.parent / place.path))


def _with_population(model: Any, folder: Path) -> Any:
    place = getattr(model, "population", None)
    return replace(model, population=str(folder / place)) if isinstance(place, str) else model


def _seen_from(place: Any, path: Path) -> Any:
    if place.path is None or is_url(place.path):
        return place
    return replace(place, path=os.path.relpath(place.path, path.parent))


def _tagged(table: Any, tag: str, kinds: Mapping[str, type], where: str) -> Any:
    if not isinstance(table, Mapping) or table.get(tag) not in kinds:
        msg = f"{where} needs {tag}: one of {', '.join(map(repr, kinds))}"
        raise _Misplaced(msg, where, tag)
    return _made(kinds[table[tag]], {k: v for k, v in table.items() if k != tag}, where)


@cache
def _adapter(kind: type) -> Any:
    from pydantic import TypeAdapter

    return TypeAdapter(kind)


def _made(kind: type, table: Any, where: str) -> Any:
    """A list of options from a table of a file."""
    from pydantic import ValidationError

    if not isinstance(table, Mapping):
        msg = f"{where} must be a table"
        raise _Misplaced(msg, where)
    _known(table, [each.name for each in options_of(kind)], where)
    try:
        return _adapter(kind).validate_python(dict(table))
    except ValidationError as error:
        first = error.errors(include_input=False, include_url=False)[0]
        place = ".".join(map(str, first["loc"]))
        msg = f"{where}{'.' * bool(place)}{place}: {first['msg'].removeprefix('Value error, ')}"
        raise _Misplaced(msg, where, *first["loc"]) from None
    except TypeError as error:  # these messages are the library's own
        msg = f"{where}: {error}"
        raise _Misplaced(msg, where) from None


def _known(table: Mapping[str, Any], names: Any, where: str) -> None:
    for name in table:
        if name not in names:
            near = get_close_matches(name, list(names), n=1)
            hint = f"; did you mean {near[0]!r}?" if near else ""
            msg = f"{where} has no option {name!r}{hint}"
            raise _Misplaced(msg, where, name)


def _schema_of(kind: type) -> dict[str, Any]:
    made: dict[str, Any] = _adapter(kind).json_schema()
    return made | {"additionalProperties": False}


def _list_of(tag: str, kinds: Mapping[str, type]) -> dict[str, Any]:
    def one(name: str, kind: type) -> dict[str, Any]:
        made = _schema_of(kind)
        made["properties"] = {tag: {"const": name}} | made.get("properties", {})
        made["required"] = [tag, *made.get("required", [])]
        return made

    return {"type": "array", "items": {"oneOf": [one(*item) for item in kinds.items()]}}
