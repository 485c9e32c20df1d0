import numpy as np
from libc.stdint cimport int64_t

cdef extern from "tokumei/group/merge_neighbours.hpp" namespace "tokumei::runtime" nogil:
    cdef cppclass Column[T]:
        Column(const T*, size_t)
    cdef cppclass OutColumn[T]:
        OutColumn(T*, size_t)
    cdef cppclass Run:
        Run()
    void merge "tokumei::group::merge_neighbours"(
        Column[int64_t], int64_t, OutColumn[int64_t], Run) except +

def merged(const int64_t[::1] counts, int64_t least):
    cdef size_t n = counts.shape[0]
    cdef int64_t[::1] out = np.empty(n, dtype=np.int64)
    with nogil:
        merge(Column[int64_t](&counts[0], n), least, OutColumn[int64_t](&out[0], n), Run())
    return np.asarray(out)
