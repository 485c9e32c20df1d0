# What every door needs, declared once: arrays as the views that kernels take, the run, the way
# exceptions take. An array that may be absent is None here and a view of nothing there.
from cpython.ref cimport PyObject
from libc.stdint cimport int32_t, int64_t, uint8_t, uint32_t

cdef extern from "tokumei/runtime/views.hpp" namespace "tokumei::runtime" nogil:
    cdef cppclass Column[T]:
        Column()
        Column(const T*, size_t)

    cdef cppclass Table[T]:
        Table()
        Table(const T*, size_t, size_t)

    cdef cppclass RecordTable[T]:
        RecordTable(const T*, size_t, size_t, bint)

    cdef cppclass OutColumn[T]:
        OutColumn()
        OutColumn(T*, size_t)

    cdef cppclass OutTable[T]:
        OutTable()
        OutTable(T*, size_t, size_t)

cdef extern from "python_run.hpp" namespace "tokumei::runtime":
    cdef cppclass Run:
        Run()

    void raise_in_python()
    Run python_run(unsigned, int, PyObject*) except +raise_in_python

cdef extern from "tokumei/runtime/records.hpp" namespace "tokumei::runtime" nogil:
    cdef cppclass Records:
        Records()
        Records(Table[double])
        Records(Table[double], Table[int32_t], Column[double])

ctypedef fused cell:
    double
    int32_t
    int64_t
    uint32_t
    uint8_t


cdef inline Column[cell] column(const cell[::1] x) noexcept nogil:
    return Column[cell](&x[0] if x.shape[0] else NULL, x.shape[0])


cdef inline OutColumn[cell] out_column(cell[::1] x) noexcept nogil:
    return OutColumn[cell](&x[0] if x.shape[0] else NULL, x.shape[0])


cdef inline Table[cell] table(const cell[::1, :] x) noexcept nogil:
    return Table[cell](&x[0, 0] if x.shape[0] and x.shape[1] else NULL, x.shape[0], x.shape[1])


cdef inline OutTable[cell] out_table(cell[::1, :] x) noexcept nogil:
    return OutTable[cell](&x[0, 0] if x.shape[0] and x.shape[1] else NULL, x.shape[0], x.shape[1])


# A table of numbers, or a tokumei.microaggregation.records.Records, which the caller holds while
# the kernel runs.
cdef inline Records records(object x) except *:
    cdef const double[::1, :] numbers
    cdef const int32_t[::1, :] codes
    cdef const double[::1] weights
    if not hasattr(x, "codes"):
        numbers = x
        return Records(table(numbers))
    numbers = x.numbers
    codes = x.codes
    weights = x.weights
    return Records(table(numbers), table(codes), column(weights))


# A tokumei._check.Run, which the caller holds while the kernel runs.
cdef inline Run kernel_run(object run):
    cdef object callback = run.callback
    return python_run(run.n_threads, run.instruction_set, <PyObject*> callback)
