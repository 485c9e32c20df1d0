"""From noisy values back to the distribution they came from."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tokumei.reconstruct.averages import CellDensity, choose_mixture, mixture_average
    from tokumei.reconstruct.covariances import covariance
    from tokumei.reconstruct.joint import ScaleMixture
    from tokumei.reconstruct.mixture import LaplaceMixture
    from tokumei.reconstruct.rotated import RotatedMixture

# By what they need: each is loaded when it is first asked for.
_HOMES = {
    "CellDensity": "averages",
    "LaplaceMixture": "mixture",
    "RotatedMixture": "rotated",
    "ScaleMixture": "joint",
    "choose_mixture": "averages",
    "covariance": "covariances",
    "mixture_average": "averages",
}

__all__ = [
    "CellDensity",
    "LaplaceMixture",
    "RotatedMixture",
    "ScaleMixture",
    "choose_mixture",
    "covariance",
    "mixture_average",
]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        msg = f"module 'tokumei.reconstruct' has no attribute {name!r}"
        raise AttributeError(msg)
    import importlib

    return getattr(importlib.import_module(f"tokumei.reconstruct.{_HOMES[name]}"), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
