// What the log-likelihood of log-probabilities has beside its parabola: what chains need that turn
// draws of a normal approximation into draws of the posterior.
//
// O(rows x transition). One thread, the same bits on every instruction set. Throws Interrupted.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "tokumei/reconstruct/dense_matrix.hpp"
#include "tokumei/reconstruct/smoothness.hpp"
#include "tokumei/runtime/run.hpp"
#include "tokumei/runtime/views.hpp"
#include "tokumei/simd/elementary.hpp"

namespace tokumei::reconstruct {

// The log-likelihood of counts of released cells, distribution after distribution.
class CountedLikelihood {
 public:
  // transition: released cells x cells.
  CountedLikelihood(Column<double> transition, Column<double> counts, InstructionSet isa)
      : noise_(transition.data(), counts.size(), transition.size() / counts.size(), isa),
        counts_(counts), isa_(isa), expected_(counts.size()), logs_(counts.size()) {}

  std::size_t cells() const { return noise_.columns(); }
  const std::vector<double>& expected() const { return expected_; }
  const DenseMatrix& noise() const { return noise_; }

  double of(const double* cells) {
    noise_.times(cells, expected_.data());
    for (std::size_t r = 0; r < logs_.size(); ++r)
      logs_[r] = expected_[r] = std::max(expected_[r], 1e-300);
    take_logarithms(isa_, logs_.data(), logs_.size());
    double sum = 0.0;
    for (std::size_t r = 0; r < logs_.size(); ++r) sum += counts_[r] * logs_[r];
    return sum;
  }

 private:
  DenseMatrix noise_;
  Column<double> counts_;
  InstructionSet isa_;
  std::vector<double> expected_, logs_;
};

// theta: log-probabilities; information: Fisher's there. moves: rows d. out: for each
// L(theta + d) - L(theta) - L'(theta) d + d' information d / 2, nothing where L is a parabola.
inline void likelihood_remainders(Column<double> transition, Column<double> counts,
                                  Column<double> theta, Column<double> information,
                                  RecordTable<double> moves, OutColumn<double> out, Run run) {
  CountedLikelihood likelihood(transition, counts, run.isa);
  const std::size_t n = likelihood.cells();
  const DenseMatrix curvature(information.data(), n, n, run.isa);
  std::vector<double> at(theta.begin(), theta.end()), p(n), uphill(n), curved(n);
  std::vector<double> ratio(counts.size());
  take_softmax(run.isa, at, p.data());
  const double here = likelihood.of(p.data());
  double records = 0.0;
  for (std::size_t r = 0; r < counts.size(); ++r) {
    records += counts[r];
    ratio[r] = counts[r] / likelihood.expected()[r];
  }
  likelihood.noise().transposed_times(ratio.data(), uphill.data());
  for (std::size_t c = 0; c < n; ++c) uphill[c] = p[c] * (uphill[c] - records);
  for (std::size_t row = 0; row < moves.rows(); ++row) {
    run.monitor.tick(0.0);
    const double* move = moves.record(row);
    for (std::size_t c = 0; c < n; ++c) at[c] = theta[c] + move[c];
    take_softmax(run.isa, at, p.data());
    curvature.times(move, curved.data());
    double rest = likelihood.of(p.data()) - here;
    for (std::size_t c = 0; c < n; ++c) rest += move[c] * (0.5 * curved[c] - uphill[c]);
    out[row] = rest;
  }
}

}  // namespace tokumei::reconstruct
