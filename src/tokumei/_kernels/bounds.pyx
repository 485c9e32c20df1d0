"""Doors of the room bounds: lagrangian_bound.hpp, nearest_sums.hpp, pricing.hpp."""
from libc.stdint cimport int64_t

from tokumei._kernels.borders cimport (
    Column, OutColumn, OutTable, Run, Table, column, kernel_run, out_column, out_table,
    raise_in_python, table,
)

cdef extern from "tokumei/bounds/lagrangian_bound.hpp" nogil:
    void _lagrangian_bound "tokumei::bounds::lagrangian_bound"(
        Table[double], size_t, size_t, OutColumn[double], Run,
    ) except +raise_in_python

cdef extern from "tokumei/bounds/nearest_sums.hpp" nogil:
    void _half_nearest_sums "tokumei::bounds::half_nearest_sums"(
        Table[double], OutTable[double], Run,
    ) except +raise_in_python

cdef extern from "tokumei/bounds/pricing.hpp" namespace "tokumei::bounds" nogil:
    cdef cppclass PricingLimits:
        PricingLimits(size_t, size_t)

    size_t _solve_pricing "tokumei::bounds::solve_pricing"(
        Table[double], Table[double], Column[double], size_t, PricingLimits, OutTable[int64_t],
        OutColumn[double], Run,
    ) except +raise_in_python


def lagrangian_bound(
    const double[::1, :] x,  # IN
    size_t k,
    size_t sweeps,
    double[::1] shares,  # OUT, zeros
    run,
):
    cdef Run how = kernel_run(run)
    with nogil:
        _lagrangian_bound(table(x), k, sweeps, out_column(shares), how)


def half_nearest_sums(
    const double[::1, :] x,  # IN
    double[::1, :] sums,  # OUT
    run,
):
    cdef Run how = kernel_run(run)
    with nogil:
        _half_nearest_sums(table(x), out_table(sums), how)


def solve_pricing(
    const double[::1, :] x,  # IN
    const double[::1, :] sums,  # IN
    const double[::1] duals,  # IN
    size_t k,
    size_t steps,
    size_t kept,
    int64_t[::1, :] groups,  # OUT
    double[::1] correction,  # OUT
    run,
):
    cdef Run how = kernel_run(run)
    cdef size_t found
    with nogil:
        found = _solve_pricing(
            table(x), table(sums), column(duals), k, PricingLimits(steps, kept), out_table(groups),
            out_column(correction), how,
        )
    return found
