"""Doors to the headers of secure chance: chacha.hpp, discrete_laplace.hpp, scattering.hpp and
secure_order.hpp.

A key is 32 bytes in eight words of the machine's order.
"""
from cpython.ref cimport PyObject
from libc.stdint cimport int64_t, uint32_t, uint64_t

from tokumei._kernels.borders cimport Column, OutColumn, Run, python_run, raise_in_python

cdef extern from "tokumei/noise/chacha.hpp" namespace "tokumei::noise" nogil:
    cdef cppclass ChaChaKey:
        ChaChaKey()
        uint32_t& operator[](size_t)
    cdef enum class InstructionSet(int):
        pass
    void _chacha "tokumei::noise::chacha"(
        ChaChaKey, uint64_t, uint32_t, uint32_t*, InstructionSet,
    ) except +raise_in_python

cdef extern from "tokumei/noise/discrete_laplace.hpp" namespace "tokumei::noise" nogil:
    void _two_sided_geometric "tokumei::noise::discrete_laplace"(
        ChaChaKey, uint64_t, uint64_t, OutColumn[int64_t], Run,
    ) except +raise_in_python

cdef extern from "tokumei/noise/scattering.hpp" namespace "tokumei::noise" nogil:
    cdef cppclass Scattering:
        uint32_t codes
        uint32_t reach
        uint64_t near
    void _scatter "tokumei::noise::scatter"(
        ChaChaKey, Scattering, Column[int64_t], OutColumn[int64_t], Run,
    ) except +raise_in_python

cdef extern from "tokumei/noise/secure_order.hpp" namespace "tokumei::noise" nogil:
    void _secure_order "tokumei::noise::secure_order"(
        ChaChaKey, OutColumn[int64_t], Run,
    ) except +raise_in_python


cdef ChaChaKey key_of(const uint32_t[::1] words) noexcept nogil:
    cdef ChaChaKey key
    cdef size_t i
    for i in range(8):
        key[i] = words[i]
    return key


def chacha(
    const uint32_t[::1] key,  # IN
    uint64_t stream,
    uint32_t counter,
    uint32_t[::1] out,  # OUT
    int level,
):
    with nogil:
        _chacha(key_of(key), stream, counter, &out[0], <InstructionSet> level)


def discrete_laplace(
    const uint32_t[::1] key,  # IN
    uint64_t whole,
    uint64_t fraction,
    int64_t[::1] out,  # OUT
    unsigned n_threads,
    int level,
    object callback,
):
    cdef Run run = python_run(n_threads, level, <PyObject*> callback)
    with nogil:
        _two_sided_geometric(
            key_of(key), whole, fraction, OutColumn[int64_t](&out[0], out.shape[0]), run,
        )


def scatter(
    const uint32_t[::1] key,  # IN
    uint32_t codes,
    uint32_t reach,
    uint64_t near,
    const int64_t[::1] values,  # IN
    int64_t[::1] out,  # OUT
    unsigned n_threads,
    int level,
    object callback,
):
    cdef Run run = python_run(n_threads, level, <PyObject*> callback)
    cdef Scattering scattering
    scattering.codes, scattering.reach, scattering.near = codes, reach, near
    with nogil:
        _scatter(
            key_of(key),
            scattering,
            Column[int64_t](&values[0], values.shape[0]),
            OutColumn[int64_t](&out[0], out.shape[0]),
            run,
        )


def secure_order(
    const uint32_t[::1] key,  # IN
    int64_t[::1] order,  # OUT
    int level,
    object callback,
):
    cdef Run run = python_run(1, level, <PyObject*> callback)
    with nogil:
        _secure_order(key_of(key), OutColumn[int64_t](&order[0], order.shape[0]), run)
