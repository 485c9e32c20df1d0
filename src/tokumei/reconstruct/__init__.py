"""From noisy values back to the distribution they came from."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tokumei.reconstruct.advice import Advice, Expected, advise
    from tokumei.reconstruct.automatic import distribution, smooth
    from tokumei.reconstruct.categories import Categories
    from tokumei.reconstruct.cells.accuracy import l1_accuracy
    from tokumei.reconstruct.cells.distribution import Distribution
    from tokumei.reconstruct.cells.iterative_bayes import BayesCells, iterative_bayes
    from tokumei.reconstruct.joint.covariances import covariance
    from tokumei.reconstruct.joint.cross_table import CrossTable
    from tokumei.reconstruct.joint.diagonal import DiagonalMixture
    from tokumei.reconstruct.joint.rotated import RotatedMixture
    from tokumei.reconstruct.joint.scale_mixture import ScaleMixture
    from tokumei.reconstruct.joint.table import table
    from tokumei.reconstruct.mixture.averages import CellDensity, mixture_average
    from tokumei.reconstruct.mixture.choice import choose_mixture
    from tokumei.reconstruct.mixture.laplace_mixture import LaplaceMixture

# By what they need: each is loaded when it is first asked for.
_HOMES = {
    "Advice": "advice",
    "BayesCells": "cells.iterative_bayes",
    "Categories": "categories",
    "CellDensity": "mixture.averages",
    "CrossTable": "joint.cross_table",
    "DiagonalMixture": "joint.diagonal",
    "Distribution": "cells.distribution",
    "Expected": "advice",
    "LaplaceMixture": "mixture.laplace_mixture",
    "RotatedMixture": "joint.rotated",
    "ScaleMixture": "joint.scale_mixture",
    "advise": "advice",
    "choose_mixture": "mixture.choice",
    "covariance": "joint.covariances",
    "distribution": "automatic",
    "iterative_bayes": "cells.iterative_bayes",
    "l1_accuracy": "cells.accuracy",
    "mixture_average": "mixture.averages",
    "smooth": "automatic",
    "table": "joint.table",
}

__all__ = [
    "Advice",
    "BayesCells",
    "Categories",
    "CellDensity",
    "CrossTable",
    "DiagonalMixture",
    "Distribution",
    "Expected",
    "LaplaceMixture",
    "RotatedMixture",
    "ScaleMixture",
    "advise",
    "choose_mixture",
    "covariance",
    "distribution",
    "iterative_bayes",
    "l1_accuracy",
    "mixture_average",
    "smooth",
    "table",
]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        msg = f"module 'tokumei.reconstruct' has no attribute {name!r}"
        raise AttributeError(msg)
    import importlib

    return getattr(importlib.import_module(f"tokumei.reconstruct.{_HOMES[name]}"), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
