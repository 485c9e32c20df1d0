// Smooth log-densities on cells under noise, by a normal prior (smoothness_prior.hpp).
//
// For each strength of smoothing the most probable log-probabilities are found by Newton's method
// with Fisher's information, which is never indefinite; the evidence - the probability of the
// counts with everything unknown integrated out - is Laplace's approximation. (A penalised
// composite link model: Eilers 2007.) Strengths descend, and each fit begins where the last one
// ended. A Newton step is O(released cells x cells^2). One thread, the same bits on every
// instruction set. Throws Interrupted.
#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>
#include <vector>

#include "tokumei/numeric/symmetric_systems.hpp"
#include "tokumei/reconstruct/dense_matrix.hpp"
#include "tokumei/reconstruct/smoothness_prior.hpp"
#include "tokumei/runtime/run.hpp"
#include "tokumei/runtime/views.hpp"
#include "tokumei/simd/elementary.hpp"

namespace tokumei::reconstruct {

// Where the fits go, a row each: evidence and log-likelihood; log-probabilities (to a constant) and
// probabilities; Fisher's information, and U with U' U the precision.
struct SmoothFits {
  OutColumn<double> evidence, log_likelihood, theta, probabilities, information, factor;
};

// e^theta over its sum.
inline void take_softmax(InstructionSet isa, const std::vector<double>& theta, double* p) {
  const double largest = *std::max_element(theta.begin(), theta.end());
  for (std::size_t i = 0; i < theta.size(); ++i) p[i] = theta[i] - largest;
  exponentiate(isa, p, theta.size());
  double sum = 0.0;
  for (std::size_t i = 0; i < theta.size(); ++i) sum += p[i];
  for (std::size_t i = 0; i < theta.size(); ++i) p[i] /= sum;
}

class SmoothSearch {
 public:
  // Log-probabilities, what follows from them, and the log posterior (to a constant).
  struct Point {
    std::vector<double> theta, p, expected;
    double log_likelihood = 0.0, value = 0.0;
  };

  SmoothSearch(DenseMatrix noise, Column<double> counts, Run& run)
      : noise_(noise), counts_(counts), run_(run), logs_(noise.rows()), weights_(noise.rows()),
        pulled_(noise.columns()), slopes_(noise.rows() * noise.columns()) {
    for (const double count : counts) records_ += count;
  }

  // From `here` to the most probable point under a prior; the information there and the factor of
  // the precision.
  void climb(const std::vector<double>& prior, Point& here, OutColumn<double> information,
             OutColumn<double> factor) {
    const std::size_t n = noise_.columns();
    const DenseMatrix rough(prior.data(), n, n, run_.isa);
    look(rough, here);
    Point tried = here;
    std::vector<double> uphill(n), step(n);
    for (int newton = 0; newton < most_newton_steps; ++newton) {
      run_.monitor.tick(0.0);
      find_information(here, information);
      for (std::size_t i = 0; i < n * n; ++i) factor[i] = information[i] + prior[i];
      factorise(factor, n, run_);
      find_gradient(rough, here, uphill);
      step = uphill;
      solve_factorised(factor, n, {step.data(), n}, true, run_);
      const double slope = dot(uphill, step);
      if (slope < least_gain) return;
      double length = 1.0;
      go(rough, here, step, length, tried);
      while (!(tried.value >= here.value + 1e-4 * length * slope) && length > 1e-8) {
        length *= 0.5;
        go(rough, here, step, length, tried);
      }
      if (!(tried.value > here.value)) return;
      std::swap(here, tried);
    }
  }

 private:
  static constexpr int most_newton_steps = 100;
  static constexpr double least_gain = 1e-7, least_expected = 1e-300;

  static double dot(const std::vector<double>& a, const std::vector<double>& b) {
    double sum = 0.0;
    for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
    return sum;
  }

  // All that follows from the log-probabilities.
  void look(const DenseMatrix& prior, Point& point) {
    point.p.resize(point.theta.size());
    point.expected.resize(noise_.rows());
    take_softmax(run_.isa, point.theta, point.p.data());
    noise_.times(point.p.data(), point.expected.data());
    for (std::size_t r = 0; r < logs_.size(); ++r)
      logs_[r] = point.expected[r] = std::max(point.expected[r], least_expected);
    take_logarithms(run_.isa, logs_.data(), logs_.size());
    point.log_likelihood = 0.0;
    for (std::size_t r = 0; r < logs_.size(); ++r) point.log_likelihood += counts_[r] * logs_[r];
    prior.times(point.theta.data(), pulled_.data());
    point.value = point.log_likelihood - 0.5 * dot(point.theta, pulled_);
  }

  void go(const DenseMatrix& prior, const Point& from, const std::vector<double>& step,
          double length, Point& to) {
    for (std::size_t i = 0; i < step.size(); ++i) to.theta[i] = from.theta[i] + length * step[i];
    look(prior, to);
  }

  void find_information(const Point& at, OutColumn<double> information) {
    const std::size_t n = noise_.columns();
    for (std::size_t r = 0; r < noise_.rows(); ++r) {
      weights_[r] = records_ / at.expected[r];
      for (std::size_t c = 0; c < n; ++c)
        slopes_[r * n + c] = noise_.row(r)[c] * at.p[c] - at.expected[r] * at.p[c];
    }
    weighted_square({slopes_.data(), slopes_.size()}, {weights_.data(), weights_.size()},
                    information, run_);
  }

  void find_gradient(const DenseMatrix& prior, const Point& at, std::vector<double>& uphill) {
    for (std::size_t r = 0; r < noise_.rows(); ++r) weights_[r] = counts_[r] / at.expected[r];
    noise_.transposed_times(weights_.data(), uphill.data());
    prior.times(at.theta.data(), pulled_.data());
    for (std::size_t c = 0; c < uphill.size(); ++c)
      uphill[c] = at.p[c] * (uphill[c] - records_) - pulled_[c];
  }

  DenseMatrix noise_;
  Column<double> counts_;
  Run& run_;
  double records_ = 0.0;
  std::vector<double> logs_, weights_, pulled_, slopes_;
};

// transition: released cells x (cells, then atoms). Fits of the strengths in their order, until the
// evidence is hopeless; returns how many were made.
inline std::size_t smooth_fits(Column<double> transition, Column<double> counts, std::size_t atoms,
                               std::size_t order, Column<double> strengths, SmoothFits out,
                               Run run) {
  // Where atoms start: they explain what they can before the cells beside them do.
  constexpr double start_of_atoms = 5.0;
  // Evidence so far below the best, and falling, is not pursued.
  constexpr double hopeless = 20.0;
  const std::size_t n = transition.size() / counts.size();
  const SmoothnessPrior prior(n - atoms, atoms, order, run);
  SmoothSearch search({transition.data(), counts.size(), n, run.isa}, counts, run);
  SmoothSearch::Point here;
  here.theta.assign(n, 0.0);
  std::fill(here.theta.begin() + static_cast<std::ptrdiff_t>(n - atoms), here.theta.end(),
            start_of_atoms);
  std::vector<double> precision;
  double best = -std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < strengths.size(); ++i) {
    prior.precision(strengths[i], precision);
    const OutColumn<double> factor{out.factor.data() + i * n * n, n * n};
    search.climb(precision, here, {out.information.data() + i * n * n, n * n}, factor);
    // All strengths of an order are equally likely a priori.
    const double evidence = here.value + 0.5 * prior.log_determinant_of(strengths[i]) -
                            0.5 * log_determinant(factor, n) -
                            logarithm(static_cast<double>(strengths.size()));
    out.evidence[i] = evidence;
    out.log_likelihood[i] = here.log_likelihood;
    std::copy_n(here.theta.data(), n, out.theta.data() + i * n);
    std::copy_n(here.p.data(), n, out.probabilities.data() + i * n);
    if (evidence < best - hopeless) return i + 1;
    best = std::max(best, evidence);
  }
  return strengths.size();
}

}  // namespace tokumei::reconstruct
