// Sums and means in twice the precision of a double, for few terms or many.
//
// A running sum is kept as a rounded value and the error that rounding left (Knuth's two-sum), so a
// mean is right to the last bit but for the rarest ties, and a deviation from it stays meaningful
// when the data lie far from zero. The order of the terms is the caller's; a fixed order gives
// fixed bits.
#pragma once

#include <cmath>
#include <cstddef>

#include "tokumei/rooms.hpp"

namespace tokumei::numeric {

// high + low, low being at most half a unit in the last place of high.
struct DoubleDouble {
  double high = 0.0;
  double low = 0.0;

  void add(double x) {
    const double sum = high + x;
    const double shared = sum - high;
    low += (high - (sum - shared)) + (x - shared);
    high = sum;
  }

  double value() const { return high + low; }
};

// x less a mean that is known to twice the precision.
inline double deviation(double x, const DoubleDouble& mean) { return (x - mean.high) - mean.low; }

// The mean of n terms that sum to `sum`.
inline DoubleDouble mean_of(const DoubleDouble& sum, std::size_t n) {
  const double count = static_cast<double>(n);
  const double mean = sum.value() / count;
  const double product = mean * count;
  const double error = std::fma(mean, count, -product);
  const double rest = (((sum.high - product) - error) + sum.low) / count;
  const double rounded = mean + rest;
  return {rounded, rest - (rounded - mean)};
}

}  // namespace tokumei::numeric
