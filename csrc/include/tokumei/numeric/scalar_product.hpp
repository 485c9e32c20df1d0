// The scalar product of two lists, by lanes: term i goes to sum i % 8 of eight sums, which are
// added as reductions.hpp adds lanes; then come the terms beyond the last whole eight, one by one.
#pragma once

#include <cstddef>

#include "tokumei/runtime/instruction_sets.hpp"
#include "tokumei/simd/lanes.hpp"
#include "tokumei/simd/reductions.hpp"

namespace tokumei::numeric {

template <std::size_t bytes>
struct ScalarProductByLanes {
  TOKUMEI_HOT static double run(const double* a, const double* b, std::size_t size) {
    using V = Lanes<double, bytes, lane_count>;
    V sums{};
    const std::size_t whole = size / lane_count * lane_count;
    for (std::size_t i = 0; i < whole; i += lane_count)
      sums = sums + load<V>(a + i) * load<V>(b + i);
    double sum = total(sums);
    for (std::size_t i = whole; i < size; ++i) sum += a[i] * b[i];
    return sum;
  }
};

inline double scalar_product_by_lanes(InstructionSet isa, const double* a, const double* b,
                                      std::size_t size) {
  return dispatch_lanes<ScalarProductByLanes>(isa, a, b, size);
}

}  // namespace tokumei::numeric
