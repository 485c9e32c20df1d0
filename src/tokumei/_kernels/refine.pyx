"""Doors to the headers of the search: block_mdav.hpp (its start), refine_by.hpp."""
from cpython.ref cimport PyObject
from libc.stdint cimport int64_t, uint64_t

from tokumei._kernels.borders cimport Column, OutColumn, Run, Table, python_run, raise_in_python

cdef extern from "tokumei/refine/refine_by.hpp" namespace "tokumei::refine" nogil:
    cdef cppclass AnnealingSchedule:
        AnnealingSchedule(double, double, double)

    cdef cppclass RefineOptions:
        RefineOptions(size_t, size_t, AnnealingSchedule, uint64_t)

    cdef cppclass SensitiveOptions:
        SensitiveOptions(Column[int64_t], size_t, size_t, double, bint)

    cdef cppclass HouseholdOptions:
        HouseholdOptions(Column[int64_t], size_t)

    void _refine_by "tokumei::refine::refine_by"(
        Table[double], OutColumn[int64_t], size_t, bint, Column[double], SensitiveOptions,
        HouseholdOptions, RefineOptions, Run,
    ) except +raise_in_python


cdef extern from "tokumei/group/block_mdav.hpp" namespace "tokumei::group" nogil:
    void _block_mdav "tokumei::group::block_mdav"(
        Table[double], size_t, size_t, OutColumn[int64_t], Run,
    ) except +raise_in_python


def block_mdav(
    const double[::1, :] x,  # IN
    size_t k,
    size_t block,
    int64_t[::1] labels,  # OUT
    unsigned n_threads,
    int level,
    object callback,
):
    cdef Run run = python_run(n_threads, level, <PyObject*> callback)
    with nogil:
        _block_mdav(
            Table[double](&x[0, 0], x.shape[0], x.shape[1]),
            k,
            block,
            OutColumn[int64_t](&labels[0], labels.shape[0]),
            run,
        )


def refine(
    const double[::1, :] x,  # IN
    int64_t[::1] labels,  # IN and OUT
    size_t groups,
    size_t k,
    size_t most,
    bint absolute,
    double trials,
    double warm,
    double cool,
    uint64_t seed,
    const double[::1] weights,  # IN; of another length: all weigh 1
    const int64_t[::1] sensitive,  # IN
    size_t sensitive_values,
    size_t sensitive_distinct,
    double sensitive_apart,
    bint sensitive_ordered,
    const int64_t[::1] households,  # IN
    size_t household_distinct,
    unsigned n_threads,
    int level,
    object callback,
):
    cdef Run run = python_run(n_threads, level, <PyObject*> callback)
    with nogil:
        _refine_by(
            Table[double](&x[0, 0], x.shape[0], x.shape[1]),
            OutColumn[int64_t](&labels[0], labels.shape[0]),
            groups,
            absolute,
            Column[double](&weights[0], weights.shape[0]),
            SensitiveOptions(
                Column[int64_t](&sensitive[0], sensitive.shape[0]),
                sensitive_values,
                sensitive_distinct,
                sensitive_apart,
                sensitive_ordered,
            ),
            HouseholdOptions(
                Column[int64_t](&households[0], households.shape[0]), household_distinct
            ),
            RefineOptions(k, most, AnnealingSchedule(trials, warm, cool), seed),
            run,
        )
