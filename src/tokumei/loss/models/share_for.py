"""The other way round: which minimum share keeps the loss of models within what is wanted."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Unpack

import numpy as np

from tokumei import _check
from tokumei.loss.models.classifiers import MEASURES
from tokumei.loss.models.model_loss import ModelLoss
from tokumei.loss.models.modelling import ModelOptions, model
from tokumei.recode.recoding import Recoding
from tokumei.recode.share import by_share
from tokumei.values.tables import table

# From shares that hardly merge anything to those that leave a few categories.
SHARES = (0.001, 0.002, 0.005, 0.01, 0.02, 0.03, 0.05, 0.07, 0.1)


@dataclass(frozen=True, repr=False)
class ShareForLoss:
    """The share that was asked for, and what every share that was tried costs.

    Attributes
    ----------
    share : float
        The largest share up to which no share that was tried costs more than wanted; 0, which
        changes nothing, where the smallest already does.
    losses : dict
        The mean loss over all models by share.
    recodings : dict
        The recoding of each column at `share`; empty where that is 0.
    models : ModelLoss
        Every model, for a closer look.
    """

    share: float
    losses: Mapping[float, float]
    recodings: Mapping[Any, Recoding]
    models: ModelLoss

    def __repr__(self) -> str:
        return f"<ShareForLoss {self.share:g} of {len(self.losses)} shares>"


def share_for(
    original: Any,
    loss: float,
    *,
    measure: str = "recall",
    shares: Sequence[float] = SHARES,
    rule: str = "smallest",
    **options: Unpack[ModelOptions],
) -> ShareForLoss:
    """The largest minimum share whose recoding costs models no more than so much.

    Every column is recoded by each share (`recode.by_share`), the models of `model` are fitted to
    each, and shares are taken from the smallest up for as long as the mean loss over all
    models is at most `loss`.

    Parameters
    ----------
    original : table of categories
        A mapping of columns, a dataframe, or an array of two dimensions.
    loss : float
        The mean loss that is acceptable, from 0 to 1.
    measure : {"recall", "precision", "f", "accuracy"}
        What a model loses. The recoding paper ends with recall, which grows with the share.
    shares : sequence of float
        The shares to try.
    rule : str
        What is merged with what, see `recode.by_share`.
    **options
        The options of `model`.

    Returns
    -------
    ShareForLoss
        With `share`, `losses`, `recodings` and `models`.

    Examples
    --------
    >>> import tokumei as tk
    >>> table = {"job": ["farm", "wood"] * 3 + ["shop"] * 14, "tool": ["axe"] * 6 + ["till"] * 14}
    >>> found = tk.loss.share_for(table, 0.05, shares=[0.1, 0.2], n_jobs=1)
    >>> found.share, {share: round(lost, 3) for share, lost in found.losses.items()}
    (0.2, {0.1: 0.0, 0.2: 0.0})
    """
    columns = table(original, "original")
    wanted = _check.number(loss, "loss")
    if not 0.0 <= wanted <= 1.0:
        msg = f"loss must be between 0 and 1, got {loss}"
        raise ValueError(msg)
    _check.one_of(measure, MEASURES, "measure")
    tried = sorted({_check.inside(share, 0.0, 1.0, "shares") for share in shares})
    if not tried:
        msg = "shares must name at least one share to try"
        raise ValueError(msg)
    recodings = {
        share: {key: by_share(one.source, share, rule=rule) for key, one in columns.items()}
        for share in tried
    }
    maskings = {
        share: {key: recoding.values for key, recoding in of_columns.items()}
        for share, of_columns in recodings.items()
    }
    share, losses, models = largest_share(columns, maskings, wanted, measure, **options)
    return ShareForLoss(share, losses, recodings.get(share, {}), models)


def largest_share(
    columns: Mapping[Any, Any],
    maskings: Mapping[float, Mapping[Any, Any]],
    loss: float,
    measure: str,
    **options: Unpack[ModelOptions],
) -> tuple[float, dict[float, float], ModelLoss]:
    """The largest share up to which no masking costs more, 0 for none; what each costs; and why.

    `maskings` are the columns after recoding by each share, from the smallest.
    """
    models = model(columns, maskings, **options)
    losses = {share: mean_loss(models, share, measure) for share in maskings}
    largest = 0.0
    for share, lost in losses.items():
        if lost > loss:
            break
        largest = share
    return largest, losses, models


def mean_loss(models: ModelLoss, masking: Any, measure: str) -> float:
    """What all models lose on average by a masking."""
    lost = [getattr(row.loss, measure) for row in models.rows if row.masking == masking]
    return float(np.mean(lost))
