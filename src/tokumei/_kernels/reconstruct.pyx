"""Doors of the room reconstruct: mixtures under Laplace noise, and cells seen through a channel."""
from libc.stdint cimport int64_t
from libcpp cimport bool as truth

from tokumei._kernels.borders cimport (
    Column, OutColumn, OutTable, Run, column, kernel_run, out_column, out_table, raise_in_python,
)

cdef extern from "tokumei/reconstruct/mixture_pass.hpp" namespace "tokumei::reconstruct" nogil:
    cdef cppclass MixtureView:
        MixtureView(Column[double], Column[double], Column[double])

    double _mixture_pass "tokumei::reconstruct::mixture_pass"(
        Column[double], Column[double], MixtureView, OutTable[double], Run,
    ) except +raise_in_python
    void _mixture_members "tokumei::reconstruct::mixture_members"(
        Column[double], MixtureView, OutTable[double], OutColumn[double], Run,
    ) except +raise_in_python

cdef extern from "tokumei/reconstruct/normal_laplace_records.hpp" nogil:
    void _normal_laplace_records "tokumei::reconstruct::normal_laplace_records"(
        Column[double], double, double, OutTable[double], Run,
    ) except +raise_in_python

cdef extern from "tokumei/reconstruct/laplace_cells.hpp" nogil:
    void _laplace_sums "tokumei::reconstruct::laplace_sums"(
        Column[double], Column[double], Column[double], OutColumn[double], Run,
    ) except +raise_in_python
    void _normal_edges "tokumei::reconstruct::normal_edges"(
        Column[double], OutColumn[double], OutColumn[double], Run,
    ) except +raise_in_python

cdef extern from "tokumei/reconstruct/cell_table.hpp" namespace "tokumei::reconstruct" nogil:
    cdef cppclass CellLayout:
        CellLayout(Column[int64_t], Column[double])

    void _transition_cells "tokumei::reconstruct::transition_cells"(
        CellLayout, Column[double], OutColumn[double], truth, Run,
    ) except +raise_in_python

cdef extern from "tokumei/reconstruct/iterative_bayes.hpp" namespace "tokumei::reconstruct" nogil:
    cdef cppclass Passes:
        Passes(size_t, double, double, truth)
    cdef cppclass CellFit:
        double log_likelihood
        size_t passes
        truth converged

    CellFit _iterative_bayes "tokumei::reconstruct::iterative_bayes"(
        CellLayout, Column[double], OutColumn[double], Passes, Run,
    ) except +raise_in_python


def mixture_pass(
    const double[::1] y,  # IN, not empty
    const double[::1] counts,  # IN; None: 1 each
    const double[::1] weights,  # IN
    const double[::1] means,  # IN
    const double[::1] deviations,  # IN
    double[::1, :] sums,  # OUT, components x 3
    run,
):
    cdef Run how = kernel_run(run)
    cdef double log_likelihood
    with nogil:
        log_likelihood = _mixture_pass(
            column(y), column(counts),
            MixtureView(column(weights), column(means), column(deviations)), out_table(sums), how,
        )
    return log_likelihood


def mixture_members(
    const double[::1] y,  # IN, not empty
    const double[::1] weights,  # IN
    const double[::1] means,  # IN
    const double[::1] deviations,  # IN
    double[::1, :] members,  # OUT, records x components
    double[::1] log_densities,  # OUT
    run,
):
    cdef Run how = kernel_run(run)
    with nogil:
        _mixture_members(
            column(y), MixtureView(column(weights), column(means), column(deviations)),
            out_table(members), out_column(log_densities), how,
        )


def normal_laplace_records(
    const double[::1] y,  # IN, not empty
    double mean,
    double deviation,
    double[::1, :] out,  # OUT, records x 5
    run,
):
    cdef Run how = kernel_run(run)
    with nogil:
        _normal_laplace_records(column(y), mean, deviation, out_table(out), how)


def laplace_sums(
    const double[::1] sources,  # IN, ascending, not empty
    const double[::1] masses,  # IN
    const double[::1] targets,  # IN, ascending, not empty
    double[::1] out,  # OUT
    run,
):
    cdef Run how = kernel_run(run)
    with nogil:
        _laplace_sums(column(sources), column(masses), column(targets), out_column(out), how)


def normal_edges(
    const double[::1] t,  # IN, not empty
    double[::1] density,  # OUT
    double[::1] beyond,  # OUT
    run,
):
    cdef Run how = kernel_run(run)
    with nogil:
        _normal_edges(column(t), out_column(density), out_column(beyond), how)


def transition_cells(
    const int64_t[::1] axes,  # IN, four numbers an axis
    const double[::1] coefficients,  # IN
    const double[::1] values,  # IN
    double[::1] out,  # OUT
    bint forward,
    run,
):
    cdef Run how = kernel_run(run)
    with nogil:
        _transition_cells(
            CellLayout(column(axes), column(coefficients)), column(values), out_column(out),
            forward, how,
        )


def iterative_bayes(
    const int64_t[::1] axes,  # IN, four numbers an axis
    const double[::1] coefficients,  # IN
    const double[::1] counts,  # IN
    double[::1] probabilities,  # IN: where to start; OUT
    size_t most_passes,
    double tolerance,
    double smoothing,
    bint accelerated,
    run,
):
    cdef Run how = kernel_run(run)
    cdef CellFit fit
    with nogil:
        fit = _iterative_bayes(
            CellLayout(column(axes), column(coefficients)), column(counts),
            out_column(probabilities),
            Passes(most_passes, tolerance, smoothing, accelerated), how,
        )
    return fit.log_likelihood, fit.passes, fit.converged
