// What a mixture of normal variables makes of cells, and how well counts of released cells
// determine its parameters: the parts of Laplace's approximation of its evidence.
//
// A mixture is cut to the outermost edges, which are 0 and 1. Its parameters: logits of all weights
// but the last, which has 0; means; log deviations.
#pragma once

#include <algorithm>
#include <cstddef>
#include <stdexcept>
#include <vector>

#include "tokumei/numeric/symmetric_systems.hpp"
#include "tokumei/reconstruct/dense_matrix.hpp"
#include "tokumei/reconstruct/normal_cells.hpp"
#include "tokumei/runtime/run.hpp"
#include "tokumei/runtime/views.hpp"
#include "tokumei/simd/elementary.hpp"

namespace tokumei::reconstruct {

// Cells of mixtures of so many components as their parameters tell.
class MixtureCells {
 public:
  MixtureCells(Column<double> edges, std::size_t parameters, InstructionSet isa)
      : edges_(edges), cells_(edges.size() - 1), components_((parameters + 1) / 3), isa_(isa),
        normal_(edges.size()), masses_(cells_), powers_(2 * components_) {
    if (components_ * 3 != parameters + 1)
      throw std::invalid_argument("a mixture has three parameters a component, less one");
  }

  std::size_t cells() const { return cells_; }
  std::size_t parameters() const { return 3 * components_ - 1; }

  void find(const double* parameters, double* out) {
    const std::size_t k = components_;
    const double* means = parameters + k - 1;
    const double* log_deviations = parameters + 2 * k - 1;
    std::copy_n(parameters, k - 1, powers_.begin());
    powers_[k - 1] = 0.0;
    const double largest =
        *std::max_element(powers_.begin(), powers_.begin() + static_cast<std::ptrdiff_t>(k));
    for (std::size_t j = 0; j < k; ++j) {
      powers_[j] -= largest;
      powers_[k + j] = std::min(log_deviations[j], 700.0);
    }
    exponentiate(isa_, powers_.data(), 2 * k);
    std::fill_n(out, cells_, 0.0);
    for (std::size_t j = 0; j < k; ++j) {
      if (powers_[k + j] > 0.0)
        normal_.find(isa_, edges_.data(), means[j], powers_[k + j], masses_.data());
      else
        atom_cells(edges_.data(), cells_, means[j], masses_.data());
      const double share = powers_[j] / std::max(total(masses_.data()), 1e-300);
      for (std::size_t c = 0; c < cells_; ++c) out[c] += share * masses_[c];
    }
    const double all = total(out);
    for (std::size_t c = 0; c < cells_; ++c) out[c] /= all;
  }

 private:
  double total(const double* values) const {
    double sum = 0.0;
    for (std::size_t c = 0; c < cells_; ++c) sum += values[c];
    return sum;
  }

  Column<double> edges_;
  std::size_t cells_, components_;
  InstructionSet isa_;
  NormalCells normal_;
  std::vector<double> masses_, powers_;
};

struct MixtureEvidence {
  double log_likelihood;
  double log_determinant;  // of the precision
  double freedom;          // how many numbers the records determined: tr(information / precision)
};

// transition: released cells x cells. prior: the diagonal of a precision for what the counts leave
// open. cells: of the mixture. factor: U with U' U the precision, Fisher's information and the
// prior. O(parameters x transition).
inline MixtureEvidence mixture_evidence(Column<double> edges, Column<double> parameters,
                                        Column<double> transition, Column<double> counts,
                                        Column<double> prior, OutColumn<double> cells,
                                        OutColumn<double> factor, Run run) {
  constexpr double difference = 1e-4;
  const std::size_t n = parameters.size(), outputs = counts.size();
  MixtureCells mixture(edges, n, run.isa);
  const DenseMatrix noise(transition.data(), outputs, mixture.cells(), run.isa);
  std::vector<double> expected(outputs), logs(outputs), precision(outputs), slopes(outputs * n);
  mixture.find(parameters.data(), cells.data());
  noise.times(cells.data(), expected.data());
  double records = 0.0;
  for (std::size_t r = 0; r < outputs; ++r) {
    logs[r] = expected[r] = std::max(expected[r], 1e-300);
    records += counts[r];
  }
  take_logarithms(run.isa, logs.data(), outputs);
  MixtureEvidence found{};
  for (std::size_t r = 0; r < outputs; ++r) {
    found.log_likelihood += counts[r] * logs[r];
    precision[r] = records / expected[r];
  }
  std::vector<double> at(parameters.begin(), parameters.end()), low(mixture.cells()), high(low);
  for (std::size_t j = 0; j < n; ++j) {
    run.monitor.tick(0.0);
    at[j] = parameters[j] + difference;
    mixture.find(at.data(), high.data());
    at[j] = parameters[j] - difference;
    mixture.find(at.data(), low.data());
    at[j] = parameters[j];
    for (std::size_t c = 0; c < high.size(); ++c) high[c] -= low[c];
    noise.times(high.data(), expected.data());
    for (std::size_t r = 0; r < outputs; ++r) slopes[r * n + j] = expected[r] / (2.0 * difference);
  }
  std::vector<double> information(n * n);
  weighted_square({slopes.data(), slopes.size()}, {precision.data(), outputs},
                  {information.data(), information.size()}, run);
  std::copy(information.begin(), information.end(), factor.data());
  for (std::size_t j = 0; j < n; ++j) factor[j * n + j] += prior[j];
  factorise(factor, n, run);
  found.log_determinant = log_determinant(factor, n);
  solve_factorised(factor, n, {information.data(), information.size()}, true, run);
  for (std::size_t j = 0; j < n; ++j) found.freedom += information[j * n + j];
  return found;
}

}  // namespace tokumei::reconstruct
