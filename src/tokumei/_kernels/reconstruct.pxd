# What the doors of the room reconstruct lead to.
from libc.stdint cimport int64_t
from libcpp cimport bool as truth
from libcpp.vector cimport vector

from tokumei._kernels.borders cimport (
    Column, OutColumn, OutTable, RecordTable, Run, raise_in_python,
)

cdef extern from "tokumei/reconstruct/mixture_pass.hpp" namespace "tokumei::reconstruct" nogil:
    cdef cppclass MixtureView:
        MixtureView(Column[double], Column[double], Column[double])

    double _mixture_pass "tokumei::reconstruct::mixture_pass"(
        Column[double], Column[double], MixtureView, OutTable[double], Run,
    ) except +raise_in_python

cdef extern from "tokumei/reconstruct/normal_laplace_records.hpp" nogil:
    void _normal_laplace_records "tokumei::reconstruct::normal_laplace_records"(
        Column[double], double, double, OutTable[double], Run,
    ) except +raise_in_python

cdef extern from "tokumei/reconstruct/normal_cells.hpp" nogil:
    void _normal_edges "tokumei::reconstruct::normal_edges"(
        Column[double], OutColumn[double], OutColumn[double], Run,
    ) except +raise_in_python
    void _normal_cells "tokumei::reconstruct::normal_cells"(
        Column[double], double, double, OutColumn[double], Run,
    ) except +raise_in_python

cdef extern from "tokumei/reconstruct/fit_mixture.hpp" namespace "tokumei::reconstruct" nogil:
    cdef cppclass MixtureRecords:
        MixtureRecords(Column[double], Column[double], Column[double])
    cdef cppclass ClimbLimits:
        ClimbLimits(double, size_t, truth)
    cdef cppclass Climb:
        double log_likelihood
        size_t steps
        truth converged
        vector[double] trace

    Climb _fit_mixture "tokumei::reconstruct::fit_mixture"(
        MixtureRecords, OutColumn[double], OutColumn[double], OutColumn[double], size_t,
        ClimbLimits, Run,
    ) except +raise_in_python
    double _mixture_log_likelihood "tokumei::reconstruct::mixture_log_likelihood"(
        MixtureRecords, MixtureView, size_t, Run,
    ) except +raise_in_python
    void _mixture_posterior "tokumei::reconstruct::mixture_posterior"(
        MixtureRecords, MixtureView, size_t, OutTable[double], OutColumn[double], Run,
    ) except +raise_in_python

cdef extern from "tokumei/reconstruct/line_clusters.hpp" nogil:
    void _line_clusters "tokumei::reconstruct::line_clusters"(
        Column[double], Column[double], OutColumn[double], OutColumn[double], OutColumn[double],
        Run,
    ) except +raise_in_python

cdef extern from "tokumei/reconstruct/mixture_evidence.hpp" namespace "tokumei::reconstruct" nogil:
    cdef cppclass MixtureEvidence:
        double log_likelihood
        double log_determinant
        double freedom

    MixtureEvidence _mixture_evidence "tokumei::reconstruct::mixture_evidence"(
        Column[double], Column[double], Column[double], Column[double], Column[double],
        OutColumn[double], OutColumn[double], Run,
    ) except +raise_in_python

cdef extern from "tokumei/reconstruct/smoothness.hpp" namespace "tokumei::reconstruct" nogil:
    cdef cppclass SmoothFits:
        SmoothFits(
            OutColumn[double], OutColumn[double], OutColumn[double], OutColumn[double],
            OutColumn[double], OutColumn[double],
        )

    size_t _smooth_fits "tokumei::reconstruct::smooth_fits"(
        Column[double], Column[double], size_t, size_t, Column[double], SmoothFits, Run,
    ) except +raise_in_python

cdef extern from "tokumei/reconstruct/likelihood_remainders.hpp" nogil:
    void _likelihood_remainders "tokumei::reconstruct::likelihood_remainders"(
        Column[double], Column[double], Column[double], Column[double], RecordTable[double],
        OutColumn[double], Run,
    ) except +raise_in_python

cdef extern from "tokumei/reconstruct/cell_table.hpp" namespace "tokumei::reconstruct" nogil:
    cdef cppclass CellLayout:
        CellLayout(Column[int64_t], Column[double])

    void _transition_cells "tokumei::reconstruct::transition_cells"(
        CellLayout, Column[double], OutColumn[double], truth, Run,
    ) except +raise_in_python
    void _transition_matrix "tokumei::reconstruct::transition_matrix"(
        CellLayout, OutColumn[double], Run,
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
