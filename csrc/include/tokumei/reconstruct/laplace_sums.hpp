// Sums over points under Laplace noise of scale 1.
//
// `ahead`: for each target t the sum over sources s of mass_s exp(-|t - s|) / 2, the density at t
// of points seen through the noise. `back`: the same sums at the sources, of masses at the targets:
// the kernel is symmetric. Both lists ascend, so one pass up and one down carry a running sum that
// decays from point to point: O(sources + targets), terms of one sign, no overflow. What depends on
// the places only is kept for all sums.
#pragma once

#include <cstddef>
#include <vector>

#include "tokumei/runtime/instruction_sets.hpp"
#include "tokumei/runtime/views.hpp"
#include "tokumei/simd/elementary.hpp"

namespace tokumei::reconstruct {

class LaplaceSums {
 public:
  LaplaceSums(Column<double> sources, Column<double> targets, InstructionSet isa)
      : sources_(sources.size()), order_(sources.size() + targets.size()), decay_(order_.size()) {
    // The points of both lists in ascending order; sources first where they coincide.
    std::size_t source = 0, target = 0;
    double before = 0.0;
    for (std::size_t i = 0; i < order_.size(); ++i) {
      const bool take_source = target == targets.size() ||
                               (source < sources.size() && sources[source] <= targets[target]);
      const double place = take_source ? sources[source] : targets[target];
      order_[i] = take_source ? source++ : sources.size() + target++;
      decay_[i] = i == 0 ? 0.0 : before - place;
      before = place;
    }
    exponentiate(isa, decay_.data(), decay_.size());
  }

  void ahead(const double* masses, double* out) const {
    carry([&](std::size_t point) { return point < sources_; },
          [&](std::size_t point) { return masses[point]; },
          [&](std::size_t point) -> double& { return out[point - sources_]; });
  }

  void back(const double* masses, double* out) const {
    carry([&](std::size_t point) { return point >= sources_; },
          [&](std::size_t point) { return masses[point - sources_]; },
          [&](std::size_t point) -> double& { return out[point]; });
  }

 private:
  template <class Gives, class Mass, class Out>
  void carry(Gives gives, Mass mass, Out out) const {
    double running = 0.0;
    for (std::size_t i = 0; i < order_.size(); ++i) {
      running *= decay_[i];
      if (gives(order_[i]))
        running += mass(order_[i]);
      else
        out(order_[i]) = 0.5 * running;
    }
    running = 0.0;
    for (std::size_t i = order_.size(); i-- > 0;) {
      if (gives(order_[i]))
        running += mass(order_[i]);
      else
        out(order_[i]) += 0.5 * running;
      running *= decay_[i];
    }
  }

  std::size_t sources_;
  std::vector<std::size_t> order_;
  std::vector<double> decay_;
};

}  // namespace tokumei::reconstruct
