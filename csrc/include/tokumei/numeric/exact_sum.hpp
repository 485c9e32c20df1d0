// A sum of doubles without any rounding until it is read.
//
// The value is kept as one wide integer: limbs of 32 bits that cover every double from the smallest
// subnormal to the largest finite number, each in 64 bits so that carries can wait. The sum
// therefore depends neither on the order of the terms nor on how they are divided among blocks,
// threads or files, and a term can be taken back exactly. `value` rounds once, to nearest, ties to
// even: it is what Python's math.fsum returns.
//
// Finite terms only. Cost: about 2 ns a term, 20 ns a reading where the terms are of like size, 0.6
// kB a sum. A sum beyond the largest double reads as infinity.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "tokumei/runtime/views.hpp"

namespace tokumei::numeric {

class ExactSum {
 public:
  void add(double x) { put(x, false); }
  void subtract(double x) { put(x, true); }
  // a b, unless it is so small that the error of rounding it is no double.
  void add_product(double a, double b) {
    const double product = a * b;
    add(product);
    add(std::fma(a, b, -product));
  }

  void merge(const ExactSum& other) {
    carry();
    ExactSum theirs = other;
    theirs.carry();
    for (std::size_t i = 0; i < limbs_.size(); ++i) limbs_[i] += theirs.limbs_[i];
    first_ = std::min(first_, theirs.first_);
    last_ = std::max(last_, theirs.last_);
    ++pending_;
  }

  // The sum, correctly rounded.
  double value() const {
    ExactSum magnitude = *this;
    magnitude.carry();
    const bool negative = magnitude.limbs_[magnitude.last_] < 0;
    if (negative) {
      for (std::size_t i = magnitude.first_; i <= magnitude.last_; ++i)
        magnitude.limbs_[i] = -magnitude.limbs_[i];
      magnitude.carry();
    }
    const double size = magnitude.round_positive();
    return negative ? -size : size;
  }

  // Calls take with doubles that add up to the sum, the largest first.
  template <class Take>
  void each_part(Take&& take) const {
    ExactSum left = *this;
    for (double part = left.value(); part != 0.0; part = left.value()) {
      take(part);
      left.subtract(part);
    }
  }

  // 1, 0 or -1.
  int sign() const {
    const double rounded = value();
    return (rounded > 0.0) - (rounded < 0.0);
  }

  // The sum less n times `mean`, correctly rounded: what a rounded mean leaves behind.
  double rest(double mean, std::size_t n) const {
    const double count = static_cast<double>(n);
    const double product = count * mean;
    ExactSum left = *this;
    left.subtract(product);
    left.subtract(std::fma(count, mean, -product));
    return left.value();
  }

 private:
  static constexpr int limb_bits = 32;
  static constexpr std::int64_t limb_mask = (std::int64_t{1} << limb_bits) - 1;
  // A carry is due before 2^31 terms of up to 2^32 could overflow a limb.
  static constexpr std::uint32_t most_pending = std::uint32_t{1} << 30;

  void put(double x, bool negate) {
    if (x == 0.0) return;
    const auto bits = std::bit_cast<std::uint64_t>(x);
    const auto exponent = static_cast<unsigned>(bits >> 52) & 0x7ffU;
    std::uint64_t mantissa = bits & ((std::uint64_t{1} << 52) - 1);
    unsigned position = 0;  // of the mantissa's lowest bit above 2^-1074
    if (exponent != 0) {
      mantissa |= std::uint64_t{1} << 52;
      position = exponent - 1;
    }
    const std::size_t limb = position / limb_bits;
    const unsigned shift = position % limb_bits;
    const std::uint64_t low = (mantissa & static_cast<std::uint64_t>(limb_mask)) << shift;
    const std::uint64_t high = (mantissa >> limb_bits) << shift;
    const auto first = static_cast<std::int64_t>(low & static_cast<std::uint64_t>(limb_mask));
    const auto second = static_cast<std::int64_t>((low >> limb_bits) +
                                                  (high & static_cast<std::uint64_t>(limb_mask)));
    const auto third = static_cast<std::int64_t>(high >> limb_bits);
    // -1 or 0, so that (v ^ sign) - sign negates without a branch.
    const std::int64_t sign = ((bits >> 63) != 0) != negate ? -1 : 0;
    limbs_[limb] += (first ^ sign) - sign;
    limbs_[limb + 1] += (second ^ sign) - sign;
    limbs_[limb + 2] += (third ^ sign) - sign;
    first_ = std::min(first_, limb);
    last_ = std::max(last_, limb + 2);
    if (++pending_ == most_pending) carry();
  }

  // Brings every limb in use but the last into 0..2^32-1; the last carries the sign.
  void carry() {
    last_ = std::min(last_ + 1, limbs_.size() - 1);
    std::int64_t over = 0;
    for (std::size_t i = first_; i < last_; ++i) {
      const std::int64_t total = limbs_[i] + over;
      limbs_[i] = total & limb_mask;
      over = total >> limb_bits;
    }
    limbs_[last_] += over;
    pending_ = 0;
  }

  double round_positive() const {
    std::size_t top = last_ + 1;
    while (top > first_ && limbs_[top - 1] == 0) --top;
    if (top <= first_) return 0.0;
    const auto at = [&](std::size_t i) {
      return i < top ? static_cast<std::uint64_t>(limbs_[i]) : std::uint64_t{0};
    };
    // 64 leading bits in `head`; a lower bit that is set anywhere makes the last of them odd
    // ("sticky").
    const std::size_t lowest = top >= 3 ? top - 3 : 0;
    const int lead = std::countl_zero(static_cast<std::uint32_t>(at(top - 1)));
    std::uint64_t head = (at(lowest + 2) << limb_bits | at(lowest + 1));
    std::uint64_t tail = at(lowest) << limb_bits;
    int exponent = static_cast<int>(lowest + 1) * limb_bits - 1074;
    if (top >= 3) {
      head = lead == 0 ? head : head << lead | tail >> (64 - lead);
      tail = lead == 0 ? tail : tail << lead;
      exponent -= lead;
    }
    bool sticky = tail != 0;
    for (std::size_t i = first_; i < lowest && !sticky; ++i) sticky = limbs_[i] != 0;
    if (top < 3) {
      // Below 2^-1010 every sum is a double or fits 64 bits: nothing stands under the tail.
      head = at(1) << limb_bits | at(0);
      exponent = -1074;
      sticky = false;
    }
    return std::ldexp(static_cast<double>(sticky ? head | 1 : head), exponent);
  }

  // 2098 bits of doubles, 2^64 terms of head room.
  std::array<std::int64_t, 69> limbs_{};
  // The limbs in use; the others are zero.
  std::size_t first_ = 68;
  std::size_t last_ = 0;
  std::uint32_t pending_ = 0;
};

// The sum of a column, rounded once.
inline double exact_total(Column<double> x) {
  ExactSum sum;
  for (const double value : x) sum.add(value);
  return sum.value();
}

}  // namespace tokumei::numeric
