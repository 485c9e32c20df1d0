"""What an estimator takes and does, said as scikit-learn asks for it, which is loaded by then."""

from __future__ import annotations

from typing import Any, ClassVar


class Tagged:
    """The tags of an estimator, for scikit-learn 1.4 and newer."""

    # What it takes, and what not, as scikit-learn's tags of input call it.
    _takes: ClassVar[dict[str, bool]] = {}
    _non_deterministic: ClassVar[bool] = False
    _keeps_dtype: ClassVar[tuple[str, ...]] = ("float64",)
    _estimator_type: ClassVar[str | None] = None

    def __sklearn_tags__(self) -> Any:
        from sklearn.utils import InputTags, Tags, TargetTags, TransformerTags

        changes = hasattr(self, "transform")
        return Tags(
            estimator_type=self._estimator_type,
            target_tags=TargetTags(required=False),
            transformer_tags=TransformerTags(list(self._keeps_dtype)) if changes else None,
            input_tags=InputTags(**self._takes),
            non_deterministic=self._non_deterministic,
        )

    def _more_tags(self) -> dict[str, Any]:
        """The same before scikit-learn 1.6."""
        words = {
            "two_d_array": "2darray",
            "one_d_array": "1darray",
            "string": "string",
            "categorical": "categorical",
        }
        taken = {"two_d_array": True, **self._takes}
        return {
            "X_types": [word for name, word in words.items() if taken.get(name)],
            "non_deterministic": self._non_deterministic,
            "preserves_dtype": list(self._keeps_dtype),
        }
