// The least that a group must cost over its dual values: what each further record adds at
// least.
//
// A group that holds a set weighs the set's pairs and, for every record that joins, its pairs with
// the set and half of those with the others that join: at least half of its pairs of least weight.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

#include "tokumei/runtime/instruction_sets.hpp"
#include "tokumei/runtime/views.hpp"

namespace tokumei::bounds {

// More than all rounding errors of a comparison: of a few thousand operations on terms that add up
// to the dual values of a group.
inline double pricing_margin(std::size_t columns, std::size_t k, Column<double> duals) {
  double largest = 0.0;
  for (const double dual : duals) largest = std::max(largest, std::abs(dual));
  const double size = static_cast<double>(2 * k);
  const double operations = 4 * (static_cast<double>(columns) + size * size + 16);
  return operations * size * largest * std::numeric_limits<double>::epsilon();
}

// out[i] = sums[i] / m + near[i] - part of duals[i]: the least that a candidate adds to the weight
// of a group of size m, but for the dual values of the set.
struct CompletionBound {
  TOKUMEI_HOT static void run(const double* sums, const double* near, const double* duals,
                              double by_size, double part, std::size_t count, double* out) {
    for (std::size_t i = 0; i < count; ++i) out[i] = sums[i] * by_size + near[i] - duals[i] * part;
  }
};

// The sum of the `count` least of some values, infinite if there are fewer, and the largest of
// those.
struct Least {
  double sum = std::numeric_limits<double>::infinity();
  double last = 0.0;
};

inline Least least_of(const double* values, std::size_t size, std::size_t count,
                      std::vector<double>& room) {
  if (size < count) return {};
  if (count == 0) return {0.0, 0.0};
  room.assign(values, values + count);
  std::sort(room.begin(), room.end());
  for (std::size_t i = count; i < size; ++i) {
    if (!(values[i] < room.back())) continue;
    std::size_t at = count - 1;
    for (; at > 0 && values[i] < room[at - 1]; --at) room[at] = room[at - 1];
    room[at] = values[i];
  }
  double sum = 0.0;
  for (const double value : room) sum += value;
  return {sum, room.back()};
}

}  // namespace tokumei::bounds
