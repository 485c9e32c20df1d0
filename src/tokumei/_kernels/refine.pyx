"""Door of the room refine: refine_by.hpp."""
from libc.stdint cimport int64_t, uint64_t
from libcpp.vector cimport vector

from tokumei._kernels.borders cimport (
    Column, OutColumn, Records, Run, column, kernel_run, out_column, raise_in_python, records,
)

cdef extern from "tokumei/refine/refine_by.hpp" namespace "tokumei::refine" nogil:
    cdef cppclass AnnealingSchedule:
        AnnealingSchedule(double, double, double)

    cdef cppclass DistinctRule:
        DistinctRule(Column[int64_t], size_t)

    cdef cppclass CloseRule:
        CloseRule(Column[int64_t], double, bint)

    cdef cppclass RefineByOptions:
        RefineByOptions()
        size_t k
        size_t largest
        bint absolute
        AnnealingSchedule schedule
        uint64_t seed
        Column[double] weights
        vector[DistinctRule] distinct
        vector[CloseRule] close

    void _refine_by "tokumei::refine::refine_by"(
        Records, OutColumn[int64_t], size_t, RefineByOptions, Run,
    ) except +raise_in_python


cdef vector[DistinctRule] distinct_rules(object rules):
    cdef vector[DistinctRule] made
    cdef const int64_t[::1] codes
    for rule in rules:
        codes = rule.codes
        made.push_back(DistinctRule(column(codes), rule.least))
    return made


cdef vector[CloseRule] close_rules(object rules):
    cdef vector[CloseRule] made
    cdef const int64_t[::1] codes
    for rule in rules:
        codes = rule.codes
        made.push_back(CloseRule(column(codes), rule.farthest, rule.ordered))
    return made


# The views are of the options' arrays, which the caller holds while the kernel runs.
cdef RefineByOptions refine_options(object options):
    cdef RefineByOptions made
    cdef const double[::1] weights = options.weights
    made.k = options.k
    made.largest = options.largest
    made.absolute = options.absolute
    made.schedule = AnnealingSchedule(
        options.perturbations, options.start_temperature, options.end_temperature
    )
    made.seed = options.seed
    made.weights = column(weights)
    made.distinct = distinct_rules(options.distinct)
    made.close = close_rules(options.close)
    return made


def refine(
    object x,  # IN: numbers, or records of numbers and codes
    int64_t[::1] labels,  # IN and OUT
    size_t groups,
    options,
    run,
):
    cdef Run how = kernel_run(run)
    cdef RefineByOptions wish = refine_options(options)
    cdef Records given = records(x)
    with nogil:
        _refine_by(given, out_column(labels), groups, wish, how)
