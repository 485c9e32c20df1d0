"""Doors of the room bounds: lagrangian_bound.hpp, price_ascent.hpp, pricing.hpp."""
from libc.stdint cimport int64_t

from tokumei._kernels.borders cimport (
    Column, OutColumn, OutTable, Run, Table, column, kernel_run, out_column, out_table,
    raise_in_python, table,
)

cdef extern from "tokumei/bounds/lagrangian_bound.hpp" nogil:
    void _lagrangian_bound "tokumei::bounds::lagrangian_bound"(
        Table[double], size_t, size_t, OutColumn[double], Run,
    ) except +raise_in_python

cdef extern from "tokumei/bounds/price_ascent.hpp" namespace "tokumei::bounds" nogil:
    cdef cppclass AscentLimits:
        AscentLimits(size_t, double)

    void _price_ascent "tokumei::bounds::price_ascent"(
        Table[int64_t], Column[double], Column[double], Column[double], AscentLimits,
        OutColumn[double], OutColumn[double], Run,
    ) except +raise_in_python
    void _settle_prices "tokumei::bounds::settle_prices"(
        Table[int64_t], Column[double], OutColumn[double],
    ) except +raise_in_python

cdef extern from "tokumei/bounds/pricing.hpp" namespace "tokumei::bounds" nogil:
    cdef cppclass PricingLimits:
        PricingLimits(size_t, size_t)

    size_t _solve_pricing "tokumei::bounds::solve_pricing"(
        Table[double], Column[double], Table[int64_t], Column[double], size_t, PricingLimits,
        OutTable[int64_t], OutColumn[double], Run,
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


def solve_pricing(
    const double[::1, :] x,  # IN
    const double[::1] duals,  # IN
    const int64_t[::1, :] subsets,  # IN
    const double[::1] prices,  # IN
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
            table(x), column(duals), table(subsets), column(prices), k,
            PricingLimits(steps, kept), out_table(groups), out_column(correction), how,
        )
    return found


def price_ascent(
    const int64_t[::1, :] groups,  # IN
    const double[::1] costs,  # IN
    const double[::1] low,  # IN
    const double[::1] high,  # IN
    size_t sweeps,
    double tolerance,
    double[::1] prices,  # IN, OUT
    double[::1] shares,  # IN, OUT
    run,
):
    cdef Run how = kernel_run(run)
    with nogil:
        _price_ascent(
            table(groups), column(costs), column(low), column(high),
            AscentLimits(sweeps, tolerance), out_column(prices), out_column(shares), how,
        )


def settle_prices(
    const int64_t[::1, :] groups,  # IN
    const double[::1] costs,  # IN
    double[::1] prices,  # IN, OUT
):
    with nogil:
        _settle_prices(table(groups), column(costs), out_column(prices))
