// Powers of registers of doubles: logarithm and exponential to base 2, square and cube roots.
//
// Each function takes n registers and works on all of them step by step: the steps of one number
// wait for each other, those of different numbers do not. Plain multiplications and additions, so
// every instruction set gives the same bits. Relative error below 2e-15, that of `take_exp2` below
// 4e-15, that of `raise` besides about |exponent log2 x| times 2e-16.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>

#include "tokumei/simd/lanes.hpp"

namespace tokumei::simd {

template <class V>
TOKUMEI_HOT V magnitude(V x) {
  return bits_as<double>(bits_as<std::int64_t>(x) & INT64_MAX);
}

#define TOKUMEI_EACH TOKUMEI_UNROLL for (std::size_t k = 0; k < n; ++k)

// The polynomial at x, its coefficients from the highest power to the constant: even and odd powers
// side by side, so that half as many steps wait for each other.
template <std::size_t terms, class V, std::size_t n>
TOKUMEI_HOT void evaluate(const double (&coefficients)[terms], const V (&x)[n], V (&sum)[n]) {
  static_assert(terms % 2 == 1 && terms > 3);
  V square[n], odd[n];
  TOKUMEI_EACH square[k] = x[k] * x[k];
  TOKUMEI_EACH sum[k] = square[k] * coefficients[0] + coefficients[2];
  TOKUMEI_EACH odd[k] = square[k] * coefficients[1] + coefficients[3];
  TOKUMEI_UNROLL for (std::size_t term = 4; term + 1 < terms; term += 2) {
    TOKUMEI_EACH sum[k] = sum[k] * square[k] + coefficients[term];
    TOKUMEI_EACH odd[k] = odd[k] * square[k] + coefficients[term + 1];
  }
  TOKUMEI_EACH sum[k] = sum[k] * square[k] + coefficients[terms - 1];
  TOKUMEI_EACH sum[k] = sum[k] + x[k] * odd[k];
}

template <class V, std::size_t n>
TOKUMEI_HOT void take_square_root(V (&x)[n]) {
  double values[n * sizeof(V) / sizeof(double)];
  TOKUMEI_EACH store(values + k * sizeof(V) / sizeof(double), x[k]);
  for (double& value : values) value = std::sqrt(value);
  TOKUMEI_EACH x[k] = load<V>(values + k * sizeof(V) / sizeof(double));
}

// log2 x for normal x > 0: x = 2^e m with m in [sqrt 1/2, sqrt 2), and log2 m is an odd function of
// (m - 1) / (m + 1), whose polynomial is the best of its degree. Of 0 it is about -1023.
template <class V, std::size_t n>
TOKUMEI_HOT void take_log2(V (&x)[n]) {
  constexpr std::uint64_t mantissa = (std::uint64_t{1} << 52) - 1;
  constexpr std::uint64_t one = std::uint64_t{1023} << 52;
  constexpr std::uint64_t root_half = 0x3fe6a09e667f3bcd;
  V exponent[n], s[n], z[n], sum[n];
  TOKUMEI_EACH {
    const auto above = bits_as<std::uint64_t>(x[k]) + (one - root_half);
    x[k] = bits_as<double>((above & mantissa) + root_half);
    // A whole number in the low bits of 2^52 becomes a double by taking 2^52 away.
    exponent[k] = bits_as<double>((above >> 52) | (std::uint64_t{1075} << 52)) - (0x1p52 + 1023.0);
  }
  TOKUMEI_EACH s[k] = (x[k] - 1.0) / (x[k] + 1.0);
  TOKUMEI_EACH z[k] = s[k] * s[k];
  constexpr double series[] = {0x1.f17dfd13ae0efp-3, 0x1.0bb80a92c80ccp-2, 0x1.484fa9965bc9cp-2,
                               0x1.a61756810b0f8p-2, 0x1.2776c516a083cp-1, 0x1.ec709dc39ca40p-1,
                               0x1.71547652b82fep+1};
  evaluate(series, z, sum);
  TOKUMEI_EACH x[k] = exponent[k] + s[k] * sum[k];
}

// 2^x for x below 1023; 0 below x = -1022.5. A whole power of 2 times the best polynomial.
template <class V, std::size_t n>
TOKUMEI_HOT void take_exp2(V (&x)[n]) {
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
  V shifted[n], y[n];
  TOKUMEI_EACH {
    x[k] = larger(x[k], broadcast<V>(-1023.0));
    shifted[k] = x[k] + rounder;
    y[k] = x[k] - (shifted[k] - rounder);
  }
  evaluate(series, y, x);
  // 2^-1023 would be subnormal: its bits read 0.
  TOKUMEI_EACH x[k] = x[k] * bits_as<double>((bits_as<std::int64_t>(shifted[k]) + 1023) << 52);
}

// x^exponent for x >= 0 and exponent > 0; a subnormal x counts as 0.
template <class V, std::size_t n>
TOKUMEI_HOT void raise(V (&x)[n], double exponent) {
  V power[n];
  TOKUMEI_EACH power[k] = x[k];
  take_log2(power);
  TOKUMEI_EACH x[k] =
      select(x[k] < broadcast<V>(0x1p-1022), broadcast<V>(-1e300), power[k]) * exponent;
  take_exp2(x);
}

// x^(halves / 2) by multiplications and at most one square root.
template <class V, std::size_t n>
TOKUMEI_HOT void raise_by_halves(V (&x)[n], unsigned halves) {
  V power[n];
  TOKUMEI_EACH power[k] = x[k];
  if (halves % 2 == 1)
    take_square_root(x);
  else
    TOKUMEI_EACH x[k] = broadcast<V>(1.0);
  for (unsigned left = halves / 2; left != 0; left /= 2) {
    if (left % 2 == 1) TOKUMEI_EACH x[k] = x[k] * power[k];
    if (left > 1) TOKUMEI_EACH power[k] = power[k] * power[k];
  }
}

// x^(-1/3) for x from 2^-900 on: a guess by dividing the exponent by three, off by at most 4 %,
// and two steps that each leave the fourth power of the error.
template <class V, std::size_t n>
TOKUMEI_HOT void take_inverse_cube_root(V (&x)[n]) {
  V y[n], error[n], series[n];
  TOKUMEI_EACH {
    const auto high = bits_as<std::uint64_t>(x[k]) >> 32;
    const auto third = (high * std::uint64_t{0x55555556}) >> 32;
    y[k] = bits_as<double>((std::uint64_t{0x553ef0ff} - third) << 32);
  }
  for (int step = 0; step < 2; ++step) {
    TOKUMEI_EACH error[k] = 1.0 - (x[k] * y[k]) * (y[k] * y[k]);
    TOKUMEI_EACH series[k] = error[k] * (14.0 / 81) + 2.0 / 9;
    TOKUMEI_EACH series[k] = series[k] * error[k] + 1.0 / 3;
    TOKUMEI_EACH error[k] = error[k] * y[k];
    TOKUMEI_EACH y[k] = y[k] + series[k] * error[k];
  }
  TOKUMEI_EACH x[k] = y[k];
}

#undef TOKUMEI_EACH

}  // namespace tokumei::simd
