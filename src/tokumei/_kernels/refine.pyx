"""Doors to the headers of the search: block_mdav.hpp (its start), refine.hpp."""
from cpython.ref cimport PyObject
from libc.stdint cimport int64_t, uint64_t

from tokumei._kernels.borders cimport OutColumn, Run, Table, python_run, raise_in_python

cdef extern from "tokumei/refine.hpp" namespace "tokumei" nogil:
    cdef cppclass Effort:
        Effort(double, double, double)

    void _refine "tokumei::refine"(
        Table[double], OutColumn[int64_t], size_t, size_t, Effort, uint64_t, Run,
    ) except +raise_in_python


cdef extern from "tokumei/block_mdav.hpp" namespace "tokumei" nogil:
    void _block_mdav "tokumei::block_mdav"(
        Table[double], size_t, size_t, OutColumn[int64_t], Run,
    ) except +raise_in_python


def block_mdav(
    const double[::1, :] x,  # IN
    size_t k,
    size_t block,
    int64_t[::1] labels,  # OUT
    unsigned n_threads,
    int level,
    object callback,
):
    cdef Run run = python_run(n_threads, level, <PyObject*> callback)
    with nogil:
        _block_mdav(
            Table[double](&x[0, 0], x.shape[0], x.shape[1]),
            k,
            block,
            OutColumn[int64_t](&labels[0], labels.shape[0]),
            run,
        )


def refine(
    const double[::1, :] x,  # IN
    int64_t[::1] labels,  # IN and OUT
    size_t groups,
    size_t k,
    double trials,
    double warm,
    double cool,
    uint64_t seed,
    unsigned n_threads,
    int level,
    object callback,
):
    cdef Run run = python_run(n_threads, level, <PyObject*> callback)
    with nogil:
        _refine(
            Table[double](&x[0, 0], x.shape[0], x.shape[1]),
            OutColumn[int64_t](&labels[0], labels.shape[0]),
            groups,
            k,
            Effort(trials, warm, cool),
            seed,
            run,
        )
