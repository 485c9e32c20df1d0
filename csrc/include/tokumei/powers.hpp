// Powers of registers of doubles: logarithm and exponential to base 2, square and cube roots.
//
// Each function takes n registers and works on all of them step by step: the steps of one number
// wait for each other, those of different numbers do not. Plain multiplications and additions, so
// every instruction set gives the same bits. Relative error below 2e-15; that of `raise` about
// |exponent log2 x| times 2e-16.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>

#include "tokumei/lanes.hpp"

namespace tokumei {

template <class V>
TOKUMEI_HOT V magnitude(V x) {
  return bits_as<double>(bits_as<std::int64_t>(x) & INT64_MAX);
}

#define TOKUMEI_EACH TOKUMEI_UNROLL for (std::size_t k = 0; k < n; ++k)

// The polynomial at x, its coefficients from the highest power to the constant.
template <std::size_t terms, class V, std::size_t n>
TOKUMEI_HOT void evaluate(const double (&coefficients)[terms], const V (&x)[n], V (&sum)[n]) {
  TOKUMEI_EACH sum[k] = x[k] * coefficients[0] + coefficients[1];
#pragma GCC unroll 1
  for (std::size_t term = 2; term < terms; ++term)
    TOKUMEI_EACH sum[k] = sum[k] * x[k] + coefficients[term];
}

template <class V, std::size_t n>
TOKUMEI_HOT void take_square_root(V (&x)[n]) {
  double values[n * sizeof(V) / sizeof(double)];
  TOKUMEI_EACH store(values + k * sizeof(V) / sizeof(double), x[k]);
  for (double& value : values) value = std::sqrt(value);
  TOKUMEI_EACH x[k] = load<V>(values + k * sizeof(V) / sizeof(double));
}

// log2 x for normal x > 0: x = 2^e m with m in [1/sqrt 2, sqrt 2), and
// ln m = 2 artanh((m - 1) / (m + 1)) by its series.
template <class V, std::size_t n>
TOKUMEI_HOT void take_log2(V (&x)[n]) {
  constexpr std::int64_t mantissa = (std::int64_t{1} << 52) - 1;
  constexpr std::int64_t one = std::int64_t{1023} << 52;
  V exponent[n], s[n], z[n], sum[n];
  TOKUMEI_EACH {
    const auto bits = bits_as<std::int64_t>(x[k]);
    const V low = bits_as<double>((bits & mantissa) | one);
    // A whole number in the low bits of 2^52 becomes a double by taking 2^52 away.
    const V power =
        bits_as<double>((bits_as<std::uint64_t>(bits) >> 52) | (std::uint64_t{1075} << 52)) -
        (0x1p52 + 1023.0);
    const auto above = low > spread<V>(1.4142135623730951);
    x[k] = pick(above, low * 0.5, low);
    exponent[k] = pick(above, power + 1.0, power);
  }
  TOKUMEI_EACH s[k] = (x[k] - 1.0) / (x[k] + 1.0);
  TOKUMEI_EACH z[k] = s[k] * s[k];
  constexpr double series[] = {1.0 / 17, 1.0 / 15, 1.0 / 13, 1.0 / 11, 1.0 / 9,
                               1.0 / 7,  1.0 / 5,  1.0 / 3,  1.0};
  evaluate(series, z, sum);
  TOKUMEI_EACH x[k] = exponent[k] + (s[k] * 2.8853900817779268) * sum[k];
}

// 2^x for x below 1023; 0 from x = -1022.5 down.
template <class V, std::size_t n>
TOKUMEI_HOT void take_exp2(V (&x)[n]) {
  constexpr double rounder = 0x1.8p52;
  constexpr double series[] = {1.0 / 479001600,
                               1.0 / 39916800,
                               1.0 / 3628800,
                               1.0 / 362880,
                               1.0 / 40320,
                               1.0 / 5040,
                               1.0 / 720,
                               1.0 / 120,
                               1.0 / 24,
                               1.0 / 6,
                               1.0 / 2,
                               1.0,
                               1.0};
  V shifted[n], y[n];
  TOKUMEI_EACH {
    x[k] = larger(x[k], spread<V>(-1023.0));
    shifted[k] = x[k] + rounder;
    y[k] = (x[k] - (shifted[k] - rounder)) * 0.69314718055994531;
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
  TOKUMEI_EACH x[k] = pick(x[k] < spread<V>(0x1p-1022), spread<V>(-1e300), power[k]) * exponent;
  take_exp2(x);
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

}  // namespace tokumei
