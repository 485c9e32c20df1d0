"""Doors of the room numeric: exact_sum.hpp, symmetric_systems.hpp."""
from libcpp cimport bool as truth

from tokumei._kernels.borders cimport (
    Column, OutColumn, Run, column, kernel_run, out_column, raise_in_python,
)

cdef extern from "tokumei/numeric/exact_sum.hpp" nogil:
    double _exact_total "tokumei::numeric::exact_total"(Column[double]) except +raise_in_python

cdef extern from "tokumei/numeric/symmetric_systems.hpp" nogil:
    void _solve_factorised "tokumei::numeric::solve_factorised"(
        Column[double], size_t, OutColumn[double], truth, Run,
    ) except +raise_in_python


def exact_total(
    const double[::1] x,  # IN
):
    cdef double total
    with nogil:
        total = _exact_total(column(x))
    return total


def solve_factorised(
    const double[::1] u,  # IN
    size_t n,
    double[::1] x,  # IN: right-hand sides; OUT
    bint both,
    run,
):
    cdef Run how = kernel_run(run)
    with nogil:
        _solve_factorised(column(u), n, out_column(x), both, how)
