"""Doors to the cells of a distribution seen through noise: spreads, iterative Bayes, systems."""
from cpython.ref cimport PyObject
from libc.stdint cimport int64_t
from libcpp cimport bool as cbool

from tokumei._kernels.borders cimport Column, OutColumn, Run, python_run, raise_in_python

cdef extern from "tokumei/reconstruct/cell_table.hpp" namespace "tokumei::reconstruct" nogil:
    cdef cppclass CellLayout:
        CellLayout(Column[int64_t], Column[double])
    void _spread_cells "tokumei::reconstruct::transition_cells"(
        CellLayout, Column[double], OutColumn[double], cbool, Run,
    ) except +raise_in_python

cdef extern from "tokumei/reconstruct/iterative_bayes.hpp" namespace "tokumei::reconstruct" nogil:
    cdef cppclass Passes:
        Passes(size_t, double, double, cbool)
    cdef cppclass CellFit:
        double log_likelihood
        size_t passes
        cbool converged
    CellFit _iterative_bayes "tokumei::reconstruct::iterative_bayes"(
        CellLayout, Column[double], OutColumn[double], Passes, Run,
    ) except +raise_in_python

cdef extern from "tokumei/numeric/symmetric_systems.hpp" namespace "tokumei::numeric" nogil:
    void _weighted_square "tokumei::numeric::weighted_square"(
        Column[double], Column[double], OutColumn[double], Run,
    ) except +raise_in_python
    void _factorise "tokumei::numeric::factorise"(
        OutColumn[double], size_t, Run,
    ) except +raise_in_python
    void _solve_factorised "tokumei::numeric::solve_factorised"(
        Column[double], size_t, OutColumn[double], cbool, Run,
    ) except +raise_in_python


def transition_cells(
    const int64_t[::1] axes,  # IN, four numbers an axis
    const double[::1] coefficients,  # IN
    const double[::1] values,  # IN
    double[::1] out,  # OUT
    bint forward,
    int level,
):
    cdef Run run = python_run(1, level, <PyObject*> None)
    with nogil:
        _spread_cells(
            CellLayout(
                Column[int64_t](&axes[0], axes.shape[0]),
                Column[double](&coefficients[0], coefficients.shape[0]),
            ),
            Column[double](&values[0], values.shape[0]),
            OutColumn[double](&out[0], out.shape[0]),
            forward,
            run,
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
    int level,
    object callback,
):
    cdef Run run = python_run(1, level, <PyObject*> callback)
    cdef CellFit fit
    with nogil:
        fit = _iterative_bayes(
            CellLayout(
                Column[int64_t](&axes[0], axes.shape[0]),
                Column[double](&coefficients[0], coefficients.shape[0]),
            ),
            Column[double](&counts[0], counts.shape[0]),
            OutColumn[double](&probabilities[0], probabilities.shape[0]),
            Passes(most_passes, tolerance, smoothing, accelerated),
            run,
        )
    return fit.log_likelihood, fit.passes, fit.converged


def weighted_square(
    const double[::1] a,  # IN, row after row
    const double[::1] weights,  # IN, one a row
    double[::1] out,  # OUT
    int level,
):
    cdef Run run = python_run(1, level, <PyObject*> None)
    with nogil:
        _weighted_square(
            Column[double](&a[0], a.shape[0]),
            Column[double](&weights[0], weights.shape[0]),
            OutColumn[double](&out[0], out.shape[0]),
            run,
        )


def factorise(
    double[::1] s,  # IN; OUT: its factor in the upper triangle
    size_t n,
    int level,
):
    cdef Run run = python_run(1, level, <PyObject*> None)
    with nogil:
        _factorise(OutColumn[double](&s[0], s.shape[0]), n, run)


def solve_factorised(
    const double[::1] u,  # IN
    size_t n,
    double[::1] x,  # IN: right-hand sides; OUT
    bint both,
    int level,
):
    cdef Run run = python_run(1, level, <PyObject*> None)
    with nogil:
        _solve_factorised(
            Column[double](&u[0], u.shape[0]),
            n,
            OutColumn[double](&x[0], x.shape[0]),
            both,
            run,
        )
