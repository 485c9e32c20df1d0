"""What all estimators share: scikit-learn's shape, not needing scikit-learn."""

from __future__ import annotations

import inspect
import sys
from typing import Any, ClassVar

import numpy as np

from tokumei import _check
from tokumei.values import features
from tokumei.values.tags import Tagged


class Estimator(Tagged):
    """What scikit-learn asks of an estimator: its parameters are its constructor's arguments.

    It knows the columns that it was fitted on, by name where they have names.
    """

    n_features_in_: int
    # A learned attribute, without which it is not fitted.
    _learned: ClassVar[str] = "n_features_in_"

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """The parameters by name."""
        return {name: getattr(self, name) for name in inspect.signature(type(self)).parameters}

    def set_params(self, **params: Any) -> Any:
        """Change parameters by name; returns the estimator."""
        known = self.get_params()
        for name, value in params.items():
            _check.one_of(name, tuple(known), "parameter")
            setattr(self, name, value)
        return self

    def __repr__(self) -> str:
        defaults = inspect.signature(type(self)).parameters
        given = [
            f"{name}={value!r}"
            for name, value in self.get_params().items()
            if defaults[name].default is inspect.Parameter.empty
            or not _same(value, defaults[name].default)
        ]
        return f"{type(self).__name__}({', '.join(given)})"

    def _check_fitted(self) -> None:
        if not hasattr(self, self._learned):
            msg = f"this {type(self).__name__} is not fitted yet; call fit or fit_transform"
            raise _not_fitted()(msg)

    def _admit(self, X: Any, *, fitting: bool, least_rows: int = 1) -> Any:
        """A table as this estimator may take it; its columns are learned, or are those learned."""
        table, width = features.admitted(X, least_rows)
        features.check_names(self, table, fitting=fitting)
        if fitting:
            self.n_features_in_ = width
        elif width != self.n_features_in_:
            msg = (
                f"X has {width} features, but {type(self).__name__} is expecting "
                f"{self.n_features_in_} features as input"
            )
            raise ValueError(msg)
        return table


def _same(value: Any, default: Any) -> bool:
    """Whether a parameter is its default; what cannot be compared is not."""
    if value is default:
        return True
    if isinstance(value, np.ndarray) or isinstance(default, np.ndarray):
        return False
    try:
        return bool(value == default)
    except (TypeError, ValueError):
        return False


def _not_fitted() -> type[Exception]:
    """The error of scikit-learn where it is loaded, a ValueError too; who knows it has it."""
    home = sys.modules.get("sklearn.exceptions")
    found: type[Exception] = getattr(home, "NotFittedError", ValueError)
    return found
