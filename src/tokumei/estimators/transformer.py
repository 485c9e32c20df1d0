"""Estimators that give a table for a table, with as many columns, by the same names.

They inherit scikit-learn's mixins where it is installed: who asks for a class of this room loads
it, `import tokumei` does not. Without it they fit and transform all the same.
"""

from __future__ import annotations

from typing import Any

from tokumei.values import features
from tokumei.values.estimator import Estimator


def _mixins() -> tuple[type, ...]:
    try:
        from sklearn.base import BaseEstimator, TransformerMixin
    except ImportError:
        return ()
    # They bring set_output, set_fit_request, the routing of metadata and the picture in a notebook.
    return TransformerMixin, BaseEstimator


class Transformer(Estimator, *_mixins()):  # type: ignore[misc]
    """What scikit-learn asks of one beside what its mixins do."""

    def get_feature_names_out(self, input_features: Any = None) -> Any:
        """The names of the columns that come out: those that came in, or x0, x1, ..."""
        self._check_fitted()
        return features.named(self, input_features)
