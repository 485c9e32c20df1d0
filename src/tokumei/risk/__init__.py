"""What risk remains in a table, or in what is released of it, measured."""

from tokumei.risk.assess import Assessment, assess
from tokumei.risk.attack import Attacked, attack
from tokumei.risk.attacks.outcome import Attack
from tokumei.risk.attacks.rates import Rate
from tokumei.risk.classes import ClassSizes, class_sizes
from tokumei.risk.columns import ColumnRisk, columns
from tokumei.risk.dominance import Dominance, dominance
from tokumei.risk.homogeneity import Homogeneity, homogeneity
from tokumei.risk.individual import IndividualRisk, individual
from tokumei.risk.models import ModelRisk
from tokumei.risk.noise_attack import NoiseAttack, noise_attack
from tokumei.risk.population_uniqueness import (
    PopulationEstimate,
    PopulationUniqueness,
    population_uniqueness,
)
from tokumei.risk.reidentification import Reidentification, reidentification
from tokumei.risk.special_uniques import SpecialUniques, special_uniques

__all__ = [
    "Assessment",
    "Attack",
    "Attacked",
    "ClassSizes",
    "ColumnRisk",
    "Dominance",
    "Homogeneity",
    "IndividualRisk",
    "ModelRisk",
    "NoiseAttack",
    "PopulationEstimate",
    "PopulationUniqueness",
    "Rate",
    "Reidentification",
    "SpecialUniques",
    "assess",
    "attack",
    "class_sizes",
    "columns",
    "dominance",
    "homogeneity",
    "individual",
    "noise_attack",
    "population_uniqueness",
    "reidentification",
    "special_uniques",
]
