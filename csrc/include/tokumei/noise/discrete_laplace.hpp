// Two-sided geometric noise, exactly: P(K = j) is proportional to exp(-rate |j|), j whole.
//
// The rate is a whole number of 2^-64, so that every decision is one of whole numbers (Canonne,
// Kamath & Steinke 2020, algorithm 2, with steps that are a power of two). |K| = 2^b H + L:
//   L below 2^b, uniform, kept with probability exp(-rate L);
//   H the number of coins of probability exp(-rate 2^b) before the first that fails;
// and a sign, where -0 begins anew. b is the largest with rate 2^b <= 0.7, which costs the fewest
// words: about 7.5 of 32 bits for a draw.
//
// Cost: about 50 ns a draw. Throws std::invalid_argument for a rate below 2^-31 or above 2^20, and
// std::runtime_error for a draw of 2^52 and more, which happens to nobody.
#pragma once

#include <cstddef>
#include <cstdint>
#include <stdexcept>

#include "tokumei/noise/secure_records.hpp"
#include "tokumei/noise/secure_words.hpp"
#include "tokumei/runtime/run.hpp"
#include "tokumei/runtime/views.hpp"

namespace tokumei::noise {

class DiscreteLaplace {
 public:
  // The rate is whole + fraction / 2^64.
  DiscreteLaplace(std::uint64_t whole, std::uint64_t fraction)
      : whole_(whole), step_(fraction), coin_(fraction) {
    if (whole > most_rate || (whole == 0 && fraction < least_rate))
      throw std::invalid_argument("the rate of the noise is out of range");
    if (whole > 0) return;
    while (coin_ <= costs_least / 2) {
      coin_ *= 2;
      ++bits_;
    }
  }

  template <class Words>
  std::int64_t draw(Words& words) const {
    for (;;) {
      const std::uint32_t word = words.word();
      const std::uint64_t low = word & ((std::uint32_t{1} << bits_) - 1);
      if (bits_ > 0 && !exponential_coin(words, 0, low * step_)) continue;
      std::uint64_t high = 0;
      while (exponential_coin(words, whole_, coin_)) ++high;
      if (high >= std::uint64_t{1} << (52 - bits_))
        throw std::runtime_error("a draw of noise is out of range");
      const auto size = static_cast<std::int64_t>((high << bits_) + low);
      if (word >> 31 == 0) return size;
      if (size > 0) return -size;
    }
  }

 private:
  static constexpr std::uint64_t most_rate = std::uint64_t{1} << 20;
  static constexpr std::uint64_t least_rate = std::uint64_t{1} << 33;
  static constexpr std::uint64_t costs_least = 0xB504F333F9DE6484;  // 2^64 / sqrt(2)

  std::uint64_t whole_;
  std::uint64_t step_;
  std::uint64_t coin_;  // fraction 2^b
  unsigned bits_ = 0;   // b: 30 at most, so that the sign has the highest bit for itself
};

// A draw for each place of `out`.
inline void discrete_laplace(const ChaChaKey& key, std::uint64_t whole, std::uint64_t fraction,
                             OutColumn<std::int64_t> out, Run run) {
  const DiscreteLaplace noise(whole, fraction);
  each_record_securely(key, out.size(), run, [&](std::size_t record, SecureWords& words) {
    out[record] = noise.draw(words);
  });
}

}  // namespace tokumei::noise
