"""Doors of the room reconstruct: mixtures under Laplace noise, and cells seen through a channel."""
from libc.stdint cimport int64_t

from tokumei._kernels.borders cimport (
    Column, RecordTable, Run, column, kernel_run, out_column, out_table,
)


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


def normal_edges(
    const double[::1] t,  # IN, not empty
    double[::1] density,  # OUT
    double[::1] beyond,  # OUT
    run,
):
    cdef Run how = kernel_run(run)
    with nogil:
        _normal_edges(column(t), out_column(density), out_column(beyond), how)


def normal_cells(
    const double[::1] edges,  # IN, ascending, two or more
    double mean,
    double deviation,
    double[::1] masses,  # OUT, one less
    run,
):
    cdef Run how = kernel_run(run)
    with nogil:
        _normal_cells(column(edges), mean, deviation, out_column(masses), how)


def fit_mixture(
    const double[::1] y,  # IN, ascending, not empty
    const double[::1] counts,  # IN; None: 1 each
    const double[::1] edges,  # IN; None: the whole line
    double[::1] weights,  # IN: where to start; OUT
    double[::1] means,  # IN; OUT
    double[::1] deviations,  # IN; OUT
    size_t atoms,
    double tolerance,
    size_t most_steps,
    bint accelerated,
    run,
):
    cdef Run how = kernel_run(run)
    cdef Climb done
    with nogil:
        done = _fit_mixture(
            MixtureRecords(column(y), column(counts), column(edges)), out_column(weights),
            out_column(means), out_column(deviations), atoms,
            ClimbLimits(tolerance, most_steps, accelerated), how,
        )
    return done.log_likelihood, done.steps, done.converged, tuple(done.trace)


def mixture_log_likelihood(
    const double[::1] y,  # IN, ascending, not empty
    const double[::1] counts,  # IN; None: 1 each
    const double[::1] edges,  # IN; None: the whole line
    const double[::1] weights,  # IN
    const double[::1] means,  # IN
    const double[::1] deviations,  # IN
    size_t atoms,
    run,
):
    cdef Run how = kernel_run(run)
    cdef double log_likelihood
    with nogil:
        log_likelihood = _mixture_log_likelihood(
            MixtureRecords(column(y), column(counts), column(edges)),
            MixtureView(column(weights), column(means), column(deviations)), atoms, how,
        )
    return log_likelihood


def mixture_posterior(
    const double[::1] y,  # IN, ascending, not empty
    const double[::1] edges,  # IN; None: the whole line
    const double[::1] weights,  # IN
    const double[::1] means,  # IN
    const double[::1] deviations,  # IN
    size_t atoms,
    double[::1, :] members,  # OUT, records x components
    double[::1] log_densities,  # OUT
    run,
):
    cdef Run how = kernel_run(run)
    with nogil:
        _mixture_posterior(
            MixtureRecords(column(y), Column[double](), column(edges)),
            MixtureView(column(weights), column(means), column(deviations)), atoms,
            out_table(members), out_column(log_densities), how,
        )


def line_clusters(
    const double[::1] y,  # IN, ascending, not empty
    const double[::1] counts,  # IN
    double[::1] means,  # IN, ascending: where to start; OUT
    double[::1] weights,  # OUT
    double[::1] squares,  # OUT
    run,
):
    cdef Run how = kernel_run(run)
    with nogil:
        _line_clusters(
            column(y), column(counts), out_column(means), out_column(weights),
            out_column(squares), how,
        )


def mixture_evidence(
    const double[::1] edges,  # IN, from 0 to 1
    const double[::1] parameters,  # IN
    const double[::1] transition,  # IN, released cells x cells
    const double[::1] counts,  # IN, of released cells
    const double[::1] prior,  # IN, one a parameter
    double[::1] cells,  # OUT
    double[::1] factor,  # OUT, parameters x parameters
    run,
):
    cdef Run how = kernel_run(run)
    cdef MixtureEvidence found
    with nogil:
        found = _mixture_evidence(
            column(edges), column(parameters), column(transition), column(counts), column(prior),
            out_column(cells), out_column(factor), how,
        )
    return found.log_likelihood, found.log_determinant, found.freedom


def smooth_fits(
    const double[::1] transition,  # IN, released cells x (cells, then atoms)
    const double[::1] counts,  # IN, of released cells
    size_t atoms,
    size_t order,
    const double[::1] strengths,  # IN, descending
    double[::1] evidence,  # OUT, one a fit
    double[::1] log_likelihood,  # OUT
    double[::1] theta,  # OUT, a row a fit
    double[::1] probabilities,  # OUT, a row a fit
    double[::1] information,  # OUT, a matrix a fit
    double[::1] factor,  # OUT, a matrix a fit
    run,
):
    cdef Run how = kernel_run(run)
    cdef size_t made
    with nogil:
        made = _smooth_fits(
            column(transition), column(counts), atoms, order, column(strengths),
            SmoothFits(
                out_column(evidence), out_column(log_likelihood), out_column(theta),
                out_column(probabilities), out_column(information), out_column(factor),
            ),
            how,
        )
    return made


def likelihood_remainders(
    const double[::1] transition,  # IN, released cells x (cells, then atoms)
    const double[::1] counts,  # IN, of released cells
    const double[::1] theta,  # IN, log-probabilities
    const double[::1] information,  # IN, of theta
    const double[:, ::1] moves,  # IN, a move of theta a row, one or more
    double[::1] out,  # OUT, one a row
    run,
):
    cdef Run how = kernel_run(run)
    with nogil:
        _likelihood_remainders(
            column(transition), column(counts), column(theta), column(information),
            RecordTable[double](&moves[0, 0], moves.shape[0], moves.shape[1], True),
            out_column(out), how,
        )


def transition_matrix(
    const int64_t[::1] axes,  # IN, four numbers an axis
    const double[::1] coefficients,  # IN
    double[::1] out,  # OUT, released cells x cells
    run,
):
    cdef Run how = kernel_run(run)
    with nogil:
        _transition_matrix(
            CellLayout(column(axes), column(coefficients)), out_column(out), how,
        )


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
