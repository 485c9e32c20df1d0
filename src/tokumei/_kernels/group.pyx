"""Doors of the room group: groups made, improved, measured and published."""
from libc.stdint cimport int64_t, uint64_t

from tokumei._kernels.borders cimport (
    Column, OutColumn, OutTable, Records, Run, Table, column, kernel_run, out_column, out_table,
    raise_in_python, records, table,
)

cdef extern from "tokumei/group/mdav.hpp" nogil:
    void _mdav "tokumei::group::mdav"(
        Records, size_t, OutColumn[int64_t], Run,
    ) except +raise_in_python

cdef extern from "tokumei/group/vmdav.hpp" nogil:
    ctypedef enum Nearest "tokumei::group::Nearest":
        nearest_record "tokumei::group::Nearest::record"
        nearest_mean "tokumei::group::Nearest::mean"

    void _vmdav "tokumei::group::vmdav"(
        Records, size_t, double, Nearest, OutColumn[int64_t], Run,
    ) except +raise_in_python

cdef extern from "tokumei/group/block_mdav.hpp" nogil:
    void _block_mdav "tokumei::group::block_mdav"(
        Records, size_t, size_t, OutColumn[int64_t], Run,
    ) except +raise_in_python

cdef extern from "tokumei/group/kmember.hpp" nogil:
    void _kmember "tokumei::group::kmember"(
        Records, size_t, OutColumn[int64_t], Run,
    ) except +raise_in_python

cdef extern from "tokumei/group/block_kmember.hpp" nogil:
    void _block_kmember "tokumei::group::block_kmember"(
        Records, size_t, size_t, OutColumn[int64_t], Run,
    ) except +raise_in_python

cdef extern from "tokumei/group/mondrian.hpp" nogil:
    void _mondrian "tokumei::group::mondrian"(
        Records, size_t, bint, OutColumn[int64_t], Run,
    ) except +raise_in_python

cdef extern from "tokumei/group/mil.hpp" namespace "tokumei::group" nogil:
    cdef cppclass MilCounts:
        uint64_t tests
        uint64_t moves

    MilCounts _mil "tokumei::group::mil"(
        Column[double], Column[int64_t], size_t, size_t, OutColumn[int64_t], Run,
    ) except +raise_in_python

cdef extern from "tokumei/group/merge_neighbours.hpp" nogil:
    void _merge_neighbours "tokumei::group::merge_neighbours"(
        Column[int64_t], int64_t, OutColumn[int64_t], Run,
    ) except +raise_in_python

cdef extern from "tokumei/group/nearest_centres.hpp" nogil:
    void _nearest_centres "tokumei::group::nearest_centres"(
        Table[double], Table[double], OutColumn[int64_t], Run,
    ) except +raise_in_python

cdef extern from "tokumei/group/aggregate.hpp" nogil:
    void _aggregate_means "tokumei::group::aggregate_means"(
        Table[double], Column[int64_t], size_t, OutTable[double], Run,
    ) except +raise_in_python
    void _aggregate_weighted_means "tokumei::group::aggregate_weighted_means"(
        Table[double], Column[int64_t], Column[double], size_t, OutTable[double], Run,
    ) except +raise_in_python
    void _aggregate_medians "tokumei::group::aggregate_medians"(
        Table[double], Column[int64_t], size_t, OutTable[double], Run,
    ) except +raise_in_python

cdef extern from "tokumei/group/sums_of_squares.hpp" nogil:
    double _sse "tokumei::group::sse"(
        Table[double], Column[int64_t], size_t, Run,
    ) except +raise_in_python
    double _sst "tokumei::group::sst"(Table[double], Run) except +raise_in_python
    void _standardize "tokumei::group::standardize"(
        Table[double], OutTable[double], Run,
    ) except +raise_in_python


def mdav(
    object x,  # IN: numbers, or records of numbers and codes
    size_t k,
    int64_t[::1] labels,  # OUT
    run,
):
    cdef Run how = kernel_run(run)
    cdef Records given = records(x)
    with nogil:
        _mdav(given, k, out_column(labels), how)


def vmdav(
    object x,  # IN: numbers, or records of numbers and codes
    size_t k,
    double gamma,
    bint by_record,
    int64_t[::1] labels,  # OUT
    run,
):
    cdef Run how = kernel_run(run)
    cdef Records given = records(x)
    cdef Nearest rest = nearest_record if by_record else nearest_mean
    with nogil:
        _vmdav(given, k, gamma, rest, out_column(labels), how)


def block_mdav(
    object x,  # IN: numbers, or records of numbers and codes
    size_t k,
    size_t block,
    int64_t[::1] labels,  # OUT
    run,
):
    cdef Run how = kernel_run(run)
    cdef Records given = records(x)
    with nogil:
        _block_mdav(given, k, block, out_column(labels), how)


def kmember(
    object x,  # IN: numbers, or records of numbers and codes
    size_t k,
    int64_t[::1] labels,  # OUT
    run,
):
    cdef Run how = kernel_run(run)
    cdef Records given = records(x)
    with nogil:
        _kmember(given, k, out_column(labels), how)


def block_kmember(
    object x,  # IN: numbers, or records of numbers and codes
    size_t k,
    size_t block,
    int64_t[::1] labels,  # OUT
    run,
):
    cdef Run how = kernel_run(run)
    cdef Records given = records(x)
    with nogil:
        _block_kmember(given, k, block, out_column(labels), how)


def mondrian(
    object x,  # IN: numbers, or records of numbers and codes
    size_t k,
    bint strict,
    int64_t[::1] labels,  # OUT
    run,
):
    cdef Run how = kernel_run(run)
    cdef Records given = records(x)
    with nogil:
        _mondrian(given, k, strict, out_column(labels), how)


def mil(
    const double[::1] x,  # IN
    const int64_t[::1] labels,  # IN
    size_t groups,
    size_t k,
    int64_t[::1] improved,  # OUT
    run,
):
    cdef Run how = kernel_run(run)
    cdef MilCounts counts
    with nogil:
        counts = _mil(column(x), column(labels), groups, k, out_column(improved), how)
    return counts.tests, counts.moves


def merge_neighbours(
    const int64_t[::1] counts,  # IN
    int64_t least,
    int64_t[::1] merged,  # OUT
    run,
):
    cdef Run how = kernel_run(run)
    with nogil:
        _merge_neighbours(column(counts), least, out_column(merged), how)


def nearest_centres(
    const double[::1, :] centres,  # IN
    const double[::1, :] x,  # IN
    int64_t[::1] nearest,  # OUT
    run,
):
    cdef Run how = kernel_run(run)
    with nogil:
        _nearest_centres(table(centres), table(x), out_column(nearest), how)


def aggregate_means(
    const double[::1, :] x,  # IN
    const int64_t[::1] labels,  # IN
    size_t groups,
    double[::1, :] out,  # OUT
    run,
):
    cdef Run how = kernel_run(run)
    with nogil:
        _aggregate_means(table(x), column(labels), groups, out_table(out), how)


def aggregate_weighted_means(
    const double[::1, :] x,  # IN
    const int64_t[::1] labels,  # IN
    const double[::1] weights,  # IN
    size_t groups,
    double[::1, :] out,  # OUT
    run,
):
    cdef Run how = kernel_run(run)
    with nogil:
        _aggregate_weighted_means(
            table(x), column(labels), column(weights), groups, out_table(out), how,
        )


def aggregate_medians(
    const double[::1, :] x,  # IN
    const int64_t[::1] labels,  # IN
    size_t groups,
    double[::1, :] out,  # OUT
    run,
):
    cdef Run how = kernel_run(run)
    with nogil:
        _aggregate_medians(table(x), column(labels), groups, out_table(out), how)


def sse(
    const double[::1, :] x,  # IN
    const int64_t[::1] labels,  # IN
    size_t groups,
    run,
):
    cdef Run how = kernel_run(run)
    cdef double sum
    with nogil:
        sum = _sse(table(x), column(labels), groups, how)
    return sum


def sst(
    const double[::1, :] x,  # IN
    run,
):
    cdef Run how = kernel_run(run)
    cdef double sum
    with nogil:
        sum = _sst(table(x), how)
    return sum


def standardize(
    const double[::1, :] x,  # IN
    double[::1, :] out,  # OUT
    run,
):
    cdef Run how = kernel_run(run)
    with nogil:
        _standardize(table(x), out_table(out), how)
