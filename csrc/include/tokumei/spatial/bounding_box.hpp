// Boxes with sides along the axes, and how much wider one gets by holding one record more.
//
// The width of a box is the sum of its sides, from the first attribute to the last. It never falls
// when the box grows, not by a rounding error either: every step of the sum is monotone.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "tokumei/rooms.hpp"

namespace tokumei::spatial {

// The smallest box that holds some records.
struct BoundingBox {
  std::vector<double> lower;
  std::vector<double> upper;

  void hold(const double* point) {
    for (std::size_t j = 0; j < lower.size(); ++j) {
      lower[j] = std::min(lower[j], point[j]);
      upper[j] = std::max(upper[j], point[j]);
    }
  }

  double width() const { return width_with(lower.data()); }

  // The width it would have if it held the point as well.
  double width_with(const double* point) const {
    double width = 0.0;
    for (std::size_t j = 0; j < lower.size(); ++j)
      width += std::max(upper[j], point[j]) - std::min(lower[j], point[j]);
    return width;
  }
};

}  // namespace tokumei::spatial
