"""Doors of the room lattice: equal_rows.hpp, full_domain.hpp, fewest_cells.hpp."""
from libc.stdint cimport int64_t, uint8_t
from libcpp cimport bool as cpp_bool
from libcpp.vector cimport vector

from tokumei._kernels.borders cimport (
    Column, OutColumn, Run, Table, column, kernel_run, out_column, raise_in_python, table,
)

cdef extern from "tokumei/lattice/equal_rows.hpp" namespace "tokumei::lattice" nogil:
    size_t _equal_rows "tokumei::lattice::equal_rows"(
        Table[int64_t], OutColumn[int64_t],
    ) except +raise_in_python

cdef extern from "tokumei/lattice/fewest_cells.hpp" namespace "tokumei::lattice" nogil:
    void _fewest_cells "tokumei::lattice::fewest_cells"(
        Table[int64_t], Column[double], size_t, size_t, OutColumn[int64_t], OutColumn[double], Run,
    ) except +raise_in_python

cdef extern from "tokumei/lattice/full_domain.hpp" namespace "tokumei::lattice" nogil:
    cdef enum class MetricKind(int64_t):
        sum

    cdef enum class DemandKind(int64_t):
        distinct

    cdef cppclass Hierarchies:
        Hierarchies()
        Column[int64_t] sizes
        Column[int64_t] heights
        Column[int64_t] codes

    cdef cppclass Costs:
        Costs()
        MetricKind kind
        double entropy_factor
        Column[double] generalised
        Column[double] suppressed
        Column[double] shift
        Column[double] scale
        Column[double] weight

    cdef cppclass Demand:
        Demand()
        DemandKind kind
        double limit
        Column[double] shares
        Column[int64_t] rows
        Column[int64_t] codes
        Column[int64_t] counts

    cdef cppclass SearchLimits:
        SearchLimits()
        SearchLimits(int64_t, int64_t, size_t)

    cdef cppclass BestNode:
        BestNode()
        BestNode(OutColumn[int64_t], OutColumn[uint8_t], OutColumn[double])

    cpp_bool _full_domain "tokumei::lattice::full_domain"(
        Table[int64_t], Column[int64_t], Hierarchies, Costs, vector[Demand], SearchLimits,
        BestNode, Run,
    ) except +raise_in_python


cdef Column[int64_t] whole(object values):
    cdef const int64_t[::1] array = values
    return column(array)


cdef Column[double] real(object values):
    cdef const double[::1] array = values
    return column(array)


# The views are of the options' arrays, which the caller holds while the kernel runs.
cdef Hierarchies hierarchies_of(object options):
    cdef Hierarchies made
    made.sizes = whole(options.sizes)
    made.heights = whole(options.heights)
    made.codes = whole(options.codes)
    return made


cdef Costs costs_of(object costs):
    cdef Costs made
    made.kind = <MetricKind> <int64_t> costs.kind
    made.entropy_factor = costs.entropy_factor
    made.generalised = real(costs.generalised)
    made.suppressed = real(costs.suppressed)
    made.shift = real(costs.shift)
    made.scale = real(costs.scale)
    made.weight = real(costs.weight)
    return made


cdef vector[Demand] demands_of(object demands):
    cdef vector[Demand] made
    cdef Demand one
    for demand in demands:
        one.kind = <DemandKind> <int64_t> demand.kind
        one.limit = demand.limit
        one.shares = real(demand.shares)
        one.rows = whole(demand.rows)
        one.codes = whole(demand.codes)
        one.counts = whole(demand.counts)
        made.push_back(one)
    return made


def equal_rows(
    const int64_t[::1, :] codes,  # IN
    int64_t[::1] row_of,  # OUT
):
    cdef size_t found
    with nogil:
        found = _equal_rows(table(codes), out_column(row_of))
    return found


def full_domain(
    const int64_t[::1, :] values,  # IN
    const int64_t[::1] counts,  # IN
    options,
    int64_t[::1] levels,  # OUT
    uint8_t[::1] suppressed,  # OUT
    double[::1] figures,  # OUT
    run,
):
    cdef Run how = kernel_run(run)
    cdef Hierarchies hierarchies = hierarchies_of(options)
    cdef Costs costs = costs_of(options.costs)
    cdef vector[Demand] demands = demands_of(options.demands)
    cdef SearchLimits limits = SearchLimits(
        options.k, options.most_suppressed, options.most_nodes
    )
    cdef BestNode best = BestNode(
        out_column(levels), out_column(suppressed), out_column(figures)
    )
    cdef bint found
    with nogil:
        found = _full_domain(
            table(values), column(counts), hierarchies, costs, demands, limits, best, how
        )
    return found


def fewest_cells(
    const int64_t[::1, :] codes,  # IN
    const double[::1] weights,  # IN
    size_t k,
    size_t steps,
    int64_t[::1] masks,  # OUT
    double[::1] figures,  # OUT
    run,
):
    cdef Run how = kernel_run(run)
    with nogil:
        _fewest_cells(
            table(codes), column(weights), k, steps, out_column(masks), out_column(figures), how
        )
