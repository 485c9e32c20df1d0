"""Doors of the room order: records along blocks, a curve, an axis, a path; in blocks of a tree."""
from libc.stdint cimport int64_t

from tokumei._kernels.borders cimport (
    Column, OutColumn, OutTable, Records, Run, Table, column, kernel_run, out_column, out_table,
    raise_in_python, records, table,
)

cdef extern from "tokumei/order/grid_order.hpp" nogil:
    void _grid_order "tokumei::order::grid_order"(
        Table[double], Column[int64_t], OutColumn[int64_t], Run,
    ) except +raise_in_python

cdef extern from "tokumei/order/flexdice.hpp" namespace "tokumei::order" nogil:
    cdef cppclass FlexDiceRule:
        FlexDiceRule(size_t, size_t, size_t)

cdef extern from "tokumei/order/flexdice_order.hpp" nogil:
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

cdef extern from "tokumei/order/hilbert_order.hpp" nogil:
    void _hilbert_order "tokumei::order::hilbert_order"(
        Table[double], unsigned, OutColumn[int64_t], Run,
    ) except +raise_in_python

cdef extern from "tokumei/order/axis_order.hpp" nogil:
    void _column_order "tokumei::order::column_order"(
        Column[double], OutColumn[int64_t], Run,
    ) except +raise_in_python
    void _principal_order "tokumei::order::principal_order"(
        Table[double], OutColumn[int64_t], Run,
    ) except +raise_in_python

cdef extern from "tokumei/order/cut_tree.hpp" namespace "tokumei::order" nogil:
    cdef cppclass CutTree:
        CutTree(Column[int64_t], Column[double], Column[int64_t], Column[int64_t])

    void _find_blocks "tokumei::order::find_blocks"(
        Table[double], CutTree, OutColumn[int64_t], Run,
    ) except +raise_in_python

cdef extern from "tokumei/order/npn_order.hpp" nogil:
    void _npn_order "tokumei::order::npn_order"(
        Records, OutColumn[int64_t], Run,
    ) except +raise_in_python


def grid_order(
    const double[::1, :] x,  # IN
    const int64_t[::1] blocks_per_axis,  # IN
    int64_t[::1] order,  # OUT
    run,
):
    cdef Run how = kernel_run(run)
    with nogil:
        _grid_order(table(x), column(blocks_per_axis), out_column(order), how)


def flexdice_order(
    const double[::1, :] x,  # IN
    size_t c1,
    size_t c2,
    size_t axes,
    int64_t[::1] order,  # OUT
    run,
):
    cdef Run how = kernel_run(run)
    with nogil:
        _flexdice_order(table(x), FlexDiceRule(c1, c2, axes), out_column(order), how)


def count_blocks(
    const double[::1, :] x,  # IN
    size_t c1,
    size_t c2,
    size_t axes,
    run,
):
    cdef Run how = kernel_run(run)
    cdef BlockCounts counts
    with nogil:
        counts = _count_blocks(table(x), FlexDiceRule(c1, c2, axes), how)
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
    run,
):
    cdef Run how = kernel_run(run)
    with nogil:
        _list_blocks(
            table(x), FlexDiceRule(c1, c2, axes), out_column(block), out_table(lower),
            out_table(upper), out_table(links), how,
        )


def hilbert_order(
    const double[::1, :] x,  # IN
    unsigned bits,
    int64_t[::1] order,  # OUT
    run,
):
    cdef Run how = kernel_run(run)
    with nogil:
        _hilbert_order(table(x), bits, out_column(order), how)


def column_order(
    const double[::1] x,  # IN
    int64_t[::1] order,  # OUT
    run,
):
    cdef Run how = kernel_run(run)
    with nogil:
        _column_order(column(x), out_column(order), how)


def principal_order(
    const double[::1, :] x,  # IN
    int64_t[::1] order,  # OUT
    run,
):
    cdef Run how = kernel_run(run)
    with nogil:
        _principal_order(table(x), out_column(order), how)


def npn_order(
    object x,  # IN: numbers, or records of numbers and codes
    int64_t[::1] order,  # OUT
    run,
):
    cdef Run how = kernel_run(run)
    cdef Records given = records(x)
    with nogil:
        _npn_order(given, out_column(order), how)


def find_blocks(
    const double[::1, :] x,  # IN
    const int64_t[::1] axis,  # IN
    const double[::1] cut,  # IN
    const int64_t[::1] below,  # IN
    const int64_t[::1] above,  # IN
    int64_t[::1] blocks,  # OUT
    run,
):
    cdef Run how = kernel_run(run)
    with nogil:
        _find_blocks(
            table(x), CutTree(column(axis), column(cut), column(below), column(above)),
            out_column(blocks), how,
        )
