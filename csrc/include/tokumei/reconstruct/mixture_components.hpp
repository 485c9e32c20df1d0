// What a mixture is made of while EM climbs: normal components, then atoms, which have no width and
// stay where they are; in units of the noise's scale.
//
// `move` is the M-step. `to_vector` and `from_vector` lead to a space without borders (log weights,
// means, log deviations) in which steps may be extrapolated.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "tokumei/reconstruct/mixture_pass.hpp"
#include "tokumei/runtime/views.hpp"
#include "tokumei/simd/elementary.hpp"

namespace tokumei::reconstruct {

// A component narrower than this share of the noise's scale cannot be told from an atom.
inline constexpr double narrowest_component = 1e-6;
// A component of less weight than this is empty: it stays where it is.
inline constexpr double lightest_component = 1e-290;

struct MixtureComponents {
  std::vector<double> weights, means, deviations;
  std::size_t free;  // how many may move

  MixtureComponents(MixtureView mixture, std::size_t atoms)
      : weights(mixture.weights.begin(), mixture.weights.end()),
        means(mixture.means.begin(), mixture.means.end()),
        deviations(mixture.deviations.begin(), mixture.deviations.end()),
        free(weights.size() - atoms) {}

  std::size_t size() const { return weights.size(); }

  MixtureView view() const {
    return {{weights.data(), size()}, {means.data(), size()}, {deviations.data(), size()}};
  }

  // shares sum to 1; shifts and squares are what is expected of t = (x - mean) / deviation and of
  // its square. Only components that hold something move.
  void move(const std::vector<double>& shares, const std::vector<double>& shifts,
            const std::vector<double>& squares) {
    weights = shares;
    for (std::size_t k = 0; k < free; ++k) {
      if (!(shares[k] > lightest_component)) continue;
      const double width = std::sqrt(std::max(squares[k] - shifts[k] * shifts[k], 0.0));
      means[k] += deviations[k] * shifts[k];
      deviations[k] = std::max(deviations[k] * width, narrowest_component);
    }
  }

  std::vector<double> to_vector(InstructionSet isa) const {
    std::vector<double> logs(size() + free);
    for (std::size_t k = 0; k < size(); ++k) logs[k] = std::max(weights[k], lightest_component);
    std::copy_n(deviations.begin(), free, logs.begin() + static_cast<std::ptrdiff_t>(size()));
    take_logarithms(isa, logs.data(), logs.size());
    logs.insert(logs.end(), means.begin(), means.begin() + static_cast<std::ptrdiff_t>(free));
    return logs;
  }

  void from_vector(InstructionSet isa, const std::vector<double>& at) {
    const double largest =
        *std::max_element(at.begin(), at.begin() + static_cast<std::ptrdiff_t>(size()));
    const double narrowest = logarithm(narrowest_component);
    std::vector<double> powers(size() + free);
    for (std::size_t k = 0; k < size(); ++k) powers[k] = at[k] - largest;
    for (std::size_t k = size(); k < powers.size(); ++k)
      powers[k] = std::clamp(at[k], narrowest, 300.0);
    exponentiate(isa, powers.data(), powers.size());
    double total = 0.0;
    for (std::size_t k = 0; k < size(); ++k) total += powers[k];
    for (std::size_t k = 0; k < size(); ++k) weights[k] = powers[k] / total;
    for (std::size_t k = 0; k < free; ++k) {
      deviations[k] = powers[size() + k];
      means[k] = at[powers.size() + k];
    }
  }
};

}  // namespace tokumei::reconstruct
