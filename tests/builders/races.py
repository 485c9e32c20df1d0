"""What a race of the benchmarks takes where nothing is measured: a tiny case, hardly any effort."""

from bench.kernel import Case
from bench.limits import Machine, Memory
from bench.measure import Effort

SHORT = Effort(repeats=1, repeating=0.5, affordable=0.5, shortest=0.0)
MACHINE = Machine((Memory("all", None, 1e9, "nothing"),), 1e9, "nothing")
TINY = Case("normal", 60, 3, k=4)
