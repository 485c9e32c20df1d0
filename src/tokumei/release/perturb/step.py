"""Noise under a bound on linkage as a step of a job."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Literal

import numpy as np

from tokumei import _check
from tokumei._check.options import by_column, choice, option, optional
from tokumei.noise import Attribute
from tokumei.privacy import PkAnonymity
from tokumei.release.job import STEPS, Job, Step
from tokumei.release.schema import Schema
from tokumei.release.sections import Output

if TYPE_CHECKING:
    from tokumei.release.io.frames import Frame
    from tokumei.release.perturb.perturbation import Draft


def _attribute(value: Any, name: str) -> Attribute:
    _check.instance(value, Attribute, "attributes")
    checked: Attribute = value
    return checked


def _public(attributes: Mapping[str, Attribute]) -> dict[str, Any]:
    """What was publicly known of attributes and asked for; of categories their number."""
    return {name: _public_of(each) for name, each in attributes.items()}


def _public_of(attribute: Attribute) -> dict[str, Any]:
    known = {name: value for name, value in vars(attribute).items() if value is not None}
    if attribute.categories is not None:
        known["categories"] = len(attribute.categories)
    if attribute.cells is not None:
        known["cells"] = np.asarray(attribute.cells).tolist()
    return known


@dataclass(frozen=True)
class Perturb(Step):
    """A released row is linked to its record with probability 1/k at most."""

    attributes: Mapping[str, Attribute] = option(
        rule=by_column(_attribute, "the attribute"),
        help="The columns to release and what is publicly known of each.",
        shown=_public,
    )
    clip: bool = option(
        False, rule=_check.flag, help="Move values outside the bounds to the nearest one."
    )
    bounds: Literal["public", "data"] = option(
        "public",
        rule=choice("public", "data"),
        help="public; or data, which takes bounds from cells and guards nothing.",
    )
    insecure_seed_for_tests: int | None = option(
        None,
        rule=optional(_check.whole),
        help="Draw from a seed: the gate refuses the result, which is not private.",
    )

    do: ClassVar[str] = "perturb"
    columns: ClassVar[tuple[str, ...]] = ("identifier", "drop")
    models: ClassVar[tuple[type[Any], ...]] = (PkAnonymity,)
    keeps: ClassVar[type[Any]] = PkAnonymity
    role: ClassVar[str] = "perturbed"
    shuffles: ClassVar[bool] = True

    def named(self) -> dict[str, list[str]]:
        return {"perturbed": list(self.attributes)}

    def categorical(self) -> set[str]:
        return {name for name, one in self.attributes.items() if one.categories is not None}

    def random_numbers(self, output: Output) -> str:
        seeded = self.insecure_seed_for_tests is not None
        return "a seed: not private" if seeded else "operating system"

    def draft(self, job: Job, roles: Schema, frame: Frame) -> Draft:
        from tokumei.release.perturb import perturbation  # loaded when it is done

        return perturbation.draft(job, self, roles, frame)


STEPS[Perturb.do] = Perturb
