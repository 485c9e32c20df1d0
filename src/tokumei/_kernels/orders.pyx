"""Doors to the headers that put records in an order: by blocks, along a curve, an axis, a path."""
from cpython.ref cimport PyObject
from libc.stdint cimport int64_t

from tokumei._kernels.borders cimport (
    Column, OutColumn, OutTable, Run, Table, python_run, raise_in_python,
)

cdef extern from "tokumei/order/grid_order.hpp" namespace "tokumei::order" nogil:
    void _grid_order "tokumei::order::grid_order"(
        Table[double], Column[int64_t], OutColumn[int64_t], Run,
    ) except +raise_in_python

cdef extern from "tokumei/order/flexdice.hpp" namespace "tokumei::order" nogil:
    cdef cppclass FlexDiceRule:
        size_t c1
        size_t c2
        size_t axes

cdef extern from "tokumei/order/flexdice_order.hpp" namespace "tokumei::order" nogil:
    void _flexdice_order "tokumei::order::flexdice_order"(
        Table[double], FlexDiceRule, OutColumn[int64_t], Run,
    ) except +raise_in_python

cdef extern from "tokumei/order/block_listing.hpp" namespace "tokumei::order" nogil:
    cdef cppclass BlockCounts:
        size_t blocks
        size_t links

    BlockCounts _count_blocks "tokumei::order::count_blocks"(
        Table[double], FlexDiceRule, Run,
    ) except +raise_in_python
    void _list_blocks "tokumei::order::list_blocks"(
        Table[double], FlexDiceRule, OutColumn[int64_t], OutTable[double], OutTable[double],
        OutTable[int64_t], Run,
    ) except +raise_in_python

cdef extern from "tokumei/order/hilbert_order.hpp" namespace "tokumei::order" nogil:
    void _hilbert_order "tokumei::order::hilbert_order"(
        Table[double], unsigned, OutColumn[int64_t], Run,
    ) except +raise_in_python

cdef extern from "tokumei/order/axis_order.hpp" namespace "tokumei::order" nogil:
    void _column_order "tokumei::order::column_order"(
        Column[double], OutColumn[int64_t], Run,
    ) except +raise_in_python
    void _principal_order "tokumei::order::principal_order"(
        Table[double], OutColumn[int64_t], Run,
    ) except +raise_in_python

cdef extern from "tokumei/order/npn_order.hpp" namespace "tokumei::order" nogil:
    void _npn_order "tokumei::order::npn_order"(
        Table[double], OutColumn[int64_t], Run,
    ) except +raise_in_python

cdef FlexDiceRule flexdice_rule(size_t c1, size_t c2, size_t axes):
    cdef FlexDiceRule rule
    rule.c1 = c1
    rule.c2 = c2
    rule.axes = axes
    return rule


def grid_order(
    const double[::1, :] x,  # IN
    const int64_t[::1] blocks_per_axis,  # IN
    int64_t[::1] order,  # OUT
    unsigned n_threads,
    int level,
    object callback,
):
    cdef Run run = python_run(n_threads, level, <PyObject*> callback)
    with nogil:
        _grid_order(
            Table[double](&x[0, 0], x.shape[0], x.shape[1]),
            Column[int64_t](&blocks_per_axis[0], blocks_per_axis.shape[0]),
            OutColumn[int64_t](&order[0], order.shape[0]),
            run,
        )


def flexdice_order(
    const double[::1, :] x,  # IN
    size_t c1,
    size_t c2,
    size_t axes,
    int64_t[::1] order,  # OUT
    unsigned n_threads,
    int level,
    object callback,
):
    cdef Run run = python_run(n_threads, level, <PyObject*> callback)
    cdef FlexDiceRule rule = flexdice_rule(c1, c2, axes)
    with nogil:
        _flexdice_order(
            Table[double](&x[0, 0], x.shape[0], x.shape[1]),
            rule,
            OutColumn[int64_t](&order[0], order.shape[0]),
            run,
        )


def count_blocks(
    const double[::1, :] x,  # IN
    size_t c1,
    size_t c2,
    size_t axes,
    unsigned n_threads,
    int level,
    object callback,
):
    cdef Run run = python_run(n_threads, level, <PyObject*> callback)
    cdef FlexDiceRule rule = flexdice_rule(c1, c2, axes)
    cdef BlockCounts counts
    with nogil:
        counts = _count_blocks(Table[double](&x[0, 0], x.shape[0], x.shape[1]), rule, run)
    return counts.blocks, counts.links


def list_blocks(
    const double[::1, :] x,  # IN
    size_t c1,
    size_t c2,
    size_t axes,
    int64_t[::1] block,  # OUT
    double[::1, :] lower,  # OUT
    double[::1, :] upper,  # OUT
    int64_t[::1, :] links,  # OUT
    unsigned n_threads,
    int level,
    object callback,
):
    cdef Run run = python_run(n_threads, level, <PyObject*> callback)
    cdef FlexDiceRule rule = flexdice_rule(c1, c2, axes)
    with nogil:
        _list_blocks(
            Table[double](&x[0, 0], x.shape[0], x.shape[1]),
            rule,
            OutColumn[int64_t](&block[0], block.shape[0]),
            OutTable[double](&lower[0, 0], lower.shape[0], lower.shape[1]),
            OutTable[double](&upper[0, 0], upper.shape[0], upper.shape[1]),
            OutTable[int64_t](&links[0, 0], links.shape[0], links.shape[1]),
            run,
        )


def hilbert_order(
    const double[::1, :] x,  # IN
    unsigned bits,
    int64_t[::1] order,  # OUT
    unsigned n_threads,
    int level,
    object callback,
):
    cdef Run run = python_run(n_threads, level, <PyObject*> callback)
    with nogil:
        _hilbert_order(
            Table[double](&x[0, 0], x.shape[0], x.shape[1]),
            bits,
            OutColumn[int64_t](&order[0], order.shape[0]),
            run,
        )


def column_order(
    const double[::1] x,  # IN
    int64_t[::1] order,  # OUT
    unsigned n_threads,
    int level,
    object callback,
):
    cdef Run run = python_run(n_threads, level, <PyObject*> callback)
    with nogil:
        _column_order(
            Column[double](&x[0], x.shape[0]),
            OutColumn[int64_t](&order[0], order.shape[0]),
            run,
        )


def principal_order(
    const double[::1, :] x,  # IN
    int64_t[::1] order,  # OUT
    unsigned n_threads,
    int level,
    object callback,
):
    cdef Run run = python_run(n_threads, level, <PyObject*> callback)
    with nogil:
        _principal_order(
            Table[double](&x[0, 0], x.shape[0], x.shape[1]),
            OutColumn[int64_t](&order[0], order.shape[0]),
            run,
        )


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
