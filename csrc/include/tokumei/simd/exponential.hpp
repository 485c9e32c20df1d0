// Exponential and natural logarithm of registers of doubles.
//
// As in powers.hpp each function takes n registers and works on all of them step by step, with
// plain multiplications and additions: every instruction set gives the same bits. Relative error
// below 4e-16 of the result (`take_exp`), 5e-16 (`take_log`). Never NaN for the arguments named.
#pragma once

#include <cstddef>
#include <cstdint>

#include "tokumei/simd/lanes.hpp"
#include "tokumei/simd/powers.hpp"

namespace tokumei::simd {

#define TOKUMEI_EACH TOKUMEI_UNROLL for (std::size_t k = 0; k < n; ++k)

// ln 2 in two parts; products of the first with whole numbers below 2^20 are exact.
inline constexpr double ln2_high = 0x1.62e42feep-1, ln2_low = 0x1.a39ef35793c76p-33;

// e^x for x <= 709, minus infinity too; 0 below -708, where the result would be subnormal.
template <class V, std::size_t n>
TOKUMEI_HOT void take_exp(V (&x)[n]) {
  constexpr double rounder = 0x1.8p52;
  // Of (e^y - 1 - y) / y^2 with |y| <= ln 2 / 2.
  constexpr double series[] = {
      1.0 / 87178291200, 1.0 / 6227020800, 1.0 / 479001600, 1.0 / 39916800, 1.0 / 3628800,
      1.0 / 362880,      1.0 / 40320,      1.0 / 5040,      1.0 / 720,      1.0 / 120,
      1.0 / 24,          1.0 / 6,          1.0 / 2};
  V shifted[n], y[n], sum[n];
  TOKUMEI_EACH {
    y[k] = larger(x[k], broadcast<V>(-709.0));
    shifted[k] = y[k] * 1.4426950408889634 + rounder;
    const V whole = shifted[k] - rounder;
    y[k] = (y[k] - whole * ln2_high) - whole * ln2_low;
  }
  evaluate(series, y, sum);
  TOKUMEI_EACH {
    const V power = bits_as<double>((bits_as<std::int64_t>(shifted[k]) + 1023) << 52);
    const V result = ((sum[k] * (y[k] * y[k]) + y[k]) + 1.0) * power;
    x[k] = select(x[k] < broadcast<V>(-708.0), V{}, result);
  }
}

// ln x for normal x > 0: x = 2^e m with m in [1/sqrt 2, sqrt 2) and
// ln m = 2 artanh((m - 1) / (m + 1)) by its series.
template <class V, std::size_t n>
TOKUMEI_HOT void take_log(V (&x)[n]) {
  constexpr std::int64_t mantissa = (std::int64_t{1} << 52) - 1;
  constexpr std::int64_t one = std::int64_t{1023} << 52;
  V exponent[n], s[n], z[n], sum[n];
  TOKUMEI_EACH {
    const auto bits = bits_as<std::int64_t>(x[k]);
    const V low = bits_as<double>((bits & mantissa) | one);
    const V power =
        bits_as<double>((bits_as<std::uint64_t>(bits) >> 52) | (std::uint64_t{1075} << 52)) -
        (0x1p52 + 1023.0);
    const auto above = low > broadcast<V>(1.4142135623730951);
    x[k] = select(above, low * 0.5, low) - 1.0;
    exponent[k] = select(above, power + 1.0, power);
  }
  TOKUMEI_EACH s[k] = x[k] / (x[k] + 2.0);
  TOKUMEI_EACH z[k] = s[k] * s[k];
  constexpr double series[] = {2.0 / 23, 2.0 / 21, 2.0 / 19, 2.0 / 17, 2.0 / 15, 2.0 / 13,
                               2.0 / 11, 2.0 / 9,  2.0 / 7,  2.0 / 5,  2.0 / 3};
  evaluate(series, z, sum);
  // 2 s = (m - 1) - s (m - 1): the larger part is exact.
  TOKUMEI_EACH x[k] =
      exponent[k] * ln2_high + (x[k] - (s[k] * (x[k] - z[k] * sum[k]) - exponent[k] * ln2_low));
}

#undef TOKUMEI_EACH

}  // namespace tokumei::simd
