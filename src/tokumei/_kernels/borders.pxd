# What every door needs, declared once: borrowed views, the run, the way exceptions take.
from cpython.ref cimport PyObject

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
