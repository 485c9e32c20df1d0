// The sum of distances over all pairs of numbers: sum_i sum_j c_i c_j |x_i - x_j|.
//
// In ascending order a number is taken once with a plus for every record before it and once with a
// minus for every record after it, and so for each direction of a pair. Whole-number factors and a
// sum without rounding: the result is the exact value, rounded once. O(n). Needs x ascending and
// finite, counts >= 1 (none: all 1) whose sum is below 2^31.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>

#include "tokumei/numeric/exact_sum.hpp"
#include "tokumei/runtime/views.hpp"

namespace tokumei::pairs {

inline double sum_of_absolute_differences(Column<double> x, Column<std::int64_t> counts) {
  const auto count = [&](std::size_t i) { return counts.size() == 0 ? 1 : counts[i]; };
  std::int64_t after = 0, before = 0;
  for (std::size_t i = 0; i < x.size(); ++i) after += count(i);
  ExactSum sum;
  for (std::size_t i = 0; i < x.size(); ++i) {
    after -= count(i);
    const std::int64_t times = 2 * count(i) * (before - after);
    // Below 2^63: two doubles hold it.
    const std::int64_t high = times / (std::int64_t{1} << 31) * (std::int64_t{1} << 31);
    for (const std::int64_t part : {high, times - high}) {
      const double factor = static_cast<double>(part), product = factor * x[i];
      sum.add(product);
      sum.add(std::fma(factor, x[i], -product));
    }
    before += count(i);
  }
  return sum.value();
}

}  // namespace tokumei::pairs
