"""What a perturbation is asked to do, checked before any work."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from tokumei import _check
from tokumei.noise import Attribute
from tokumei.release.errors import InputError
from tokumei.release.schema import Schema


@dataclass(frozen=True)
class PerturbJob:
    """A perturbation as it is asked for; `roles` are the names given for each role."""

    roles: dict[str, object]
    attributes: Mapping[str, Attribute]
    k: int
    clip: bool
    bounds: str
    keep_order: bool
    run: _check.Run
    insecure_seed_for_tests: int | None = None

    def asked(self, roles: Schema) -> dict[str, Any]:
        """The roles and parameters, as an audit holds them."""
        return {
            "roles": dict(roles.roles),
            "parameters": {
                "k": self.k,
                "clip": self.clip,
                "bounds": self.bounds,
                "keep_order": self.keep_order,
                "attributes": {name: _told(each) for name, each in self.attributes.items()},
            },
        }

    @property
    def random_numbers(self) -> str:
        """Where the noise came from."""
        seeded = self.insecure_seed_for_tests is not None
        return "a seed: not private" if seeded else "operating system"


def _told(attribute: Attribute) -> dict[str, Any]:
    """What was publicly known of an attribute and asked for; of categories their number."""
    told = {name: value for name, value in vars(attribute).items() if value is not None}
    if attribute.categories is not None:
        told["categories"] = len(attribute.categories)
    if attribute.cells is not None:
        told["cells"] = np.asarray(attribute.cells).tolist()
    return told


def perturb_job(
    attributes: Mapping[str, Attribute],
    *,
    identifier: Sequence[str],
    drop: Sequence[str] | str,
    k: int,
    clip: bool,
    bounds: str,
    keep_order: bool,
    n_threads: int | None,
    callback: _check.Callback | None,
    insecure_seed_for_tests: int | None,
) -> PerturbJob:
    """A job of arguments that can be right; what depends on the table is checked with it."""
    try:
        if not isinstance(attributes, Mapping):
            msg = f"attributes must map columns to Attribute, got {type(attributes).__name__}"
            raise TypeError(msg)
        for attribute in attributes.values():
            _check.instance(attribute, Attribute, "attributes")
        k = _check.at_least(k, 2, "k")
        clip, keep_order = _check.flag(clip, "clip"), _check.flag(keep_order, "keep_order")
        _check.one_of(bounds, ("public", "data"), "bounds")
        run = _check.run(n_threads, callback)
    except (TypeError, ValueError) as error:  # these messages are the library's own
        raise InputError(str(error)) from None
    return PerturbJob(
        roles={"perturbed": list(attributes), "identifier": identifier, "dropped": drop},
        attributes=dict(attributes),
        k=k,
        clip=clip,
        bounds=bounds,
        keep_order=keep_order,
        run=run,
        insecure_seed_for_tests=insecure_seed_for_tests,
    )
