"""Doors of the room pairs: sums of distances of every kind, the finding of equal rows, and of
rows that are alone."""
from libc.stdint cimport int64_t, uint8_t, uint32_t
from libcpp cimport bool as truth

from tokumei._kernels.borders cimport (
    Column, OutColumn, OutTable, Run, Table, column, kernel_run, out_column, out_table,
    raise_in_python, table,
)

cdef extern from "tokumei/pairs/euclid.hpp" namespace "tokumei::pairs" nogil:
    cdef cppclass TableInPlace:
        TableInPlace(const double*, size_t, size_t, size_t, size_t)

    double _euclidean_squares "tokumei::pairs::euclidean_squares"(
        TableInPlace, Run,
    ) except +raise_in_python

cdef extern from "tokumei/pairs/pairs.hpp" nogil:
    double _sum_over_pairs "tokumei::pairs::sum_over_pairs"(
        Table[double], Column[double], double, double, Run,
    ) except +raise_in_python

cdef extern from "tokumei/pairs/manhattan.hpp" nogil:
    double _manhattan_squares "tokumei::pairs::manhattan_squares"(
        Table[double], Column[double], Run,
    ) except +raise_in_python

cdef extern from "tokumei/pairs/manhattan_1d.hpp" nogil:
    double _sum_of_absolute_differences "tokumei::pairs::sum_of_absolute_differences"(
        Column[double], Column[int64_t],
    ) except +raise_in_python

cdef extern from "tokumei/pairs/trees.hpp" nogil:
    double _tree_distances "tokumei::pairs::tree_distances"(
        Column[int64_t], Column[int64_t], int,
    ) except +raise_in_python

cdef extern from "tokumei/pairs/graphs.hpp" namespace "tokumei::pairs" nogil:
    cdef cppclass Graph:
        Graph(Column[int64_t], Column[int64_t], Column[double])

    void _shortest_paths "tokumei::pairs::shortest_paths"(
        Graph, size_t, OutColumn[double],
    ) except +raise_in_python

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

cdef extern from "tokumei/pairs/special_uniques.hpp" nogil:
    void _special_uniques "tokumei::pairs::special_uniques"(
        Table[int64_t], Column[uint8_t], OutTable[int64_t], OutTable[int64_t], Run,
    ) except +raise_in_python

cdef extern from "tokumei/pairs/distinct.hpp" nogil:
    size_t _distinct_rows "tokumei::pairs::distinct_rows"(
        Table[double], OutColumn[int64_t], OutColumn[int64_t],
    ) except +raise_in_python
    size_t _distinct_bytes "tokumei::pairs::distinct_bytes"(
        Column[uint8_t], size_t, OutColumn[int64_t], OutColumn[int64_t],
    ) except +raise_in_python


def euclidean_squares(
    const double[:, :] x,  # IN, rows or columns side by side
    run,
):
    cdef Run how = kernel_run(run)
    cdef size_t step = sizeof(double)
    cdef double sum
    with nogil:
        sum = _euclidean_squares(
            TableInPlace(
                &x[0, 0], x.shape[0], x.shape[1], x.strides[0] // step, x.strides[1] // step,
            ),
            how,
        )
    return sum


def sum_over_pairs(
    const double[::1, :] x,  # IN
    const double[::1] counts,  # IN
    double p,
    double power,
    run,
):
    cdef Run how = kernel_run(run)
    cdef double sum
    with nogil:
        sum = _sum_over_pairs(table(x), column(counts), p, power, how)
    return sum


def manhattan_squares(
    const double[::1, :] x,  # IN
    const double[::1] counts,  # IN
    run,
):
    cdef Run how = kernel_run(run)
    cdef double sum
    with nogil:
        sum = _manhattan_squares(table(x), column(counts), how)
    return sum


def sum_of_absolute_differences(
    const double[::1] x,  # IN
    const int64_t[::1] counts,  # IN
):
    cdef double sum
    with nogil:
        sum = _sum_of_absolute_differences(column(x), column(counts))
    return sum


def tree_distances(
    const int64_t[::1] parents,  # IN
    const int64_t[::1] counts,  # IN
    int power,
):
    cdef double sum
    with nogil:
        sum = _tree_distances(column(parents), column(counts), power)
    return sum


def shortest_paths(
    const int64_t[::1] starts,  # IN
    const int64_t[::1] targets,  # IN
    const double[::1] weights,  # IN
    size_t source,
    double[::1] out,  # OUT
):
    with nogil:
        _shortest_paths(
            Graph(column(starts), column(targets), column(weights)), source, out_column(out),
        )


def sum_of_string_distances(
    int distance,
    const uint32_t[::1] letters,  # IN
    const int64_t[::1] starts,  # IN
    const int64_t[::1] counts,  # IN
    double power,
    bint normalized,
    run,
):
    cdef Run how = kernel_run(run)
    cdef double sum
    with nogil:
        sum = _sum_of_string_distances(
            <StringDistance> distance, Strings(column(letters), column(starts), column(counts)),
            StringPower(power, normalized), how,
        )
    return sum


def string_distances(
    int distance,
    const uint32_t[::1] letters,  # IN
    const int64_t[::1] starts,  # IN
    const int64_t[::1] counts,  # IN
    const int64_t[::1] a,  # IN
    const int64_t[::1] b,  # IN
    bint normalized,
    double[::1] out,  # OUT
    run,
):
    cdef Run how = kernel_run(run)
    with nogil:
        _string_distances(
            <StringDistance> distance, Strings(column(letters), column(starts), column(counts)),
            column(a), column(b), normalized, out_column(out), how,
        )


def distinct_rows(
    const double[::1, :] x,  # IN
    int64_t[::1] numbers,  # OUT
    int64_t[::1] first_rows,  # OUT
):
    cdef size_t found
    with nogil:
        found = _distinct_rows(table(x), out_column(numbers), out_column(first_rows))
    return found


def distinct_bytes(
    const uint8_t[::1] rows,  # IN
    size_t width,
    int64_t[::1] numbers,  # OUT
    int64_t[::1] first_rows,  # OUT
):
    cdef size_t found
    with nogil:
        found = _distinct_bytes(column(rows), width, out_column(numbers), out_column(first_rows))
    return found


def special_uniques(
    const int64_t[::1, :] codes,  # IN
    const uint8_t[::1] several,  # IN
    int64_t[::1, :] of_rows,  # OUT: zeros
    int64_t[::1, :] of_columns,  # OUT: zeros
    run,
):
    cdef Run how = kernel_run(run)
    with nogil:
        _special_uniques(
            table(codes), column(several), out_table(of_rows), out_table(of_columns), how,
        )
