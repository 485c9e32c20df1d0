// Eight doubles side by side, in one source for all instruction sets (see lanes.hpp).
//
// The compiler lowers them to what the level has: one register, two, or four. Every operation is
// done lane by lane, and `total` adds the lanes in one fixed order, so all levels give the same
// bits.
#pragma once

#include <cstddef>

#include "tokumei/runtime/instruction_sets.hpp"
#include "tokumei/simd/each_lane.hpp"
#include "tokumei/simd/lanes.hpp"

// Half of the lanes of a vector, if the compiler can be told so.
#if TOKUMEI_VECTOR_LANES && defined(__has_builtin)
#if __has_builtin(__builtin_shufflevector)
#define TOKUMEI_SHUFFLES 1
#endif
#endif
#if !defined(TOKUMEI_SHUFFLES)
#define TOKUMEI_SHUFFLES 0
#endif

namespace tokumei::simd {

using Eight = Lanes<double, lane_count * sizeof(double)>;

TOKUMEI_HOT Eight load(const double* from) { return load<Eight>(from); }

// Where x is less than what `least` holds, it takes its place and the name goes to `whose`.
TOKUMEI_HOT void keep_less(Eight& least, Eight& whose, const Eight& x, double name) {
  const auto less = x < least;
  least = select(less, x, least);
  whose = select(less, broadcast<Eight>(name), whose);
}

// The sum of the lanes: of those four apart, then of those two apart, then of the last two.
TOKUMEI_HOT double total(const Eight& v) {
#if TOKUMEI_SHUFFLES
  const auto four =
      __builtin_shufflevector(v, v, 0, 1, 2, 3) + __builtin_shufflevector(v, v, 4, 5, 6, 7);
  const auto two =
      __builtin_shufflevector(four, four, 0, 1) + __builtin_shufflevector(four, four, 2, 3);
  return two[0] + two[1];
#else
  return ((v[0] + v[4]) + (v[2] + v[6])) + ((v[1] + v[5]) + (v[3] + v[7]));
#endif
}

// The least lane.
TOKUMEI_HOT double lowest(const Eight& v) {
#if TOKUMEI_SHUFFLES
  const auto a = __builtin_shufflevector(v, v, 0, 1, 2, 3);
  const auto b = __builtin_shufflevector(v, v, 4, 5, 6, 7);
  const auto four = a < b ? a : b;
  const auto c = __builtin_shufflevector(four, four, 0, 1);
  const auto d = __builtin_shufflevector(four, four, 2, 3);
  const auto two = c < d ? c : d;
  return two[0] < two[1] ? two[0] : two[1];
#else
  double least = v[0];
  for (std::size_t i = 1; i < lane_count; ++i) least = v[i] < least ? v[i] : least;
  return least;
#endif
}

// |a - b|^2 of two rows of `width` values, a multiple of lane_count.
TOKUMEI_HOT double squared_distance(const double* a, const double* b, std::size_t width) {
  const Eight first = load(a) - load(b);
  Eight sum = first * first;
  for (std::size_t j = lane_count; j < width; j += lane_count) {
    const Eight difference = load(a + j) - load(b + j);
    sum = sum + difference * difference;
  }
  return total(sum);
}

}  // namespace tokumei::simd
