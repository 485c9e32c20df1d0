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

typedef double Lanes __attribute__((vector_size(64)));

TOKUMEI_HOT Lanes load(const double* from) {
  Lanes lanes;
  std::memcpy(&lanes, from, sizeof lanes);
  return lanes;
}

TOKUMEI_HOT void store(double* to, Lanes lanes) { std::memcpy(to, &lanes, sizeof lanes); }

#else

struct Lanes {
  double lane[lane_count];
  double operator[](std::size_t i) const { return lane[i]; }
};

#define TOKUMEI_LANEWISE(op)                                                                       \
  inline Lanes operator op(const Lanes& a, const Lanes& b) {                                       \
    Lanes c;                                                                                       \
    for (std::size_t i = 0; i < lane_count; ++i) c.lane[i] = a.lane[i] op b.lane[i];               \
    return c;                                                                                      \
  }                                                                                                \
  inline Lanes operator op(const Lanes& a, double b) {                                             \
    Lanes c;                                                                                       \
    for (std::size_t i = 0; i < lane_count; ++i) c.lane[i] = a.lane[i] op b;                       \
    return c;                                                                                      \
  }
TOKUMEI_LANEWISE(+)
TOKUMEI_LANEWISE(-)
TOKUMEI_LANEWISE(*)
#undef TOKUMEI_LANEWISE

inline Lanes load(const double* from) {
  Lanes lanes;
  std::memcpy(&lanes, from, sizeof lanes);
  return lanes;
}

inline void store(double* to, const Lanes& lanes) { std::memcpy(to, &lanes, sizeof lanes); }

#endif

TOKUMEI_HOT double total(const Lanes& v) {
  return ((v[0] + v[4]) + (v[2] + v[6])) + ((v[1] + v[5]) + (v[3] + v[7]));
}

// |a - b|^2 of two rows of `width` values, a multiple of lane_count.
TOKUMEI_HOT double squared_distance(const double* a, const double* b, std::size_t width) {
  const Lanes first = load(a) - load(b);
  Lanes sum = first * first;
  for (std::size_t j = lane_count; j < width; j += lane_count) {
    const Lanes difference = load(a + j) - load(b + j);
    sum = sum + difference * difference;
  }
  return total(sum);
}

}  // namespace tokumei
