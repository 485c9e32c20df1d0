"""Doors to the sums of distances of numbers, trees and graphs, and to the finding of equal rows."""
from cpython.ref cimport PyObject
from libc.stdint cimport int64_t, uint8_t

from tokumei._kernels.borders cimport (
    Column, OutColumn, Run, Table, python_run, raise_in_python,
)

cdef extern from "tokumei/pairs/euclid.hpp" namespace "tokumei::pairs" nogil:
    cdef cppclass TableInPlace:
        TableInPlace(const double*, size_t, size_t, size_t, size_t)
    double _euclidean_squares "tokumei::pairs::euclidean_squares"(
        TableInPlace, Run,
    ) except +raise_in_python

cdef extern from "tokumei/pairs/pairs.hpp" namespace "tokumei::pairs" nogil:
    double _sum_over_pairs "tokumei::pairs::sum_over_pairs"(
        Table[double], Column[double], double, double, Run,
    ) except +raise_in_python

cdef extern from "tokumei/pairs/manhattan.hpp" namespace "tokumei::pairs" nogil:
    double _manhattan_squares "tokumei::pairs::manhattan_squares"(
        Table[double], Column[double], Run,
    ) except +raise_in_python

cdef extern from "tokumei/pairs/manhattan_1d.hpp" namespace "tokumei::pairs" nogil:
    double _line_distances "tokumei::pairs::sum_of_absolute_differences"(
        Column[double], Column[int64_t],
    ) except +raise_in_python

cdef extern from "tokumei/pairs/trees.hpp" namespace "tokumei::pairs" nogil:
    double _tree_distances "tokumei::pairs::tree_distances"(
        Column[int64_t], Column[int64_t], int,
    ) except +raise_in_python

cdef extern from "tokumei/pairs/graphs.hpp" namespace "tokumei::pairs" nogil:
    cdef cppclass Graph:
        Graph(Column[int64_t], Column[int64_t], Column[double])
    void _shortest_paths "tokumei::pairs::shortest_paths"(
        Graph, size_t, OutColumn[double],
    ) except +raise_in_python

cdef extern from "tokumei/pairs/distinct.hpp" namespace "tokumei::pairs" nogil:
    size_t _distinct_rows "tokumei::pairs::distinct_rows"(
        Table[double], OutColumn[int64_t], OutColumn[int64_t],
    ) except +raise_in_python
    size_t _distinct_bytes "tokumei::pairs::distinct_bytes"(
        Column[uint8_t], size_t, OutColumn[int64_t], OutColumn[int64_t],
    ) except +raise_in_python

cdef extern from "tokumei/numeric/exact_sum.hpp" namespace "tokumei::numeric" nogil:
    double _exact_total "tokumei::numeric::exact_total"(Column[double]) except +raise_in_python


def euclidean_squares(
    const double[:, :] x,  # IN, rows or columns side by side
    unsigned n_threads,
    int level,
    object callback,
):
    cdef Run run = python_run(n_threads, level, <PyObject*> callback)
    cdef double result
    with nogil:
        result = _euclidean_squares(
            TableInPlace(
                &x[0, 0],
                x.shape[0],
                x.shape[1],
                x.strides[0] // sizeof(double),
                x.strides[1] // sizeof(double),
            ),
            run,
        )
    return result


def sum_over_pairs(
    const double[::1, :] x,  # IN
    const double[::1] counts,  # IN
    double p,
    double power,
    unsigned n_threads,
    int level,
    object callback,
):
    cdef Run run = python_run(n_threads, level, <PyObject*> callback)
    cdef double result
    with nogil:
        result = _sum_over_pairs(
            Table[double](&x[0, 0], x.shape[0], x.shape[1]),
            Column[double](&counts[0], counts.shape[0]),
            p,
            power,
            run,
        )
    return result


def manhattan_squares(
    const double[::1, :] x,  # IN
    const double[::1] counts,  # IN
    unsigned n_threads,
    int level,
    object callback,
):
    cdef Run run = python_run(n_threads, level, <PyObject*> callback)
    cdef double result
    with nogil:
        result = _manhattan_squares(
            Table[double](&x[0, 0], x.shape[0], x.shape[1]),
            Column[double](&counts[0], counts.shape[0]),
            run,
        )
    return result


def sum_of_absolute_differences(
    const double[::1] x,  # IN
    const int64_t[::1] counts,  # IN
):
    cdef double result
    with nogil:
        result = _line_distances(
            Column[double](&x[0], x.shape[0]),
            Column[int64_t](&counts[0], counts.shape[0]),
        )
    return result


def tree_distances(
    const int64_t[::1] parents,  # IN
    const int64_t[::1] counts,  # IN
    int power,
):
    cdef double result
    with nogil:
        result = _tree_distances(
            Column[int64_t](&parents[0], parents.shape[0]),
            Column[int64_t](&counts[0], counts.shape[0]),
            power,
        )
    return result


def shortest_paths(
    const int64_t[::1] starts,  # IN
    const int64_t[::1] targets,  # IN
    const double[::1] weights,  # IN
    size_t source,
    double[::1] out,  # OUT
):
    with nogil:
        _shortest_paths(
            Graph(
                Column[int64_t](&starts[0], starts.shape[0]),
                Column[int64_t](&targets[0], targets.shape[0]),
                Column[double](&weights[0], weights.shape[0]),
            ),
            source,
            OutColumn[double](&out[0], out.shape[0]),
        )


def distinct_rows(
    const double[::1, :] x,  # IN
    int64_t[::1] numbers,  # OUT
    int64_t[::1] first_rows,  # OUT
):
    cdef size_t found
    with nogil:
        found = _distinct_rows(
            Table[double](&x[0, 0], x.shape[0], x.shape[1]),
            OutColumn[int64_t](&numbers[0], numbers.shape[0]),
            OutColumn[int64_t](&first_rows[0], first_rows.shape[0]),
        )
    return found


def distinct_bytes(
    const uint8_t[::1] rows,  # IN
    size_t width,
    int64_t[::1] numbers,  # OUT
    int64_t[::1] first_rows,  # OUT
):
    cdef size_t found
    with nogil:
        found = _distinct_bytes(
            Column[uint8_t](&rows[0], rows.shape[0]),
            width,
            OutColumn[int64_t](&numbers[0], numbers.shape[0]),
            OutColumn[int64_t](&first_rows[0], first_rows.shape[0]),
        )
    return found


def exact_total(
    const double[::1] x,  # IN
):
    cdef double result
    with nogil:
        result = _exact_total(Column[double](&x[0], x.shape[0]))
    return result
