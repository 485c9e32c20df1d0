"""A command line from lists of options: what `tokumei._check.options` declares, in a shell's words.

Each option is one word on the command line, by the kind of its values: a flag, a word, names with
commas between them, or pairs NAME=WORD. What is written in a way of its own stands in `SPELLED`.
"""

from __future__ import annotations

import csv
import inspect
import types
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import MISSING, Field, dataclass, replace
from functools import cache
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

import typer

from tokumei._check.options import default_of, keyword_of
from tokumei.release.errors import InputError
from tokumei.release.job import own_options

NAMES = "a,b,c"
NOTHING = inspect.Parameter.empty


@dataclass(frozen=True)
class Word:
    """One option as a shell knows it: its name, what stands behind it, its help."""

    name: str
    metavar: str | None = None
    help: str = ""
    kind: Any = list[str]
    default: Any = ()
    flag: str = ""
    option: str = ""  # the field that it stands for

    def parameter(self) -> inspect.Parameter:
        flags = [self.flag] if self.flag else []
        about = typer.Option(*flags, metavar=self.metavar, help=self.help)
        default = NOTHING if self.default is MISSING else self.default
        return inspect.Parameter(
            self.name,
            inspect.Parameter.KEYWORD_ONLY,
            default=list(default) if isinstance(default, tuple) else default,
            annotation=Annotated[self.kind, about],
        )


@dataclass(frozen=True)
class Spelling:
    """An option that is written in words of its own, and how they become its value."""

    words: tuple[Word, ...]
    read: Callable[..., Any]


def words_of(
    kinds: Iterable[type], spelled: Mapping[str, Spelling], kept: type | None = None
) -> list[Word]:
    """The words of these lists of options, in their order; one model is `kept` without a word."""
    words: list[Word] = []
    for kind, each in _options(kinds):
        keyword = keyword_of(each)
        own = spelled[keyword].words if keyword in spelled else (_word(kind, each, kind is kept),)
        words += (replace(word, option=each.name) for word in own)
    return list({word.name: word for word in words}.values())  # models may share one


def read_words(
    kinds: Iterable[type], spelled: Mapping[str, Spelling], given: Mapping[str, Any]
) -> dict[str, Any]:
    """The keyword arguments that these words stand for."""
    keywords: dict[str, Any] = {}
    for kind, each in _options(kinds):
        keyword = keyword_of(each)
        words = [w.name for w in spelled[keyword].words] if keyword in spelled else [keyword]
        if not all(word in given for word in words):
            continue  # what this command does not ask
        if keyword in spelled:
            spelling = spelled[keyword]
            keywords[keyword] = spelling.read(*(given[word.name] for word in spelling.words))
        else:
            keywords[keyword] = _read(_form(kind, each), keyword, given[keyword])
    return keywords


def command(
    words: Sequence[Word], before: Sequence[inspect.Parameter], run: Callable[..., None]
) -> Callable[..., None]:
    """A function whose signature has these words, for typer to read."""

    def made(**given: Any) -> None:
        run(given)

    # What must be given comes first, as in every signature.
    ordered = sorted(
        (word.parameter() for word in words), key=lambda one: one.default is not NOTHING
    )
    signature = inspect.Signature([*before, *ordered])
    made.__signature__ = signature  # type: ignore[attr-defined]
    made.__annotations__ = {name: one.annotation for name, one in signature.parameters.items()}
    made.__doc__, made.__name__ = run.__doc__, run.__name__
    return made


def split_names(given: Sequence[str]) -> list[str]:
    """The names in a,b,c; one that holds a comma is put in quotes, as in CSV."""
    return [name for line in csv.reader(given, skipinitialspace=True) for name in line]


def pairs(option: str, given: Sequence[str]) -> dict[str, str]:
    """``name=word`` as a mapping."""
    found = {}
    for text in given:
        name, equals, word = text.partition("=")
        if not (name and equals and word):
            msg = f"{option} is written as name=word, got {text!r}"
            raise InputError(msg)
        found[name.strip()] = word.strip()
    return found


def numbers(option: str, given: Sequence[str]) -> Mapping[str, float]:
    """``name=number`` as a mapping."""
    rule = f"{option} is written as name=number"
    return {name: number(word, rule) for name, word in pairs(option, given).items()}


def whole(value: float, name: str) -> int:
    """A whole number, or an error that says so."""
    if value != int(value):
        msg = f"{name} is written as name=number, a whole one"
        raise InputError(msg)
    return int(value)


def number(text: str, rule: str) -> float:
    """A number, or an error that says how it is written."""
    try:
        return float(text)
    except ValueError:
        raise InputError(rule) from None


def _options(kinds: Iterable[type]) -> Iterable[tuple[type, Field[Any]]]:
    for kind in kinds:
        for each in own_options(kind):
            yield kind, each


@cache
def _annotations(kind: type) -> dict[str, Any]:
    # They are text, which is evaluated anew at each question, for all fields of the kind.
    return get_type_hints(kind)


def _form(kind: type, each: Field[Any]) -> str:
    """How values of this annotation are written, one of `FORMS`."""
    annotation = _annotations(kind)[each.name]
    origin = get_origin(annotation)
    parts = [one for one in get_args(annotation) if one is not type(None)]
    if origin in (Union, types.UnionType):
        annotation, origin = parts[0], get_origin(parts[0])
        words = any(one is str or get_origin(one) is Literal for one in parts)
        if words and any(one in (int, float) for one in parts):
            return "word or number"
        if annotation is bool:
            return "either"
    if origin is Literal or annotation is str:
        return "word"
    if origin is not None and issubclass(origin, Mapping):
        return {float: "shares", int: "counts"}.get(get_args(annotation)[1], "words")
    if origin is not None and issubclass(origin, Sequence):
        return "names"
    return {bool: "flag", int: "whole", float: "number"}[annotation]


FORMS: dict[str, tuple[Any, str | None]] = {
    "flag": (bool, None),
    "either": (bool | None, None),
    "whole": (int | None, "N"),
    "number": (float | None, "X"),
    "word": (str | None, "WORD"),
    "word or number": (str | None, "WORD"),
    "names": (list[str], NAMES),
    "words": (list[str], "NAME=WORD,..."),
    "shares": (list[str], "NAME=X,..."),
    "counts": (list[str], "NAME=N,..."),
}


def _word(kind: type, each: Field[Any], kept: bool) -> Word:
    form = _form(kind, each)
    annotation, metavar = FORMS[form]
    default = default_of(each)
    keyword = keyword_of(each)
    help = str(each.metadata["description"])
    if hasattr(kind, "model") and not kept and form != "flag":
        default = None  # a model is asked for by its first option
    if FORMS[form][0] == list[str]:
        default = ()
    flag = "-k" if keyword == "k" else f"--{keyword.replace('_', '-')}"
    if form == "either":
        flag = f"{flag}/{flag.replace('--', '--no-')}"
    return Word(keyword, metavar, help, annotation, default, flag)


def _read(form: str, name: str, value: Any) -> Any:
    if form == "names":
        listed = split_names(value)
        return "*" if "*" in listed else listed
    if form == "words":
        return pairs(name, split_names(value))
    if form in ("shares", "counts"):
        found = numbers(name, split_names(value))
        return found if form == "shares" else {one: whole(x, name) for one, x in found.items()}
    if form == "word or number" and isinstance(value, str):
        try:
            return int(value) if value.isdecimal() else float(value)
        except ValueError:
            return value
    return value
