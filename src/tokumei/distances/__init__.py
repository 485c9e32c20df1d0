"""What "far apart" means for each kind of value."""

from tokumei.distances.callable import Callable
from tokumei.distances.categories import Discrete, Ordinal
from tokumei.distances.distance import Distance
from tokumei.distances.graphs import Graph
from tokumei.distances.numeric import Euclidean, Minkowski
from tokumei.distances.product import Product
from tokumei.distances.strings import DamerauLevenshtein, Hamming, Levenshtein
from tokumei.distances.trees import Tree

__all__ = [
    "Callable",
    "DamerauLevenshtein",
    "Discrete",
    "Distance",
    "Euclidean",
    "Graph",
    "Hamming",
    "Levenshtein",
    "Minkowski",
    "Ordinal",
    "Product",
    "Tree",
]
