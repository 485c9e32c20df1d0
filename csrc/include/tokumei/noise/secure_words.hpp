// Xoshiro256 that protects people: uniform words, numbers and coins from a keyed stream.
//
// A stream is named by its key and its number and never continues elsewhere: the key is drawn from
// the operating system for one call, each block of records has a stream of its own, and nothing is
// kept for the next call. So neither a fork nor a thread can see the words of another, and the
// number of threads changes nothing.
//
// What is drawn is exact: no floating point, no remainder that favours the first numbers, no
// probability rounded to a word. Where the words at hand do not decide, more are drawn.
// Throws std::runtime_error when a stream is used up (2^38 bytes).
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <stdexcept>

#include "tokumei/noise/chacha.hpp"

namespace tokumei::noise {

class SecureWords {
 public:
  // From block `first` of the stream on, a multiple of 64: 0 but in tests of its end.
  SecureWords(const ChaChaKey& key, std::uint64_t stream, InstructionSet isa,
              std::uint32_t first = 0)
      : key_(key), stream_(stream), isa_(isa), counter_(first) {}

  SecureWords(const SecureWords&) = delete;
  SecureWords& operator=(const SecureWords&) = delete;

  ~SecureWords() {
    for (std::uint32_t& word : words_) *const_cast<volatile std::uint32_t*>(&word) = 0;
    for (std::uint32_t& word : key_) *const_cast<volatile std::uint32_t*>(&word) = 0;
  }

  // 32 fair bits.
  std::uint32_t word() {
    if (next_ == words_.size()) refill();
    return words_[next_++];
  }

 private:
  void refill() {
    if (used_up_) throw std::runtime_error("a stream of random words is used up");
    for (std::size_t group = 0; group < groups; ++group) {
      chacha(key_, stream_, counter_, words_.data() + group * chacha_words, isa_);
      counter_ += chacha_group;
    }
    used_up_ = counter_ == 0;
    next_ = 0;
  }

  static constexpr std::size_t groups = 4;  // 4 KiB: the nearest cache keeps them

  ChaChaKey key_;
  std::uint64_t stream_;
  InstructionSet isa_;
  std::uint32_t counter_;
  bool used_up_ = false;
  alignas(64) std::array<std::uint32_t, groups * chacha_words> words_;
  std::size_t next_ = groups * chacha_words;
};

// Words is SecureWords, or a script of words in a test.

// 64 fair bits.
template <class Words>
std::uint64_t wide_word(Words& words) {
  const std::uint64_t high = words.word();
  return high << 32 | words.word();
}

// 0..bound-1, each equally likely; bound >= 1. (Lemire 2019.)
template <class Words>
std::uint32_t below(Words& words, std::uint32_t bound) {
  std::uint64_t product = std::uint64_t{words.word()} * bound;
  if (static_cast<std::uint32_t>(product) < bound) {
    // 2^32 mod bound of the words are too many.
    const std::uint32_t surplus = (0U - bound) % bound;
    while (static_cast<std::uint32_t>(product) < surplus)
      product = std::uint64_t{words.word()} * bound;
  }
  return static_cast<std::uint32_t>(product >> 32);
}

// True with probability share / (parts 2^64), 1 <= parts < 2^31 and share < 2^64.
//
// The coin asks whether u < share / (parts 2^64) for a uniform u, whose binary digits are drawn
// 32 at a time and only as far as the answer needs them.
template <class Words>
bool coin(Words& words, std::uint64_t share, std::uint32_t parts) {
  const std::uint64_t high = share >> 32;
  const std::uint64_t reached = std::uint64_t{parts} * words.word();
  if (reached + parts <= high) return true;
  if (reached > high) return false;
  // parts u is somewhere in reached + 0..parts, in units of 2^-32, and so is share.
  const std::uint64_t rest = ((high - reached) << 32) + static_cast<std::uint32_t>(share);
  const std::uint64_t further = std::uint64_t{parts} * words.word();
  if (further + parts <= rest) return true;
  if (further >= rest) return false;
  // Now a whole number of 2^-64 is left, less than parts of them.
  return below(words, parts) < rest - further;
}

// True with probability exp(-whole - fraction / 2^64).
//
// Von Neumann's way (Forsythe 1972; Canonne, Kamath & Steinke 2020, algorithm 1): of coins with
// probabilities x, x/2, x/3... the first that fails is an odd one with probability exp(-x).
template <class Words>
bool exponential_coin(Words& words, std::uint64_t whole, std::uint64_t fraction) {
  std::uint32_t parts = 1;
  while (coin(words, fraction, parts)) ++parts;
  if (parts % 2 == 0) return false;
  for (; whole > 0; --whole) {
    parts = 1;
    // The coin of probability 1 needs no words.
    do ++parts;
    while (below(words, parts) == 0);
    if (parts % 2 == 0) return false;
  }
  return true;
}

}  // namespace tokumei::noise
