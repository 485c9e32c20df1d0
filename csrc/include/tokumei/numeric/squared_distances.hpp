// Squared Euclidean distances, each order of summation under its name.
//
//   by attributes: from the first attribute to the last, starting at 0
//   by lanes:      attribute j into sum j % 8 of eight sums, which are then added as
//                  reductions.hpp adds lanes; rows are filled up with zeros to whole lanes
//
// The two differ in the last bits, and a label may hang on these. Whoever orders records by
// distance, or compares distances that two routines computed, says by the name which one is meant:
// searches for records and everything that groups are grown from sum by attributes, the search for
// lower loss sums by lanes. Both do the same additions in the same order at every instruction set.
#pragma once

#include <cstddef>

#include "tokumei/runtime/instruction_sets.hpp"
#include "tokumei/simd/lanes.hpp"
#include "tokumei/simd/reductions.hpp"

namespace tokumei::numeric {

// term(0) + term(1) + ..., numbers or lanes.
template <class Real, class Term>
TOKUMEI_HOT Real sum_by_attributes(std::size_t attributes, Term&& term) {
  Real sum{};
  for (std::size_t j = 0; j < attributes; ++j) sum = sum + term(j);
  return sum;
}

// Between two rows.
TOKUMEI_HOT double squared_distance_by_attributes(const double* a, const double* b,
                                                  std::size_t attributes) {
  return sum_by_attributes<double>(attributes, [=](std::size_t j) TOKUMEI_HOT_LAMBDA {
    const double by = a[j] - b[j];
    return by * by;
  });
}

// From a point to as many records as there are lanes, which stand side by side, attribute after
// attribute, `step` values from one to the next.
template <class V>
TOKUMEI_HOT V squared_distances_by_attributes(const typename V::Value* records, std::size_t step,
                                              const typename V::Value* point,
                                              std::size_t attributes) {
  return sum_by_attributes<V>(attributes, [=](std::size_t j) TOKUMEI_HOT_LAMBDA {
    const V by = load<V>(records + j * step) - point[j];
    return by * by;
  });
}

// out[i] = |x_i - p|^2 for `rows` records whose j-th attribute starts at columns[j] + offset.
template <std::size_t bytes>
struct SquaredDistances {
  TOKUMEI_HOT static void run(const double* const* columns, std::size_t offset, std::size_t rows,
                              std::size_t attributes, const double* point, double* out) {
    std::size_t i = 0;
    for (; i + 4 * lane_count <= rows; i += 4 * lane_count)
      some<4 * lane_count>(columns, offset + i, attributes, point, out + i);
    for (; i + lane_count <= rows; i += lane_count)
      some<lane_count>(columns, offset + i, attributes, point, out + i);
    for (; i < rows; ++i)
      out[i] = sum_by_attributes<double>(attributes, [=](std::size_t j) TOKUMEI_HOT_LAMBDA {
        const double by = columns[j][offset + i] - point[j];
        return by * by;
      });
  }

 private:
  template <std::size_t count>
  TOKUMEI_HOT static void some(const double* const* columns, std::size_t first,
                               std::size_t attributes, const double* point, double* out) {
    using V = Lanes<double, bytes, count>;
    store<V>(out, sum_by_attributes<V>(attributes, [=](std::size_t j) TOKUMEI_HOT_LAMBDA {
               const V by = load<V>(columns[j] + first) - point[j];
               return by * by;
             }));
  }
};

inline void squared_distances_by_attributes(InstructionSet isa, const double* const* columns,
                                            std::size_t offset, std::size_t rows,
                                            std::size_t attributes, const double* point,
                                            double* out) {
  dispatch_lanes<SquaredDistances>(isa, columns, offset, rows, attributes, point, out);
}

// Between two rows of `width` values, whole lanes and not empty.
template <std::size_t bytes>
TOKUMEI_HOT double squared_distance_by_lanes(const double* a, const double* b, std::size_t width) {
  using V = Lanes<double, bytes, lane_count>;
  const V first = load<V>(a) - load<V>(b);
  V sum = first * first;
  for (std::size_t j = lane_count; j < width; j += lane_count) {
    const V difference = load<V>(a + j) - load<V>(b + j);
    sum = sum + difference * difference;
  }
  return total(sum);
}

}  // namespace tokumei::numeric
