// Exponential and natural logarithm of many lanes of doubles.
//
// As in powers.hpp with plain multiplications and additions: every instruction set gives the same
// bits. Relative error below 4e-16 of the result (`take_exp`), 5e-16 (`take_log`). Never NaN for
// the arguments named.
#pragma once

#include <cstddef>
#include <cstdint>

#include "tokumei/simd/lanes.hpp"
#include "tokumei/simd/powers.hpp"

namespace tokumei::simd {

// ln 2 in two parts; products of the first with whole numbers below 2^20 are exact.
inline constexpr double ln2_high = 0x1.62e42feep-1, ln2_low = 0x1.a39ef35793c76p-33;

// e^x for x <= 709, minus infinity too; 0 below -708, where the result would be subnormal.
template <class V>
TOKUMEI_HOT void take_exp(V& x) {
  constexpr double rounder = 0x1.8p52;
  // Of (e^y - 1 - y) / y^2 with |y| <= ln 2 / 2.
  constexpr double series[] = {
      1.0 / 87178291200, 1.0 / 6227020800, 1.0 / 479001600, 1.0 / 39916800, 1.0 / 3628800,
      1.0 / 362880,      1.0 / 40320,      1.0 / 5040,      1.0 / 720,      1.0 / 120,
      1.0 / 24,          1.0 / 6,          1.0 / 2};
  V y = larger(x, broadcast<V>(-709.0));
  const V shifted = y * 1.4426950408889634 + rounder;
  const V whole = shifted - rounder;
  y = (y - whole * ln2_high) - whole * ln2_low;
  const V sum = evaluate(series, y);
  const V power = bits_as<double>((bits_as<std::int64_t>(shifted) + 1023) << 52);
  const V result = ((sum * (y * y) + y) + 1.0) * power;
  x = select(x < broadcast<V>(-708.0), V{}, result);
}

// ln x for normal x > 0: x = 2^e m with m in [1/sqrt 2, sqrt 2) and
// ln m = 2 artanh((m - 1) / (m + 1)) by its series.
template <class V>
TOKUMEI_HOT void take_log(V& x) {
  constexpr std::int64_t mantissa = (std::int64_t{1} << 52) - 1;
  constexpr std::int64_t one = std::int64_t{1023} << 52;
  constexpr double series[] = {2.0 / 23, 2.0 / 21, 2.0 / 19, 2.0 / 17, 2.0 / 15, 2.0 / 13,
                               2.0 / 11, 2.0 / 9,  2.0 / 7,  2.0 / 5,  2.0 / 3};
  const auto bits = bits_as<std::int64_t>(x);
  const V low = bits_as<double>((bits & mantissa) | one);
  const V power =
      bits_as<double>((bits_as<std::uint64_t>(bits) >> 52) | (std::uint64_t{1075} << 52)) -
      (0x1p52 + 1023.0);
  const auto above = low > broadcast<V>(1.4142135623730951);
  const V apart = select(above, low * 0.5, low) - 1.0;
  const V exponent = select(above, power + 1.0, power);
  const V s = apart / (apart + 2.0), z = s * s;
  // 2 s = (m - 1) - s (m - 1): the larger part is exact.
  x = exponent * ln2_high + (apart - (s * (apart - z * evaluate(series, z)) - exponent * ln2_low));
}

}  // namespace tokumei::simd
