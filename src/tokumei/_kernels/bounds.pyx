"""Doors to the headers of the lower bounds: lagrangian_bound.hpp, nearest_sums.hpp, pricing.hpp."""
from cpython.ref cimport PyObject
from libc.stdint cimport int64_t

from tokumei._kernels.borders cimport (
    Column,
    OutColumn,
    OutTable,
    Run,
    Table,
    python_run,
    raise_in_python,
)

cdef extern from "tokumei/bounds/lagrangian_bound.hpp" namespace "tokumei::bounds" nogil:
    void _fair_shares "tokumei::bounds::lagrangian_bound"(
        Table[double], size_t, size_t, OutColumn[double], Run,
    ) except +raise_in_python


cdef extern from "tokumei/bounds/nearest_sums.hpp" namespace "tokumei::bounds" nogil:
    void _half_near_sums "tokumei::bounds::half_nearest_sums"(
        Table[double], OutTable[double], Run,
    ) except +raise_in_python


cdef extern from "tokumei/bounds/pricing.hpp" namespace "tokumei::bounds" nogil:
    cdef cppclass PriceLimits:
        PriceLimits(size_t, size_t)

    size_t _price "tokumei::bounds::price"(
        Table[double], Table[double], Column[double], size_t, PriceLimits, OutTable[int64_t],
        OutColumn[double], Run,
    ) except +raise_in_python


def lagrangian_bound(
    const double[::1, :] x,  # IN
    size_t k,
    size_t sweeps,
    double[::1] shares,  # OUT, zeros
    unsigned n_threads,
    int level,
    object callback,
):
    cdef Run run = python_run(n_threads, level, <PyObject*> callback)
    with nogil:
        _fair_shares(
            Table[double](&x[0, 0], x.shape[0], x.shape[1]),
            k,
            sweeps,
            OutColumn[double](&shares[0], shares.shape[0]),
            run,
        )


def half_nearest_sums(
    const double[::1, :] x,  # IN
    double[::1, :] sums,  # OUT
    unsigned n_threads,
    int level,
    object callback,
):
    cdef Run run = python_run(n_threads, level, <PyObject*> callback)
    with nogil:
        _half_near_sums(
            Table[double](&x[0, 0], x.shape[0], x.shape[1]),
            OutTable[double](&sums[0, 0], sums.shape[0], sums.shape[1]),
            run,
        )


def price(
    const double[::1, :] x,  # IN
    const double[::1, :] sums,  # IN
    const double[::1] prices,  # IN
    size_t k,
    size_t steps,
    size_t kept,
    int64_t[::1, :] groups,  # OUT
    double[::1] relief,  # OUT
    unsigned n_threads,
    int level,
    object callback,
):
    cdef Run run = python_run(n_threads, level, <PyObject*> callback)
    cdef size_t found
    with nogil:
        found = _price(
            Table[double](&x[0, 0], x.shape[0], x.shape[1]),
            Table[double](&sums[0, 0], sums.shape[0], sums.shape[1]),
            Column[double](&prices[0], prices.shape[0]),
            k,
            PriceLimits(steps, kept),
            OutTable[int64_t](&groups[0, 0], groups.shape[0], groups.shape[1]),
            OutColumn[double](&relief[0], relief.shape[0]),
            run,
        )
    return found
