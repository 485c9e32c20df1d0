// Xoshiro256 for searches: the same numbers on every machine from the same seed.
//
// xoshiro256++ (Blackman & Vigna 2019), seeded by SplitMix64. It decides which of many valid
// answers a search finds and protects nothing: releases never draw from it. No function of the C
// library is called, whose last bits may differ between machines.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "tokumei/rooms.hpp"

namespace tokumei::numeric {

// A well mixed word of any word; neighbouring inputs give unrelated outputs.
inline std::uint64_t mix(std::uint64_t word) {
  word += 0x9e3779b97f4a7c15ULL;
  word = (word ^ (word >> 30)) * 0xbf58476d1ce4e5b9ULL;
  word = (word ^ (word >> 27)) * 0x94d049bb133111ebULL;
  return word ^ (word >> 31);
}

// log(x) for 0 < x <= 1, to about 1e-9: additions and multiplications only.
inline double coarse_log(double x) {
  const auto bits = std::bit_cast<std::uint64_t>(x);
  const int exponent = static_cast<int>(bits >> 52) - 1023;
  const double mantissa =
      std::bit_cast<double>((bits & ((std::uint64_t{1} << 52) - 1)) | 0x3ff0000000000000ULL);
  // log m = 2 atanh((m - 1) / (m + 1)), with m in 1..2.
  const double t = (mantissa - 1) / (mantissa + 1), s = t * t;
  double series = 0;
  for (int odd = 17; odd >= 1; odd -= 2) series = series * s + 1.0 / odd;
  return 2 * t * series + exponent * 0.6931471805599453;
}

class Xoshiro256 {
 public:
  explicit Xoshiro256(std::uint64_t seed) {
    for (auto& word : state_) word = seed = mix(seed);
  }

  std::uint64_t word() {
    const std::uint64_t result = std::rotl(state_[0] + state_[3], 23) + state_[0];
    const std::uint64_t shifted = state_[1] << 17;
    state_[2] ^= state_[0];
    state_[3] ^= state_[1];
    state_[1] ^= state_[2];
    state_[0] ^= state_[3];
    state_[2] ^= shifted;
    state_[3] = std::rotl(state_[3], 45);
    return result;
  }

  // 0 <= u < 1.
  double uniform() { return static_cast<double>(word() >> 11) * 0x1p-53; }

  // 0..bound-1, bound < 2^32; the bias is below 2^-32.
  std::size_t below(std::size_t bound) {
    return static_cast<std::size_t>(((word() >> 32) * static_cast<std::uint64_t>(bound)) >> 32);
  }

  // An exponential variable of mean 1.
  double exponential() { return -coarse_log(1.0 - uniform()); }

 private:
  std::array<std::uint64_t, 4> state_;
};

}  // namespace tokumei::numeric
