"""Doors of the room noise: chacha.hpp, discrete_laplace.hpp, scattering.hpp, secure_order.hpp.

A key is 32 bytes in eight words of the machine's order.
"""
from libc.stdint cimport int64_t, uint32_t, uint64_t

from tokumei._kernels.borders cimport (
    Column, OutColumn, Run, column, kernel_run, out_column, raise_in_python,
)

cdef extern from "tokumei/noise/chacha.hpp" namespace "tokumei::noise" nogil:
    cdef cppclass ChaChaKey:
        ChaChaKey()
        uint32_t& operator[](size_t)
    cdef enum class InstructionSet(int):
        pass

    void _chacha "tokumei::noise::chacha"(
        ChaChaKey, uint64_t, uint32_t, uint32_t*, InstructionSet,
    ) except +raise_in_python

cdef extern from "tokumei/noise/discrete_laplace.hpp" nogil:
    void _discrete_laplace "tokumei::noise::discrete_laplace"(
        ChaChaKey, uint64_t, uint64_t, OutColumn[int64_t], Run,
    ) except +raise_in_python

cdef extern from "tokumei/noise/scattering.hpp" namespace "tokumei::noise" nogil:
    cdef cppclass Scattering:
        Scattering(uint32_t, uint32_t, uint64_t)

    void _scatter "tokumei::noise::scatter"(
        ChaChaKey, Scattering, Column[int64_t], OutColumn[int64_t], Run,
    ) except +raise_in_python

cdef extern from "tokumei/noise/secure_order.hpp" nogil:
    void _secure_order "tokumei::noise::secure_order"(
        ChaChaKey, OutColumn[int64_t], Run,
    ) except +raise_in_python
    void _secure_places "tokumei::noise::secure_places"(
        ChaChaKey, uint32_t, OutColumn[int64_t], Run,
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
    run,
):
    cdef int instruction_set = run.instruction_set
    with nogil:
        _chacha(key_of(key), stream, counter, &out[0], <InstructionSet> instruction_set)


def discrete_laplace(
    const uint32_t[::1] key,  # IN
    uint64_t whole,
    uint64_t fraction,
    int64_t[::1] out,  # OUT
    run,
):
    cdef Run how = kernel_run(run)
    with nogil:
        _discrete_laplace(key_of(key), whole, fraction, out_column(out), how)


def scatter(
    const uint32_t[::1] key,  # IN
    uint32_t codes,
    uint32_t reach,
    uint64_t near,
    const int64_t[::1] values,  # IN
    int64_t[::1] out,  # OUT
    run,
):
    cdef Run how = kernel_run(run)
    with nogil:
        _scatter(
            key_of(key), Scattering(codes, reach, near), column(values), out_column(out), how,
        )


def secure_order(
    const uint32_t[::1] key,  # IN
    int64_t[::1] order,  # OUT
    run,
):
    cdef Run how = kernel_run(run)
    with nogil:
        _secure_order(key_of(key), out_column(order), how)


def secure_places(
    const uint32_t[::1] key,  # IN
    uint32_t parts,
    int64_t[::1] places,  # OUT
    run,
):
    cdef Run how = kernel_run(run)
    with nogil:
        _secure_places(key_of(key), parts, out_column(places), how)
