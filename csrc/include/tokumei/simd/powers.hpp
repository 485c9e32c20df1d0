// Powers of many lanes: logarithm and exponential to base 2, square and cube roots.
//
// To be used on several registers at a time: the steps of one number wait for each other, those of
// different numbers do not. Every instruction set gives the same bits: logarithm and exponential
// add products with one rounding (fused.hpp), the others round each step. Relative error below
// 2e-15, that of `take_exp2` below 4e-15, that of `raise` besides about |exponent log2 x| times
// 2e-16.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>

#include "tokumei/simd/fused.hpp"
#include "tokumei/simd/lanes.hpp"

namespace tokumei::simd {

template <class V>
TOKUMEI_HOT V magnitude(V x) {
  return bits_as<double>(bits_as<std::int64_t>(x) & INT64_MAX);
}

// The polynomial at x, its coefficients from the highest power to the constant: even and odd powers
// side by side, so that half as many steps wait for each other.
template <std::size_t terms, class V>
TOKUMEI_HOT V evaluate(const double (&coefficients)[terms], const V& x) {
  static_assert(terms % 2 == 1 && terms > 3);
  const V square = x * x;
  V sum = square * coefficients[0] + coefficients[2];
  V odd = square * coefficients[1] + coefficients[3];
  TOKUMEI_UNROLL for (std::size_t term = 4; term + 1 < terms; term += 2) {
    sum = sum * square + coefficients[term];
    odd = odd * square + coefficients[term + 1];
  }
  sum = sum * square + coefficients[terms - 1];
  return sum + x * odd;
}

template <class V>
TOKUMEI_HOT void take_square_root(V& x) {
  double values[V::count];
  store(values, x);
  for (double& value : values) value = std::sqrt(value);
  x = load<V>(values);
}

// log2 x for normal x > 0: x = 2^e m with m in [sqrt 1/2, sqrt 2), and log2 m is an odd function of
// (m - 1) / (m + 1), whose polynomial is the best of its degree. Of 0 it is about -1023.
template <class V>
TOKUMEI_HOT void take_log2(V& x) {
  constexpr std::uint64_t mantissa = (std::uint64_t{1} << 52) - 1;
  constexpr std::uint64_t one = std::uint64_t{1023} << 52;
  constexpr std::uint64_t root_half = 0x3fe6a09e667f3bcd;
  constexpr double series[] = {0x1.f17dfd13ae0efp-3, 0x1.0bb80a92c80ccp-2, 0x1.484fa9965bc9cp-2,
                               0x1.a61756810b0f8p-2, 0x1.2776c516a083cp-1, 0x1.ec709dc39ca40p-1,
                               0x1.71547652b82fep+1};
  const auto above = bits_as<std::uint64_t>(x) + (one - root_half);
  const V m = bits_as<double>((above & mantissa) + root_half);
  // A whole number in the low bits of 2^52 becomes a double by taking 2^52 away.
  const V exponent =
      bits_as<double>((above >> 52) | (std::uint64_t{1075} << 52)) - (0x1p52 + 1023.0);
  const V s = (m - 1.0) / (m + 1.0);
  x = fused(s, evaluate_fused(series, s * s), exponent);
}

// 2^x for x below 1023; less than 2^-1021 below x = -1022, and 0 from x = -1023 down. A whole power
// of 2, added to the exponent of the best polynomial.
template <class V>
TOKUMEI_HOT void take_exp2(V& x) {
  constexpr double rounder = 0x1.8p52;
  constexpr double series[] = {0x1.e6063f7217bc6p-28,
                               0x1.b675bca4eeebbp-24,
                               0x1.62bfd47773353p-20,
                               0x1.ffcb54062e698p-17,
                               0x1.430913096fd9fp-13,
                               0x1.5d87fe9d7a584p-10,
                               0x1.3b2ab6fba1ddap-7,
                               0x1.c6b08d703ce49p-5,
                               0x1.ebfbdff82c598p-3,
                               0x1.62e42fefa39efp-1,
                               1.0};
  x = larger(x, broadcast<V>(-1023.0));
  const V shifted = x + rounder;
  const V part = evaluate_fused(series, x - (shifted - rounder));
  x = bits_as<double>(bits_as<std::int64_t>(part) + (bits_as<std::int64_t>(shifted) << 52));
}

// x^exponent for x >= 0 and exponent >= 1; less than 2^-1021 of a subnormal x, and 0 of 0.
template <class V>
TOKUMEI_HOT void raise_at_least_once(V& x, double exponent) {
  take_log2(x);
  x = x * exponent;
  take_exp2(x);
}

// x^(halves / 2) by multiplications and at most one square root.
template <class V>
TOKUMEI_HOT void raise_by_halves(V& x, unsigned halves) {
  V power = x;
  if (halves % 2 == 1)
    take_square_root(x);
  else
    x = broadcast<V>(1.0);
  for (unsigned left = halves / 2; left != 0; left /= 2) {
    if (left % 2 == 1) x = x * power;
    if (left > 1) power = power * power;
  }
}

// x^(-1/3) for x from 2^-900 on: a guess by dividing the exponent by three, off by at most 4 %,
// and two steps that each leave the fourth power of the error.
template <class V>
TOKUMEI_HOT void take_inverse_cube_root(V& x) {
  const auto third = ((bits_as<std::uint64_t>(x) >> 32) * std::uint64_t{0x55555556}) >> 32;
  V y = bits_as<double>((std::uint64_t{0x553ef0ff} - third) << 32);
  for (int step = 0; step < 2; ++step) {
    const V error = 1.0 - (x * y) * (y * y);
    const V series = (error * (14.0 / 81) + 2.0 / 9) * error + 1.0 / 3;
    y = y + series * (error * y);
  }
  x = y;
}

}  // namespace tokumei::simd
