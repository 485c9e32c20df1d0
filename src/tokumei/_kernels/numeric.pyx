"""Doors of the room numeric: exact_sum.hpp, symmetric_systems.hpp."""
from libcpp cimport bool as truth

from tokumei._kernels.borders cimport (
    Column, OutColumn, Run, column, kernel_run, out_column, raise_in_python,
)

cdef extern from "tokumei/numeric/exact_sum.hpp" nogil:
    double _exact_total "tokumei::numeric::exact_total"(Column[double]) except +raise_in_python

cdef extern from "tokumei/numeric/symmetric_systems.hpp" nogil:
    void _weighted_square "tokumei::numeric::weighted_square"(
        Column[double], Column[double], OutColumn[double], Run,
    ) except +raise_in_python
    void _factorise "tokumei::numeric::factorise"(
        OutColumn[double], size_t, Run,
    ) except +raise_in_python
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


def weighted_square(
    const double[::1] a,  # IN, row after row
    const double[::1] weights,  # IN, one a row
    double[::1] out,  # OUT
    run,
):
    cdef Run how = kernel_run(run)
    with nogil:
        _weighted_square(column(a), column(weights), out_column(out), how)


def factorise(
    double[::1] s,  # IN; OUT: its factor in the upper triangle
    size_t n,
    run,
):
    cdef Run how = kernel_run(run)
    with nogil:
        _factorise(out_column(s), n, how)


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
