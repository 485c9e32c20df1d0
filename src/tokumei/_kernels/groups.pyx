"""Doors to the headers that make or use groups: mdav.hpp, vmdav.hpp, kmember.hpp,
mondrian.hpp, aggregate.hpp."""
from cpython.ref cimport PyObject
from libc.stdint cimport int64_t

from tokumei._kernels.borders cimport (
    Column, OutColumn, OutTable, Run, Table, python_run, raise_in_python,
)

cdef extern from "tokumei/group/mdav.hpp" namespace "tokumei::group" nogil:
    void _mdav "tokumei::group::mdav"(
        Table[double], size_t, OutColumn[int64_t], Run,
    ) except +raise_in_python

cdef extern from "tokumei/group/vmdav.hpp" namespace "tokumei::group" nogil:
    void _vmdav "tokumei::group::vmdav"(
        Table[double], size_t, double, OutColumn[int64_t], Run,
    ) except +raise_in_python

cdef extern from "tokumei/group/kmember.hpp" namespace "tokumei::group" nogil:
    void _kmember "tokumei::group::kmember"(
        Table[double], size_t, OutColumn[int64_t], Run,
    ) except +raise_in_python

cdef extern from "tokumei/group/mondrian.hpp" namespace "tokumei::group" nogil:
    void _mondrian "tokumei::group::mondrian"(
        Table[double], size_t, bint, OutColumn[int64_t], Run,
    ) except +raise_in_python

cdef extern from "tokumei/group/aggregate.hpp" namespace "tokumei::group" nogil:
    void _aggregate_means "tokumei::group::aggregate_means"(
        Table[double], Column[int64_t], size_t, OutTable[double], Run,
    ) except +raise_in_python
    void _aggregate_weighted_means "tokumei::group::aggregate_weighted_means"(
        Table[double], Column[int64_t], Column[double], size_t, OutTable[double], Run,
    ) except +raise_in_python
    void _aggregate_medians "tokumei::group::aggregate_medians"(
        Table[double], Column[int64_t], size_t, OutTable[double], Run,
    ) except +raise_in_python


def mdav(
    const double[::1, :] x,  # IN
    size_t k,
    int64_t[::1] labels,  # OUT
    unsigned n_threads,
    int level,
    object callback,
):
    cdef Run run = python_run(n_threads, level, <PyObject*> callback)
    with nogil:
        _mdav(
            Table[double](&x[0, 0], x.shape[0], x.shape[1]),
            k,
            OutColumn[int64_t](&labels[0], labels.shape[0]),
            run,
        )


def vmdav(
    const double[::1, :] x,  # IN
    size_t k,
    double gamma,
    int64_t[::1] labels,  # OUT
    unsigned n_threads,
    int level,
    object callback,
):
    cdef Run run = python_run(n_threads, level, <PyObject*> callback)
    with nogil:
        _vmdav(
            Table[double](&x[0, 0], x.shape[0], x.shape[1]),
            k,
            gamma,
            OutColumn[int64_t](&labels[0], labels.shape[0]),
            run,
        )


def kmember(
    const double[::1, :] x,  # IN
    size_t k,
    int64_t[::1] labels,  # OUT
    unsigned n_threads,
    int level,
    object callback,
):
    cdef Run run = python_run(n_threads, level, <PyObject*> callback)
    with nogil:
        _kmember(
            Table[double](&x[0, 0], x.shape[0], x.shape[1]),
            k,
            OutColumn[int64_t](&labels[0], labels.shape[0]),
            run,
        )


def mondrian(
    const double[::1, :] x,  # IN
    size_t k,
    bint strict,
    int64_t[::1] labels,  # OUT
    unsigned n_threads,
    int level,
    object callback,
):
    cdef Run run = python_run(n_threads, level, <PyObject*> callback)
    with nogil:
        _mondrian(
            Table[double](&x[0, 0], x.shape[0], x.shape[1]),
            k,
            strict,
            OutColumn[int64_t](&labels[0], labels.shape[0]),
            run,
        )


def aggregate_means(
    const double[::1, :] x,  # IN
    const int64_t[::1] labels,  # IN
    size_t groups,
    double[::1, :] out,  # OUT
    unsigned n_threads,
    int level,
    object callback,
):
    cdef Run run = python_run(n_threads, level, <PyObject*> callback)
    with nogil:
        _aggregate_means(
            Table[double](&x[0, 0], x.shape[0], x.shape[1]),
            Column[int64_t](&labels[0], labels.shape[0]),
            groups,
            OutTable[double](&out[0, 0], out.shape[0], out.shape[1]),
            run,
        )


def aggregate_weighted_means(
    const double[::1, :] x,  # IN
    const int64_t[::1] labels,  # IN
    const double[::1] weights,  # IN
    size_t groups,
    double[::1, :] out,  # OUT
    unsigned n_threads,
    int level,
    object callback,
):
    cdef Run run = python_run(n_threads, level, <PyObject*> callback)
    with nogil:
        _aggregate_weighted_means(
            Table[double](&x[0, 0], x.shape[0], x.shape[1]),
            Column[int64_t](&labels[0], labels.shape[0]),
            Column[double](&weights[0], weights.shape[0]),
            groups,
            OutTable[double](&out[0, 0], out.shape[0], out.shape[1]),
            run,
        )


def aggregate_medians(
    const double[::1, :] x,  # IN
    const int64_t[::1] labels,  # IN
    size_t groups,
    double[::1, :] out,  # OUT
    unsigned n_threads,
    int level,
    object callback,
):
    cdef Run run = python_run(n_threads, level, <PyObject*> callback)
    with nogil:
        _aggregate_medians(
            Table[double](&x[0, 0], x.shape[0], x.shape[1]),
            Column[int64_t](&labels[0], labels.shape[0]),
            groups,
            OutTable[double](&out[0, 0], out.shape[0], out.shape[1]),
            run,
        )
