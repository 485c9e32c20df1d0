// Sums over points under Laplace noise, and the normal distribution at the edges of cells.
//
// `laplace_sums`: for each target t the sum over sources s of mass_s exp(-|t - s|) / 2, the density
// at t of points blurred by Laplace noise of scale 1. Both lists ascend, so one pass up and one
// down carry a running sum that decays from point to point: O(sources + targets), terms of one
// sign, no overflow. The kernel is symmetric: sums over the records at the cells are the same with
// the lists exchanged.
//
// `normal_edges`: for each t the standard normal density and the mass beyond |t|, within a few
// units of the last place also far out; infinite t allowed.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "tokumei/numeric/mills_ratio.hpp"
#include "tokumei/runtime/run.hpp"
#include "tokumei/runtime/views.hpp"
#include "tokumei/simd/exponential.hpp"

namespace tokumei::reconstruct {

inline constexpr std::size_t values_of_a_step = 16;

// e^x in place for x <= 0; room for whole steps.
template <std::size_t bytes>
struct Exponentials {
  TOKUMEI_HOT static void run(double* x, std::size_t filled) {
    using V = Lanes<double, bytes>;
    constexpr std::size_t width = bytes / sizeof(double), n = values_of_a_step / width;
    for (std::size_t begin = 0; begin < filled; begin += values_of_a_step) {
      V values[n];
      TOKUMEI_UNROLL for (std::size_t k = 0; k < n; ++k) values[k] = load<V>(x + begin + k * width);
      take_exp(values);
      TOKUMEI_UNROLL for (std::size_t k = 0; k < n; ++k) store(x + begin + k * width, values[k]);
    }
  }
};

template <std::size_t bytes>
struct NormalEdges {
  TOKUMEI_HOT static void run(const double* t, std::size_t filled, double* density,
                              double* beyond) {
    using V = Lanes<double, bytes>;
    constexpr std::size_t width = bytes / sizeof(double), n = values_of_a_step / width;
    for (std::size_t begin = 0; begin < filled; begin += values_of_a_step) {
      V away[n], height[n];
      TOKUMEI_UNROLL for (std::size_t k = 0; k < n; ++k) {
        away[k] = smaller(magnitude(load<V>(t + begin + k * width)), broadcast<V>(1e20));
        height[k] = away[k] * away[k] * -0.5;
      }
      take_exp(height);
      MillsTail<bytes, n> tail;
      find_mills_tail(away, tail);
      TOKUMEI_UNROLL for (std::size_t k = 0; k < n; ++k) {
        height[k] = height[k] * 0.39894228040143268;
        store(density + begin + k * width, height[k]);
        store(beyond + begin + k * width, height[k] * (tail.d[k] / tail.f[k]));
      }
    }
  }
};

inline std::size_t whole_steps(std::size_t values) {
  return (values + values_of_a_step - 1) / values_of_a_step * values_of_a_step;
}

inline void laplace_sums(Column<double> sources, Column<double> masses, Column<double> targets,
                         OutColumn<double> out, Run run) {
  const std::size_t points = sources.size() + targets.size();
  // The points of both lists in ascending order; sources first where they coincide.
  std::vector<double> decay(whole_steps(points), 0.0);
  std::vector<std::size_t> order(points);
  std::size_t source = 0, target = 0;
  double before = 0.0;
  for (std::size_t i = 0; i < points; ++i) {
    const bool take_source =
        target == targets.size() || (source < sources.size() && sources[source] <= targets[target]);
    const double place = take_source ? sources[source] : targets[target];
    order[i] = take_source ? source++ : sources.size() + target++;
    decay[i] = i == 0 ? 0.0 : before - place;
    before = place;
  }
  dispatch_lanes<Exponentials>(run.isa, decay.data(), decay.size());
  double running = 0.0;
  for (std::size_t i = 0; i < points; ++i) {
    running *= decay[i];
    if (order[i] < sources.size())
      running += masses[order[i]];
    else
      out[order[i] - sources.size()] = 0.5 * running;
  }
  running = 0.0;
  for (std::size_t i = points; i-- > 0;) {
    if (order[i] < sources.size())
      running += masses[order[i]];
    else
      out[order[i] - sources.size()] += 0.5 * running;
    running *= decay[i];
  }
}

inline void normal_edges(Column<double> t, OutColumn<double> density, OutColumn<double> beyond,
                         Run run) {
  const std::size_t filled = whole_steps(t.size());
  std::vector<double> given(filled, 0.0), heights(filled), tails(filled);
  std::copy_n(t.data(), t.size(), given.data());
  dispatch_lanes<NormalEdges>(run.isa, given.data(), filled, heights.data(), tails.data());
  std::copy_n(heights.data(), t.size(), density.data());
  std::copy_n(tails.data(), t.size(), beyond.data());
}

}  // namespace tokumei::reconstruct
