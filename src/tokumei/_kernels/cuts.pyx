"""Doors to the headers that cut an order of the records: cut.hpp, univariate.hpp, mil.hpp."""
from cpython.ref cimport PyObject
from libc.stdint cimport int64_t, uint64_t

from tokumei._kernels.borders cimport (
    Column, OutColumn, RecordTable, Run, python_run, raise_in_python,
)

cdef extern from "tokumei/cut/cut.hpp" namespace "tokumei::cut" nogil:
    void _cut "tokumei::cut::cut"(
        RecordTable[double], Column[int64_t], size_t, OutColumn[int64_t], Run,
    ) except +raise_in_python

cdef extern from "tokumei/cut/univariate.hpp" namespace "tokumei::cut" nogil:
    void _univariate "tokumei::cut::univariate"(
        Column[double], size_t, OutColumn[int64_t], Run,
    ) except +raise_in_python

cdef extern from "tokumei/group/mil.hpp" namespace "tokumei::group" nogil:
    cdef cppclass MilCounts:
        uint64_t tests
        uint64_t moves

    MilCounts _mil "tokumei::group::mil"(
        Column[double], Column[int64_t], size_t, size_t, OutColumn[int64_t], Run,
    ) except +raise_in_python


def cut(
    const double[:, :] x,  # IN: column after column or row after row
    bint row_after_row,
    const int64_t[::1] order,  # IN
    size_t k,
    int64_t[::1] labels,  # OUT
    unsigned n_threads,
    int level,
    object callback,
):
    cdef Run run = python_run(n_threads, level, <PyObject*> callback)
    with nogil:
        _cut(
            RecordTable[double](&x[0, 0], x.shape[0], x.shape[1], row_after_row),
            Column[int64_t](&order[0], order.shape[0]),
            k,
            OutColumn[int64_t](&labels[0], labels.shape[0]),
            run,
        )


def univariate(
    const double[::1] x,  # IN
    size_t k,
    int64_t[::1] labels,  # OUT
    unsigned n_threads,
    int level,
    object callback,
):
    cdef Run run = python_run(n_threads, level, <PyObject*> callback)
    with nogil:
        _univariate(
            Column[double](&x[0], x.shape[0]),
            k,
            OutColumn[int64_t](&labels[0], labels.shape[0]),
            run,
        )


def mil(
    const double[::1] x,  # IN
    const int64_t[::1] labels,  # IN
    size_t groups,
    size_t k,
    int64_t[::1] improved,  # OUT
    unsigned n_threads,
    int level,
    object callback,
):
    cdef MilCounts counts
    cdef Run run = python_run(n_threads, level, <PyObject*> callback)
    with nogil:
        counts = _mil(
            Column[double](&x[0], x.shape[0]),
            Column[int64_t](&labels[0], labels.shape[0]),
            groups,
            k,
            OutColumn[int64_t](&improved[0], improved.shape[0]),
            run,
        )
    return counts.tests, counts.moves
