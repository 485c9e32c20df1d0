"""Doors of the room numeric: exact_sum.hpp, exact_moments.hpp, keyed_hashes.hpp,
symmetric_systems.hpp.
"""
from libc.stdint cimport int64_t, uint8_t, uint64_t
from libcpp cimport bool as truth

from tokumei._kernels.borders cimport (
    Column, OutColumn, Run, column, kernel_run, out_column, raise_in_python,
)

cdef extern from "tokumei/numeric/exact_sum.hpp" nogil:
    double _exact_total "tokumei::numeric::exact_total"(Column[double]) except +raise_in_python

cdef extern from "tokumei/numeric/exact_moments.hpp" nogil:
    void _exact_moments "tokumei::numeric::exact_moments"(
        Column[double], OutColumn[double], OutColumn[double],
    ) except +raise_in_python

cdef extern from "tokumei/numeric/keyed_hashes.hpp" namespace "tokumei::numeric" nogil:
    cdef cppclass HashKey:
        HashKey(uint64_t, uint64_t)

    void _fold_words "tokumei::numeric::fold_words"(
        Column[int64_t], HashKey, OutColumn[int64_t],
    ) except +raise_in_python
    void _fold_texts "tokumei::numeric::fold_texts"(
        Column[int64_t], Column[uint8_t], HashKey, OutColumn[int64_t],
    ) except +raise_in_python

cdef extern from "tokumei/numeric/symmetric_systems.hpp" nogil:
    void _solve_factorised "tokumei::numeric::solve_factorised"(
        Column[double], size_t, OutColumn[double], truth, Run,
    ) except +raise_in_python


def exact_total(
    const double[::1] x,  # IN
):
    cdef double total
    with nogil:
        total = _exact_total(column(x))
    return total


def exact_moments(
    const double[::1] x,  # IN
    double[::1] sums,  # OUT
    double[::1] squares,  # OUT
):
    with nogil:
        _exact_moments(column(x), out_column(sums), out_column(squares))


def fold_words(
    const int64_t[::1] words,  # IN
    uint64_t one,
    uint64_t other,
    int64_t[::1] hashes,  # IN; OUT
):
    with nogil:
        _fold_words(column(words), HashKey(one, other), out_column(hashes))


def fold_texts(
    const int64_t[::1] offsets,  # IN
    const uint8_t[::1] letters,  # IN
    uint64_t one,
    uint64_t other,
    int64_t[::1] hashes,  # IN; OUT
):
    with nogil:
        _fold_texts(column(offsets), column(letters), HashKey(one, other), out_column(hashes))


def solve_factorised(
    const double[::1] u,  # IN
    size_t n,
    double[::1] x,  # IN: right-hand sides; OUT
    bint both,
    run,
):
    cdef Run how = kernel_run(run)
    with nogil:
        _solve_factorised(column(u), n, out_column(x), both, how)
