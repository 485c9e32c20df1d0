"""What all estimators share: scikit-learn's shape, not needing scikit-learn."""

from __future__ import annotations

import inspect
from typing import Any

from tokumei import _check


class Estimator:
    """What scikit-learn asks of an estimator: its parameters are its constructor's arguments."""

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
            if defaults[name].default is inspect.Parameter.empty or value != defaults[name].default
        ]
        return f"{type(self).__name__}({', '.join(given)})"

    def __sklearn_tags__(self) -> Any:
        # Asked for by scikit-learn only, so it is there.
        from sklearn.utils import InputTags, Tags, TargetTags, TransformerTags

        return Tags(
            estimator_type=None,
            target_tags=TargetTags(required=False),
            transformer_tags=TransformerTags(),
            input_tags=InputTags(),
        )
