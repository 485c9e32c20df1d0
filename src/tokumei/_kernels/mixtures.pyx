"""Doors to mixtures of normal variables under Laplace noise: the pass of EM and its parts."""
from cpython.ref cimport PyObject

from tokumei._kernels.borders cimport (
    Column, OutColumn, OutTable, Run, python_run, raise_in_python,
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

cdef extern from "tokumei/reconstruct/normal_laplace_records.hpp" namespace "tokumei::reconstruct" nogil:
    void _blurred_records "tokumei::reconstruct::normal_laplace_records"(
        Column[double], double, double, OutTable[double], Run,
    ) except +raise_in_python

cdef extern from "tokumei/reconstruct/laplace_cells.hpp" namespace "tokumei::reconstruct" nogil:
    void _laplace_sums "tokumei::reconstruct::laplace_sums"(
        Column[double], Column[double], Column[double], OutColumn[double], Run,
    ) except +raise_in_python
    void _normal_edges "tokumei::reconstruct::normal_edges"(
        Column[double], OutColumn[double], OutColumn[double], Run,
    ) except +raise_in_python


def mixture_pass(
    const double[::1] y,  # IN, not empty
    const double[::1] counts,  # IN, empty for 1 each
    const double[::1] weights,  # IN
    const double[::1] means,  # IN
    const double[::1] deviations,  # IN
    double[::1, :] sums,  # OUT, components x 3
    unsigned n_threads,
    int level,
    object callback,
):
    cdef Run run = python_run(n_threads, level, <PyObject*> callback)
    cdef double result
    with nogil:
        result = _mixture_pass(
            Column[double](&y[0], y.shape[0]),
            Column[double](&counts[0] if counts.shape[0] else NULL, counts.shape[0]),
            MixtureView(
                Column[double](&weights[0], weights.shape[0]),
                Column[double](&means[0], means.shape[0]),
                Column[double](&deviations[0], deviations.shape[0]),
            ),
            OutTable[double](&sums[0, 0], sums.shape[0], sums.shape[1]),
            run,
        )
    return result


def mixture_members(
    const double[::1] y,  # IN, not empty
    const double[::1] weights,  # IN
    const double[::1] means,  # IN
    const double[::1] deviations,  # IN
    double[::1, :] members,  # OUT, records x components
    double[::1] log_densities,  # OUT
    unsigned n_threads,
    int level,
    object callback,
):
    cdef Run run = python_run(n_threads, level, <PyObject*> callback)
    with nogil:
        _mixture_members(
            Column[double](&y[0], y.shape[0]),
            MixtureView(
                Column[double](&weights[0], weights.shape[0]),
                Column[double](&means[0], means.shape[0]),
                Column[double](&deviations[0], deviations.shape[0]),
            ),
            OutTable[double](&members[0, 0], members.shape[0], members.shape[1]),
            OutColumn[double](&log_densities[0], log_densities.shape[0]),
            run,
        )


def normal_laplace_records(
    const double[::1] y,  # IN, not empty
    double mean,
    double deviation,
    double[::1, :] out,  # OUT, records x 5
    unsigned n_threads,
    int level,
    object callback,
):
    cdef Run run = python_run(n_threads, level, <PyObject*> callback)
    with nogil:
        _blurred_records(
            Column[double](&y[0], y.shape[0]),
            mean,
            deviation,
            OutTable[double](&out[0, 0], out.shape[0], out.shape[1]),
            run,
        )


def laplace_sums(
    const double[::1] sources,  # IN, ascending, not empty
    const double[::1] masses,  # IN
    const double[::1] targets,  # IN, ascending, not empty
    double[::1] out,  # OUT
    int level,
):
    cdef Run run = python_run(1, level, <PyObject*> None)
    with nogil:
        _laplace_sums(
            Column[double](&sources[0], sources.shape[0]),
            Column[double](&masses[0], masses.shape[0]),
            Column[double](&targets[0], targets.shape[0]),
            OutColumn[double](&out[0], out.shape[0]),
            run,
        )


def normal_edges(
    const double[::1] t,  # IN, not empty
    double[::1] density,  # OUT
    double[::1] beyond,  # OUT
    int level,
):
    cdef Run run = python_run(1, level, <PyObject*> None)
    with nogil:
        _normal_edges(
            Column[double](&t[0], t.shape[0]),
            OutColumn[double](&density[0], density.shape[0]),
            OutColumn[double](&beyond[0], beyond.shape[0]),
            run,
        )
