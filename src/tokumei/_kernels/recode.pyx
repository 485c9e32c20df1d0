"""Door to the header that merges neighbouring categories: merge_neighbours.hpp."""
from cpython.ref cimport PyObject
from libc.stdint cimport int64_t

from tokumei._kernels.borders cimport (
    Column, OutColumn, Run, python_run, raise_in_python,
)

cdef extern from "tokumei/group/merge_neighbours.hpp" namespace "tokumei::group" nogil:
    void _merge_neighbours "tokumei::group::merge_neighbours"(
        Column[int64_t], int64_t, OutColumn[int64_t], Run,
    ) except +raise_in_python


def merge_neighbours(
    const int64_t[::1] counts,  # IN
    int64_t least,
    int64_t[::1] merged,  # OUT
    unsigned n_threads,
    int level,
    object callback,
):
    cdef Run run = python_run(n_threads, level, <PyObject*> callback)
    with nogil:
        _merge_neighbours(
            Column[int64_t](&counts[0], counts.shape[0]),
            least,
            OutColumn[int64_t](&merged[0], merged.shape[0]),
            run,
        )
