// Sixteen of a kind side by side: distances from a point to sixteen records or sixteen boxes.
//
// Layout: attribute after attribute, sixteen values each; for boxes sixteen lower, then sixteen
// upper bounds. Attributes are filled up with zeros to a multiple of four, which adds exact zeros.
// Sums run from the first attribute to the last, starting at 0, as in squared_distances.hpp.
// Rounding is monotone, so in the same precision
//     nearest point of a box <= every record inside <= farthest corner of the box
// holds for the computed numbers as for the true ones: no margin is needed between them.
//
// The loops are plain: sixteen floats are one register of AVX-512, two of AVX2 or four of the
// baseline, with the same bits on each.
#pragma once

#include <cstddef>
#include <cstdint>

#include "tokumei/runtime/instruction_sets.hpp"

// GCC unrolls a loop of sixteen before it looks for vectors, and then finds none: keep it rolled.
#if defined(__GNUC__) && !defined(__clang__)
#define TOKUMEI_SIXTEEN(i)                                                                         \
  _Pragma("GCC unroll 1") for (std::size_t i = 0; i < ::tokumei::simd::sixteen; ++i)
#else
#define TOKUMEI_SIXTEEN(i) for (std::size_t i = 0; i < ::tokumei::simd::sixteen; ++i)
#endif

namespace tokumei::simd {

inline constexpr std::size_t sixteen = 16;

inline constexpr unsigned all_sixteen = (1U << sixteen) - 1;

inline std::size_t whole_quads(std::size_t attributes) { return (attributes + 3) / 4 * 4; }

// out[i] = term(0, i) + term(1, i) + ... + term(width - 1, i), for terms that are not negative.
template <class Real, class Term>
TOKUMEI_HOT void sum_attributes(std::size_t width, Real* out, Term&& term) {
  Real sum[sixteen];
  TOKUMEI_SIXTEEN(i) sum[i] = ((term(0, i) + term(1, i)) + term(2, i)) + term(3, i);
  for (std::size_t j = 4; j < width; j += 4) {
    TOKUMEI_SIXTEEN(i) {
      sum[i] = (((sum[i] + term(j, i)) + term(j + 1, i)) + term(j + 2, i)) + term(j + 3, i);
    }
  }
  TOKUMEI_SIXTEEN(i) out[i] = sum[i];
}

// Squared distances from a point to sixteen records.
TOKUMEI_HOT void record_distances(const float* records, const float* point, std::size_t width,
                                  float* out) {
  sum_attributes(width, out, [=](std::size_t j, std::size_t i) {
    const float by = records[j * sixteen + i] - point[j];
    return by * by;
  });
}

// Squared distances from a point to the nearest points of sixteen boxes.
template <class Real>
TOKUMEI_HOT void box_distances(const Real* boxes, const Real* point, std::size_t width, Real* out) {
  sum_attributes(width, out, [=](std::size_t j, std::size_t i) {
    const Real* lower = boxes + j * 2 * sixteen;
    const Real* upper = lower + sixteen;
    Real nearest = point[j] < lower[i] ? lower[i] : point[j];
    nearest = nearest > upper[i] ? upper[i] : nearest;
    const Real by = nearest - point[j];
    return by * by;
  });
}

// Squared distances from a point to the farthest corners of sixteen boxes.
template <class Real>
TOKUMEI_HOT void corner_distances(const Real* boxes, const Real* point, std::size_t width,
                                  Real* out) {
  sum_attributes(width, out, [=](std::size_t j, std::size_t i) {
    const Real* lower = boxes + j * 2 * sixteen;
    const Real* upper = lower + sixteen;
    const Real down = point[j] - lower[i], up = upper[i] - point[j];
    const Real by = down > up ? down : up;
    return by * by;
  });
}

// The bits 1, 2, 4, ... in words as wide as what is compared, so that both fit the same registers.
template <class Word>
struct SixteenBits {
  alignas(64) Word of[sixteen];
  constexpr SixteenBits() : of{} {
    for (std::size_t i = 0; i < sixteen; ++i) of[i] = Word{1} << i;
  }
};
inline constexpr SixteenBits<std::uint32_t> narrow_bits{};
inline constexpr SixteenBits<std::uint64_t> wide_bits{};

// Bit i of the result is set where holds(i), a comparison of floats or of doubles.
template <class Holds>
TOKUMEI_HOT unsigned where_floats(Holds&& holds) {
  std::uint32_t mask = 0;
  TOKUMEI_SIXTEEN(i) mask |= holds(i) ? narrow_bits.of[i] : 0;
  return mask;
}
template <class Holds>
TOKUMEI_HOT unsigned where_doubles(Holds&& holds) {
  std::uint64_t mask = 0;
  TOKUMEI_SIXTEEN(i) mask |= holds(i) ? wide_bits.of[i] : 0;
  return static_cast<unsigned>(mask);
}

// The first of sixteen with the least value.
template <class Real>
TOKUMEI_HOT unsigned least_of(const Real* values) {
  Real least = values[0];
  for (std::size_t i = 1; i < sixteen; ++i) least = values[i] < least ? values[i] : least;
  unsigned at = 0;
  while (values[at] != least) ++at;
  return at;
}

}  // namespace tokumei::simd
