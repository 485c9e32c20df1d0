"""Doors of the room classes: special_uniques.hpp."""
from libc.stdint cimport int64_t, uint8_t

from tokumei._kernels.borders cimport (
    Column, OutTable, Run, Table, column, kernel_run, out_table, raise_in_python, table,
)

cdef extern from "tokumei/classes/special_uniques.hpp" nogil:
    void _special_uniques "tokumei::classes::special_uniques"(
        Table[int64_t], Column[uint8_t], OutTable[int64_t], OutTable[int64_t], Run,
    ) except +raise_in_python


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
