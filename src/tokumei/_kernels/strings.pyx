"""Doors to tokumei/string_distances.hpp: sums of distances of strings, and single distances."""
from cpython.ref cimport PyObject
from libc.stdint cimport int64_t, uint32_t
from libcpp cimport bool as truth

from tokumei._kernels.borders cimport Column, OutColumn, Run, python_run, raise_in_python

cdef extern from "tokumei/pairs/string_distances.hpp" namespace "tokumei::pairs" nogil:
    cdef enum class StringDistance(int):
        pass
    cdef cppclass Strings:
        Strings(Column[uint32_t], Column[int64_t], Column[int64_t])
    cdef cppclass StringPower:
        StringPower(double, truth)
    double _sum_of_string_distances "tokumei::pairs::sum_of_string_distances"(
        StringDistance, Strings, StringPower, Run,
    ) except +raise_in_python
    void _string_distances "tokumei::pairs::string_distances"(
        StringDistance, Strings, Column[int64_t], Column[int64_t], truth, OutColumn[double], Run,
    ) except +raise_in_python


def sum_of_string_distances(
    int distance,
    const uint32_t[::1] letters,  # IN
    const int64_t[::1] starts,  # IN
    const int64_t[::1] counts,  # IN
    double power,
    bint normalized,
    unsigned n_threads,
    int level,
    object callback,
):
    cdef Run run = python_run(n_threads, level, <PyObject*> callback)
    cdef double result
    with nogil:
        result = _sum_of_string_distances(
            <StringDistance> distance,
            Strings(
                Column[uint32_t](&letters[0], letters.shape[0]),
                Column[int64_t](&starts[0], starts.shape[0]),
                Column[int64_t](&counts[0], counts.shape[0]),
            ),
            StringPower(power, normalized),
            run,
        )
    return result


def string_distances(
    int distance,
    const uint32_t[::1] letters,  # IN
    const int64_t[::1] starts,  # IN
    const int64_t[::1] counts,  # IN
    const int64_t[::1] a,  # IN
    const int64_t[::1] b,  # IN
    bint normalized,
    double[::1] out,  # OUT
    unsigned n_threads,
    int level,
    object callback,
):
    cdef Run run = python_run(n_threads, level, <PyObject*> callback)
    with nogil:
        _string_distances(
            <StringDistance> distance,
            Strings(
                Column[uint32_t](&letters[0], letters.shape[0]),
                Column[int64_t](&starts[0], starts.shape[0]),
                Column[int64_t](&counts[0], counts.shape[0]),
            ),
            Column[int64_t](&a[0], a.shape[0]),
            Column[int64_t](&b[0], b.shape[0]),
            normalized,
            OutColumn[double](&out[0], out.shape[0]),
            run,
        )
