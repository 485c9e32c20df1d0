// What prefix_sum_segments.hpp works on: how many starts and ends there are, and their sums.
#pragma once

#include <cstddef>

#include "tokumei/simd/lanes.hpp"

namespace tokumei::cut {

// `starts` starts from record 0, the ends after k, k + 1, ... records in whole lanes.
struct PrefixSumShape {
  static constexpr std::size_t rows = 4;  // starts that are compared with an end at a time

  std::size_t k;
  std::size_t starts;
  std::size_t ends;
  std::size_t attributes;

  std::size_t anchor() const { return starts - 1; }
  std::size_t records() const { return padded(k + ends); }
  std::size_t padded_starts() const { return padded(starts, rows); }
};

// From the anchor to one side, for each start or end: the sum of y (twice of it on the left, which
// is what the cost asks for), the sum of |y|^2, and the squared length of the sum. Sums stand
// attribute by attribute for `rows` starts or eight ends at a time.
struct PrefixSumSide {
  double* sum;
  double* squares;
  double* of_sum;
};

}  // namespace tokumei::cut
