"""What is asked for, whole: source, schema, steps, privacy, gate, output, report; how it is run.

A `Job` is made of lists of options (`tokumei._check.options`), each declared once. Functions gather
their keyword arguments into one, files are read into one, and from its fields come the audit and
the hash: the options that differ from their defaults, so that a new option changes no old hash.
What only says how a job is run is recorded, never hashed.
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from tokumei import _check
from tokumei._check.options import (
    Options,
    default_of,
    keyword_of,
    nothing,
    options_of,
)
from tokumei.privacy import KAnonymity, Model
from tokumei.release.errors import InputError
from tokumei.release.schema import Columns, Schema
from tokumei.release.sections import Gate, Output, Report, Source, is_url
from tokumei.values.hierarchy import Hierarchy


class Step(Options):
    """What is done to the table: a list of options, and the room that does it.

    A step says which options of the schema it knows (`columns`), and stands in `STEPS` by its name.
    `role` is that of the columns that it changes and that its options name. `keeps` is the model
    that it makes true; `models` are those that can be counted in a table that it made last, and
    `gate` the options of the gate that decide something there.
    """

    do: ClassVar[str]
    role: ClassVar[str] = "quasi"
    columns: ClassVar[tuple[str, ...]]
    models: ClassVar[tuple[type[Any], ...]]
    keeps: ClassVar[type[Any] | None] = None
    gate: ClassVar[tuple[str, ...]] = ()
    shuffles: ClassVar[bool] = False  # by itself; other tables are shuffled at the end

    def named(self) -> Mapping[str, Iterable[str]]:
        """The columns that have their role from this step."""
        return {}

    def categorical(self) -> set[str]:
        """The columns of which this step says that they hold categories."""
        return set()

    def random_numbers(self, output: Output) -> str:
        """Where chance comes from, as the audit says it."""
        return "none" if output.keep_order else "operating system"

    def draft(self, job: Job, roles: Schema, frame: Any) -> Any:
        """The table that this step makes of another, judged by nobody yet."""
        raise NotImplementedError


# Every step by its name, as rooms declare them.
STEPS: dict[str, type[Step]] = {}


@dataclass(frozen=True)
class Job:
    """A release as it is asked for: its steps are done one after another, then it is judged."""

    steps: tuple[Step, ...]
    privacy: tuple[Model, ...]
    schema: Columns
    source: Source = field(default_factory=Source)
    gate: Gate = field(default_factory=Gate)
    output: Output = field(default_factory=Output)
    report: Report = field(default_factory=Report)
    run: _check.Run = field(default_factory=_check.run)  # recorded, never hashed

    @property
    def role(self) -> str:
        """The role of the columns that it changes."""
        return self.steps[-1].role

    @property
    def of_folder(self) -> bool:
        """Whether its source is a data set: a folder, or the URL of one."""
        path = self.source.path
        return path is not None and (is_url(path) or Path(path).is_dir())

    def model(self, kind: type[Any]) -> Any:
        """The model of that class, or None where it is not asked for."""
        return next((each for each in self.privacy if isinstance(each, kind)), None)

    def check(self) -> None:
        """Refuse steps of which a later one undoes what an earlier one keeps."""
        if not self.steps:
            msg = "a job has one step or more"
            raise InputError(msg)
        *earlier, last = self.steps
        for step in earlier:
            if step.keeps is not None and (step.keeps not in last.models or step.shuffles):
                msg = (
                    f"{step.do} and then {last.do} cannot be one job: {step.keeps.model}, which "
                    f"{step.do} keeps, cannot be counted again after {last.do}"
                )
                raise InputError(msg)
        for step in self.steps:
            if step.keeps is not None and self.model(step.keeps) is None:
                msg = f"{step.do} needs {step.keeps.model} among the models of the job"
                raise InputError(msg)
        for model in self.privacy:
            if not isinstance(model, last.models):
                msg = f"{model.model} cannot be counted in a table that {last.do} leaves"
                raise InputError(msg)
        described = (
            ("kinds", "orders", "trees") if any("kinds" in s.columns for s in earlier) else ()
        )
        for name in plain(self.schema):
            if name not in (*last.columns, *described):
                msg = f"{last.do} knows no option {name!r} of the schema"
                raise InputError(msg)
        for name in plain(self.gate):
            if name not in last.gate or self.model(KAnonymity) is None:
                msg = f"the gate's option {name!r} decides nothing where k-anonymity is not asked"
                raise InputError(msg)

    @property
    def sha256(self) -> str:
        """A hash of everything that is asked for and differs from its default."""
        canonical = json.dumps(
            requested_of(self), sort_keys=True, ensure_ascii=False, separators=(",", ":")
        )
        return hashlib.sha256(canonical.encode("utf-8", "surrogatepass")).hexdigest()


def requested_of(job: Job) -> dict[str, Any]:
    """What differs from the defaults, section by section, as JSON and TOML can hold it."""
    sections = {
        "source": plain(job.source),
        "schema": plain(job.schema),
        "steps": [{"do": step.do} | plain(step) for step in job.steps],
        "privacy": [{"model": model.model} | plain(model) for model in job.privacy],
        "gate": plain(job.gate),
        "output": plain(job.output),
        "report": plain(job.report),
    }
    return {name: section for name, section in sections.items() if section}


def shown_of(job: Job) -> dict[str, Any]:
    """Every option that an audit may show, section by section; of others, how many there are."""
    return {
        "schema": _shown(job.schema),
        "steps": [{"do": step.do} | _shown(step) for step in job.steps],
        "privacy": [{"model": model.model} | _shown(model) for model in job.privacy],
        "gate": _shown(job.gate),
        "output": _shown(job.output),
        "report": _shown(job.report),
    }


def gather(kind: type[Any], keywords: Mapping[str, Any], **places: Any) -> Job:
    """The job of one step from the keyword arguments of a function.

    Keywords that are not there have their defaults. Raises InputError for those that cannot be.
    """
    try:
        schema = _made(Columns, keywords)
        return Job(
            steps=(_made(kind, keywords),),
            privacy=tuple(_models(kind, schema, keywords)),
            schema=schema,
            source=_made(Source, {**keywords, "path": places.get("source")}),
            gate=_made(Gate, keywords),
            output=_made(Output, {**keywords, "path": places.get("target")}),
            report=_made(Report, keywords),
            run=_check.run(keywords.get("n_threads"), keywords.get("callback")),
        )
    except (TypeError, ValueError) as error:  # these messages are the library's own
        raise InputError(str(error)) from None


def _made(kind: type[Any], keywords: Mapping[str, Any]) -> Any:
    wanted = {
        each.name: keywords[keyword_of(each)]
        for each in options_of(kind)
        if keyword_of(each) in keywords
    }
    # "Nothing said" is None in signatures whose default is an empty mapping.
    return kind(**{name: value for name, value in wanted.items() if value is not None})


def _models(kind: type[Any], schema: Columns, keywords: Mapping[str, Any]) -> Iterable[Model]:
    """The models that the keywords ask for; the first option of each says whether it is."""
    asked = [m for m in kind.models if keywords.get(keyword_of(own_options(m)[0])) is not None]
    known = {keyword_of(each) for model in asked for each in own_options(model)}
    for model in kind.models:
        first, *others = own_options(model)
        if model not in asked:
            for each in others:
                given = keywords.get(keyword_of(each))
                unused = given is None or _same(given, default_of(each))
                if keyword_of(each) not in known and not unused:
                    msg = f"{keyword_of(each)} goes with {keyword_of(first)}"
                    raise ValueError(msg)
            continue
        if len(options_of(model)) == len(own_options(model)):
            yield _made(model, keywords)
            continue
        for column in schema.columns_of(model):
            yield _made(model, {**keywords, "column": column})


def own_options(model: type[Any]) -> list[dataclasses.Field[Any]]:
    """The options of a model but the column, which its role names; the first asks for the model."""
    return [each for each in options_of(model) if each.name != "column"]


def plain(value: Any) -> Any:
    """A value as JSON and TOML can hold it; of a dataclass what differs from its defaults."""
    if dataclasses.is_dataclass(value):
        return {
            each.name: plain(getattr(value, each.name))
            for each in dataclasses.fields(value)
            if not _same(getattr(value, each.name), default_of(each))
        }
    if isinstance(value, Hierarchy):
        return plain(value.parents)
    if isinstance(value, Mapping):
        if all(isinstance(key, str) for key in value):
            return {key: plain(each) for key, each in value.items()}
        return [[plain(key), plain(each)] for key, each in value.items()]
    if isinstance(value, list | tuple):
        return [plain(each) for each in value]
    if isinstance(value, np.ndarray | np.generic):
        return value.tolist()
    return value if isinstance(value, str | bool | int | float | None) else str(value)


def _same(one: Any, other: Any) -> bool:
    return type(one) is type(other) and bool(np.array_equal(one, other))


def _shown(options: Any) -> dict[str, Any]:
    """What an audit holds of a list of options."""
    held = {
        each.name: each.metadata["shown"](getattr(options, each.name))
        for each in options_of(type(options))
        if each.metadata["shown"] is not nothing
    }
    return {name: plain(value) for name, value in held.items()}
