"""Doors to tokumei/squares.hpp: sums of squares and the standardised table."""
from cpython.ref cimport PyObject
from libc.stdint cimport int64_t

from tokumei._kernels.borders cimport (
    Column, OutTable, Run, Table, python_run, raise_in_python,
)

cdef extern from "tokumei/group/sums_of_squares.hpp" namespace "tokumei::group" nogil:
    double _sse "tokumei::group::sse"(
        Table[double], Column[int64_t], size_t, Run,
    ) except +raise_in_python
    double _sst "tokumei::group::sst"(Table[double], Run) except +raise_in_python
    void _standardize "tokumei::group::standardize"(
        Table[double], OutTable[double], Run,
    ) except +raise_in_python


def sse(
    const double[::1, :] x,  # IN
    const int64_t[::1] labels,  # IN
    size_t groups,
    unsigned n_threads,
    int level,
    object callback,
):
    cdef double result
    cdef Run run = python_run(n_threads, level, <PyObject*> callback)
    with nogil:
        result = _sse(
            Table[double](&x[0, 0], x.shape[0], x.shape[1]),
            Column[int64_t](&labels[0], labels.shape[0]),
            groups,
            run,
        )
    return result


def sst(
    const double[::1, :] x,  # IN
    unsigned n_threads,
    int level,
    object callback,
):
    cdef double result
    cdef Run run = python_run(n_threads, level, <PyObject*> callback)
    with nogil:
        result = _sst(Table[double](&x[0, 0], x.shape[0], x.shape[1]), run)
    return result


def standardize(
    const double[::1, :] x,  # IN
    double[::1, :] out,  # OUT
    unsigned n_threads,
    int level,
    object callback,
):
    cdef Run run = python_run(n_threads, level, <PyObject*> callback)
    with nogil:
        _standardize(
            Table[double](&x[0, 0], x.shape[0], x.shape[1]),
            OutTable[double](&out[0, 0], out.shape[0], out.shape[1]),
            run,
        )
