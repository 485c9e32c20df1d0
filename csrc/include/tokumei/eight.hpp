// Eight doubles side by side, in one source for all instruction sets.
//
// The compiler lowers them to what the level has: one register, two, or four. Every operation is
// done lane by lane, and `total` adds the lanes in one fixed order, so all levels give the same
// bits.
#pragma once

#include <cstddef>
#include <cstring>

#include "tokumei/each_lane.hpp"
#include "tokumei/instructions.hpp"

namespace tokumei {

#if defined(__GNUC__) || defined(__clang__)

typedef double Eight __attribute__((vector_size(64)));

TOKUMEI_HOT Eight load(const double* from) {
  Eight lanes;
  std::memcpy(&lanes, from, sizeof lanes);
  return lanes;
}

TOKUMEI_HOT void store(double* to, Eight lanes) { std::memcpy(to, &lanes, sizeof lanes); }

#else

struct Eight {
  double lane[lane_count];
  double operator[](std::size_t i) const { return lane[i]; }
};

#define TOKUMEI_EIGHTWISE(op)                                                                      \
  inline Eight operator op(const Eight& a, const Eight& b) {                                       \
    Eight c;                                                                                       \
    for (std::size_t i = 0; i < lane_count; ++i) c.lane[i] = a.lane[i] op b.lane[i];               \
    return c;                                                                                      \
  }                                                                                                \
  inline Eight operator op(const Eight& a, double b) {                                             \
    Eight c;                                                                                       \
    for (std::size_t i = 0; i < lane_count; ++i) c.lane[i] = a.lane[i] op b;                       \
    return c;                                                                                      \
  }
TOKUMEI_EIGHTWISE(+)
TOKUMEI_EIGHTWISE(-)
TOKUMEI_EIGHTWISE(*)
#undef TOKUMEI_EIGHTWISE

inline Eight load(const double* from) {
  Eight lanes;
  std::memcpy(&lanes, from, sizeof lanes);
  return lanes;
}

inline void store(double* to, const Eight& lanes) { std::memcpy(to, &lanes, sizeof lanes); }

#endif

TOKUMEI_HOT double total(const Eight& v) {
  return ((v[0] + v[4]) + (v[2] + v[6])) + ((v[1] + v[5]) + (v[3] + v[7]));
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

}  // namespace tokumei
