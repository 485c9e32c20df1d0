"""Every kernel, by name, in the order of the data's way."""

from bench.kernel import Kernel
from bench.kernels import cuts, distances, groups, grown, orders, reconstruct, refine, squares

KERNELS: dict[str, Kernel] = {
    kernel.name: kernel
    for kernel in (
        squares.STANDARDIZE,
        *(orders.NPN_ORDER, orders.GRID_ORDER, orders.FLEXDICE_ORDER, orders.HILBERT_ORDER),
        *(cuts.CUT, cuts.FLEXDICE, cuts.UNIVARIATE, cuts.MIL),
        *(groups.MDAV, grown.VMDAV, grown.KMEMBER, grown.MONDRIAN),
        refine.REFINE,
        *(groups.AGGREGATE, groups.NEAREST_CENTRES),
        squares.SSE,
        *distances.DISTANCES,
        reconstruct.EM_ITERATION,
        reconstruct.BAYES_PASSES,
    )
}
