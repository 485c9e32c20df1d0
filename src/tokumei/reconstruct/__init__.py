"""From noisy values back to the distribution they came from."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tokumei.reconstruct.accuracy import l1_accuracy
    from tokumei.reconstruct.automatic import distribution, smooth
    from tokumei.reconstruct.averages import CellDensity, choose_mixture, mixture_average
    from tokumei.reconstruct.bayes import BayesCells, iterative_bayes
    from tokumei.reconstruct.covariances import covariance
    from tokumei.reconstruct.cross_table import CrossTable, table
    from tokumei.reconstruct.distributions import Distribution
    from tokumei.reconstruct.joint import ScaleMixture
    from tokumei.reconstruct.mixture import LaplaceMixture
    from tokumei.reconstruct.rotated import RotatedMixture

# By what they need: each is loaded when it is first asked for.
_HOMES = {
    "BayesCells": "bayes",
    "CellDensity": "averages",
    "CrossTable": "cross_table",
    "Distribution": "distributions",
    "LaplaceMixture": "mixture",
    "RotatedMixture": "rotated",
    "ScaleMixture": "joint",
    "choose_mixture": "averages",
    "covariance": "covariances",
    "distribution": "automatic",
    "iterative_bayes": "bayes",
    "l1_accuracy": "accuracy",
    "mixture_average": "averages",
    "smooth": "automatic",
    "table": "cross_table",
}

__all__ = [
    "BayesCells",
    "CellDensity",
    "CrossTable",
    "Distribution",
    "LaplaceMixture",
    "RotatedMixture",
    "ScaleMixture",
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
