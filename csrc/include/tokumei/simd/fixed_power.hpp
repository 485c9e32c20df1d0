// x^exponent of many x by one exponent: tables in place of a logarithm and an exponential.
//
// x = 2^e m, m within a 32nd of one of sixteen centres c, and with f the fraction of the exponent
//
//   x^exponent = x^whole 2^(e f) c^f (m / c)^f:
//
// products, two looked up, and a binomial series (Tang 1991 looks exponentials up like this). That
// is fewer steps than powers.hpp takes, none of them a division.
//
// Relative error below 1e-15 + whole times 2e-16. 1 of 1; 0 of 0. Of a subnormal x less than
// 2^-1021 where the exponent is 1 or more, else at most x 2^1022 or 2^(-1022 exponent). Every
// instruction set gives the same bits. Beyond the largest double infinite or NaN; an exponent above
// 2^31 counts as that. Needs 0 < exponent; 17 kB.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "tokumei/simd/exponential.hpp"
#include "tokumei/simd/fused.hpp"
#include "tokumei/simd/lanes.hpp"
#include "tokumei/simd/look_up.hpp"

namespace tokumei::simd {

class FixedPower {
 public:
  explicit FixedPower(double exponent)
      : whole_(static_cast<unsigned>(std::min(exponent, 0x1p31))),
        fraction_(exponent - std::floor(exponent)) {
    fill_centres();
    fill_scales();
    fill_series();
  }

  // A few registers at a time: the steps of all would not stay in registers.
  template <class V>
  TOKUMEI_HOT void raise(V& x) const {
    constexpr std::size_t some = 2;
    if constexpr (V::registers <= some) {
      raise_few(x);
    } else {
      TOKUMEI_UNROLL for (std::size_t first = 0; first < V::registers; first += some) {
        using Few = typename V::template Some<some * V::of_register>;
        auto few =
            each_register<Few>([&](std::size_t i) TOKUMEI_HOT_LAMBDA { return x.part[first + i]; });
        raise_few(few);
        TOKUMEI_UNROLL for (std::size_t i = 0; i < some; ++i) x.part[first + i] = few.part[i];
      }
    }
  }

 private:
  template <class V>
  TOKUMEI_HOT void raise_few(V& x) const {
    constexpr std::uint64_t exponents = std::uint64_t{2047} << 52;
    const auto bits = bits_as<std::uint64_t>(x);
    const auto above = bits + (std::uint64_t{1} << 47);
    const auto m = bits_as<double>((bits + (std::uint64_t{1023} << 52)) - (above & exponents));
    const auto centre = above >> 48;
    V power = scale<V>(above >> 52) * look_up(of_centre_, centre);
    if (whole_ == 0)
      power = smaller(power, x * 0x1p1022);
    else
      multiply_by_whole(power, x);
    const V rest = fused(m, look_up(inverse_, centre), broadcast<V>(-1.0));
    x = fused(power * rest, evaluate_fused(series_, rest), power);
  }

  // 2^(e f) by the biased exponent: of its digits where a table of sixteen is two registers.
  template <class V, class Index>
  TOKUMEI_HOT V scale(const Index& biased) const {
    if constexpr (shuffles_sixteen<V>)
      return look_up(of_high_, biased >> 8) * look_up(of_middle_, biased >> 4) *
             look_up(of_low_, biased);
    else
      return look_up(of_biased_, biased);
  }

  template <class V>
  TOKUMEI_HOT void multiply_by_whole(V& power, V factor) const {
    for (unsigned left = whole_;;) {
      if (left % 2 == 1) power = power * factor;
      left /= 2;
      if (left == 0) return;
      factor = factor * factor;
    }
  }

  void fill_centres() {
    // 1 / (1 + j / 16), rounded, and minus the binary logarithm of that in two parts.
    constexpr double inverses[] = {
        0x1.0000000000000p+0, 0x1.e1e1e1e1e1e1ep-1, 0x1.c71c71c71c71cp-1, 0x1.af286bca1af28p-1,
        0x1.999999999999ap-1, 0x1.8618618618618p-1, 0x1.745d1745d1746p-1, 0x1.642c8590b2164p-1,
        0x1.5555555555555p-1, 0x1.47ae147ae147bp-1, 0x1.3b13b13b13b14p-1, 0x1.2f684bda12f68p-1,
        0x1.2492492492492p-1, 0x1.1a7b9611a7b96p-1, 0x1.1111111111111p-1, 0x1.0842108421084p-1};
    constexpr double logarithms[] = {0x0.0p+0,
                                     0x1.663f6fac91318p-4,
                                     0x1.5c01a39fbd68bp-3,
                                     0x1.fbc16b902680dp-3,
                                     0x1.49a784bcd1b8ap-2,
                                     0x1.91bba891f170ap-2,
                                     0x1.d6753e032ea0ep-2,
                                     0x1.0c10500d63aa7p-1,
                                     0x1.2b803473f7ad2p-1,
                                     0x1.49a784bcd1b8bp-1,
                                     0x1.66a008e4788cbp-1,
                                     0x1.82809d5be7074p-1,
                                     0x1.9d5d9fd5010b4p-1,
                                     0x1.b74948f5532dap-1,
                                     0x1.d053f6d260897p-1,
                                     0x1.e88c6b3626a73p-1};
    constexpr double rests[] = {0x0.0p+0,
                                -0x1.1df362ae68bc6p-60,
                                -0x1.f6dc21221666bp-57,
                                0x1.94718f85f92e0p-61,
                                -0x1.cc2d296ee388cp-56,
                                0x1.30395ac11db40p-57,
                                0x1.16520bc0d0f59p-56,
                                -0x1.2ca22c62da46ap-55,
                                -0x1.4d870dd18a9cfp-55,
                                -0x1.1bdaa8e20ced3p-55,
                                0x1.484a01a34cd41p-57,
                                -0x1.ade702bf80966p-55,
                                0x1.f0f9449d09a6fp-57,
                                0x1.e5d8003634fb1p-55,
                                -0x1.7af3675fa0497p-55,
                                0x1.9db057278adc6p-59};
    for (int j = 0; j < 16; ++j) {
      inverse_[j] = inverses[j];
      of_centre_[j] = power_of_two(logarithms[j], rests[j]);
    }
  }

  void fill_scales() {
    for (int digit = 0; digit < 16; ++digit) {
      of_low_[digit] = power_of_two(digit - 15);
      of_middle_[digit] = power_of_two(16 * (digit - 15));
      of_high_[digit] = power_of_two(256 * (digit % 8 - 3));
    }
    for (std::size_t e = 0; e < 2048; ++e)
      of_biased_[e] = of_high_[e / 256] * of_middle_[e / 16 % 16] * of_low_[e % 16];
  }

  // ((1 + r)^f - 1) / r for |r| up to a 32nd: binomial coefficients, of which the eighth and ninth
  // are put down to lower ones by Chebyshev's polynomials.
  void fill_series() {
    constexpr double h = 0x1p-10;
    double of[10] = {1.0};
    for (int n = 1; n < 10; ++n) of[n] = of[n - 1] * (fraction_ - (n - 1)) / n;
    of[7] += 2.25 * h * of[9];
    of[6] += 2.0 * h * of[8];
    of[5] -= 1.6875 * h * h * of[9];
    of[4] -= 1.25 * h * h * of[8];
    of[3] += 0.46875 * h * h * h * of[9];
    of[2] += 0.25 * h * h * h * of[8];
    for (int n = 1; n < 8; ++n) series_[7 - n] = of[n];
  }

  // 2^(f (n + rest)), with what rounding the product loses.
  double power_of_two(double n, double rest = 0.0) const {
    constexpr double ln2 = 0x1.62e42fefa39efp-1;
    const double product = fraction_ * n;
    const double lost = std::fma(fraction_, n, -product) + fraction_ * rest;
    const double whole = std::nearbyint(product);
    auto power = broadcast<Lanes<double, narrowest>>((product - whole) * ln2);
    take_exp(power);
    return std::ldexp(power[0] + power[0] * (lost * ln2), static_cast<int>(whole));
  }

  unsigned whole_;
  double fraction_;
  alignas(64) double inverse_[16], of_centre_[16], of_low_[16], of_middle_[16], of_high_[16];
  double series_[7];
  double of_biased_[2048];
};

}  // namespace tokumei::simd
