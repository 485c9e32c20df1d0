// How much of a normal variable lies in each cell, and the normal distribution at their edges.
//
// `normal_edges`: for each t the standard normal density and the mass beyond |t|, within a few
// units of the last place also far out; infinite t allowed.
// `normal_cells`: the masses of the cells between ascending edges, from the tails at their edges,
// without cancellation on either side of 0. A variable of no width (an atom) on the border of two
// cells counts for the upper one, on the last edge for the last cell.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "tokumei/numeric/mills_ratio.hpp"
#include "tokumei/runtime/run.hpp"
#include "tokumei/runtime/views.hpp"
#include "tokumei/simd/elementary.hpp"

namespace tokumei::reconstruct {

template <std::size_t bytes>
struct NormalEdges {
  TOKUMEI_HOT static void run(const double* t, std::size_t filled, double* density,
                              double* beyond) {
    using V = Lanes<double, bytes, values_of_a_step>;
    for (std::size_t begin = 0; begin < filled; begin += values_of_a_step) {
      const V away = smaller(magnitude(load<V>(t + begin)), broadcast<V>(1e20));
      V height = away * away * -0.5;
      take_exp(height);
      const auto tail = mills_tail(away);
      height = height * 0.39894228040143268;
      store(density + begin, height);
      store(beyond + begin, height * (tail.d / tail.f));
    }
  }
};

// The mass between two places in standard units, from the tails beyond their magnitudes.
inline double mass_between(double low, double high, double beyond_low, double beyond_high) {
  if (low < 0.0 && high > 0.0) return std::max(1.0 - beyond_low - beyond_high, 0.0);
  return std::max(low >= 0.0 ? beyond_low - beyond_high : beyond_high - beyond_low, 0.0);
}

// A variable's edges in standard units, its density there and the masses of the cells between.
class NormalCells {
 public:
  explicit NormalCells(std::size_t edges)
      : edges_(edges), t_(padded(edges, values_of_a_step), 0.0), density_(t_.size()),
        beyond_(t_.size()) {}

  void find(InstructionSet isa, const double* edges, double mean, double deviation,
            double* masses) {
    for (std::size_t i = 0; i < edges_; ++i) t_[i] = (edges[i] - mean) / deviation;
    dispatch_lanes<NormalEdges>(isa, static_cast<const double*>(t_.data()), t_.size(),
                                density_.data(), beyond_.data());
    for (std::size_t i = 0; i + 1 < edges_; ++i)
      masses[i] = mass_between(t_[i], t_[i + 1], beyond_[i], beyond_[i + 1]);
  }

  double density(std::size_t edge) const { return density_[edge]; }
  // t times the density, which goes to 0 far out.
  double weighted(std::size_t edge) const {
    return density_[edge] > 0.0 ? t_[edge] * density_[edge] : 0.0;
  }

 private:
  std::size_t edges_;
  std::vector<double> t_, density_, beyond_;
};

inline void atom_cells(const double* edges, std::size_t cells, double place, double* masses) {
  std::fill_n(masses, cells, 0.0);
  if (!(edges[0] <= place && place <= edges[cells])) return;
  const auto above =
      static_cast<std::size_t>(std::upper_bound(edges, edges + cells + 1, place) - edges);
  masses[std::min(above, cells) - 1] = 1.0;
}

inline void normal_edges(Column<double> t, OutColumn<double> density, OutColumn<double> beyond,
                         Run run) {
  const std::size_t filled = padded(t.size(), values_of_a_step);
  std::vector<double> given(filled, 0.0), heights(filled), tails(filled);
  std::copy_n(t.data(), t.size(), given.data());
  dispatch_lanes<NormalEdges>(run.isa, static_cast<const double*>(given.data()), filled,
                              heights.data(), tails.data());
  std::copy_n(heights.data(), t.size(), density.data());
  std::copy_n(tails.data(), t.size(), beyond.data());
}

// masses: one a cell, one less than edges.
inline void normal_cells(Column<double> edges, double mean, double deviation,
                         OutColumn<double> masses, Run run) {
  if (deviation > 0.0)
    NormalCells(edges.size()).find(run.isa, edges.data(), mean, deviation, masses.data());
  else
    atom_cells(edges.data(), masses.size(), mean, masses.data());
}

}  // namespace tokumei::reconstruct
