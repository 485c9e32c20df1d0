"""Every kernel, by name, in the order of the data's way."""

from bench.kernel import Kernel
from bench.kernels import groups, reconstruct, squares

KERNELS: dict[str, Kernel] = {
    kernel.name: kernel
    for kernel in (
        squares.STANDARDIZE,
        groups.MDAV,
        groups.AGGREGATE,
        squares.SSE,
        reconstruct.EM_ITERATION,
    )
}
