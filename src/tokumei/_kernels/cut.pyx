"""Doors of the room cut: cut.hpp, univariate.hpp."""
from libc.stdint cimport int64_t

from tokumei._kernels.borders cimport (
    Column, OutColumn, Records, RecordTable, Run, column, kernel_run, out_column, raise_in_python,
    records,
)

cdef extern from "tokumei/cut/cut.hpp" nogil:
    void _cut "tokumei::cut::cut"(
        RecordTable[double], Column[int64_t], size_t, OutColumn[int64_t], Run,
    ) except +raise_in_python

    void _cut_records "tokumei::cut::cut_records"(
        Records, Column[int64_t], size_t, OutColumn[int64_t], Run,
    ) except +raise_in_python

cdef extern from "tokumei/cut/univariate.hpp" nogil:
    void _univariate "tokumei::cut::univariate"(
        Column[double], size_t, OutColumn[int64_t], Run,
    ) except +raise_in_python


def cut(
    const double[:, :] x,  # IN: column after column or row after row
    bint row_after_row,
    const int64_t[::1] order,  # IN
    size_t k,
    int64_t[::1] labels,  # OUT
    run,
):
    cdef Run how = kernel_run(run)
    with nogil:
        _cut(
            RecordTable[double](&x[0, 0], x.shape[0], x.shape[1], row_after_row), column(order), k,
            out_column(labels), how,
        )


def cut_records(
    object x,  # IN: records of numbers and codes
    const int64_t[::1] order,  # IN
    size_t k,
    int64_t[::1] labels,  # OUT
    run,
):
    cdef Run how = kernel_run(run)
    cdef Records given = records(x)
    with nogil:
        _cut_records(given, column(order), k, out_column(labels), how)


def univariate(
    const double[::1] x,  # IN
    size_t k,
    int64_t[::1] labels,  # OUT
    run,
):
    cdef Run how = kernel_run(run)
    with nogil:
        _univariate(column(x), k, out_column(labels), how)
