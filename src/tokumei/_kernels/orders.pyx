"""Doors to the headers that make orders of records: npn.hpp."""
from cpython.ref cimport PyObject
from libc.stdint cimport int64_t

from tokumei._kernels.borders cimport OutColumn, Run, Table, python_run, raise_in_python

cdef extern from "tokumei/npn.hpp" namespace "tokumei" nogil:
    void _npn_order "tokumei::npn_order"(
        Table[double], OutColumn[int64_t], Run,
    ) except +raise_in_python


def npn_order(
    const double[::1, :] x,  # IN
    int64_t[::1] order,  # OUT
    unsigned n_threads,
    int level,
    object callback,
):
    cdef Run run = python_run(n_threads, level, <PyObject*> callback)
    with nogil:
        _npn_order(
            Table[double](&x[0, 0], x.shape[0], x.shape[1]),
            OutColumn[int64_t](&order[0], order.shape[0]),
            run,
        )
