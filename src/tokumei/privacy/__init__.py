"""What is asked of every group of a release, one file a model, named as in the literature."""

from tokumei.privacy.beta_likeness import BetaLikeness
from tokumei.privacy.delta_presence import DeltaPresence
from tokumei.privacy.k_anonymity import KAnonymity
from tokumei.privacy.k_map import KMap
from tokumei.privacy.l_diversity import LDiversity
from tokumei.privacy.min_households import MinHouseholds
from tokumei.privacy.model import Model
from tokumei.privacy.pk_anonymity import PkAnonymity
from tokumei.privacy.t_closeness import TCloseness

__all__ = [
    "BetaLikeness",
    "DeltaPresence",
    "KAnonymity",
    "KMap",
    "LDiversity",
    "MinHouseholds",
    "Model",
    "PkAnonymity",
    "TCloseness",
]
