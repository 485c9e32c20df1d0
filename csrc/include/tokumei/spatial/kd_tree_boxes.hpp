// Boxes around records: the lower corner, then the upper one, each `sides` long.
//
// `sides` is the number of attributes, rounded up to whole lanes; what is added is 0 in both
// corners, so that loops over a box need no rest. An empty box has infinity below and minus
// infinity above.
#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>
#include <span>

#include "tokumei/runtime/instruction_sets.hpp"
#include "tokumei/runtime/views.hpp"
#include "tokumei/simd/lanes.hpp"
#include "tokumei/simd/reductions.hpp"

namespace tokumei::spatial {

// The smallest box around some rows.
inline void fit_bounds(Table<double> x, const std::size_t* rows, std::size_t count, double* box,
                       std::size_t sides) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  if (count == 0) {
    std::fill_n(box, sides, infinity);
    std::fill_n(box + sides, sides, -infinity);
    return;
  }
  std::fill_n(box, 2 * sides, 0.0);
  for (std::size_t j = 0; j < x.columns(); ++j) {
    const auto column = x.column(j);
    double low = infinity, high = -infinity;
    for (std::size_t i = 0; i < count; ++i) {
      low = std::min(low, column[rows[i]]);
      high = std::max(high, column[rows[i]]);
    }
    box[j] = low;
    box[sides + j] = high;
  }
}

// The smallest box around records that stand attribute after attribute, `stride` apart.
inline void fit_bounds(const double* records, std::size_t stride, std::size_t count,
                       std::size_t attributes, double* box, std::size_t sides) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  for (std::size_t j = 0; j < attributes; ++j) {
    double low = infinity, high = -infinity;
    for (const double value : std::span(records + j * stride, count)) {
      low = std::min(low, value);
      high = std::max(high, value);
    }
    box[j] = low;
    box[sides + j] = high;
  }
}

// Makes `box` the smallest one around two others. True where that changes it.
inline bool cover_both(const double* one, const double* other, double* box, std::size_t sides) {
  bool changed = false;
  for (std::size_t j = 0; j < 2 * sides; ++j) {
    const double side = j < sides ? std::min(one[j], other[j]) : std::max(one[j], other[j]);
    changed |= side != box[j];
    box[j] = side;
  }
  return changed;
}

inline std::size_t widest_axis(const double* box, std::size_t sides) {
  std::size_t widest = 0;
  for (std::size_t j = 1; j < sides; ++j)
    if (box[sides + j] - box[j] > box[sides + widest] - box[widest]) widest = j;
  return widest;
}

// The least squared distance from a point, which has `sides` numbers too, to a box that is not
// empty. It may be a little too small: the sum is not taken by attributes (squared_distances.hpp),
// but rounded down.
template <std::size_t bytes>
TOKUMEI_HOT double least_distance(const double* box, std::size_t sides, const double* point) {
  constexpr double rounded_down = 1.0 - 0x1p-30;  // by far more than a sum's roundings amount to
  using V = Lanes<double, bytes, lane_count>;
  V sums{};
  for (std::size_t j = 0; j < sides; j += lane_count) {
    const auto at = load<V>(point + j);
    const V outside = larger(load<V>(box + j) - at, at - load<V>(box + sides + j));
    const V gap = larger(outside, V{});
    sums = sums + gap * gap;
  }
  return total(sums) * rounded_down;
}

}  // namespace tokumei::spatial
