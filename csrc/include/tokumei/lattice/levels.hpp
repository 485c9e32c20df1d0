// A vector of levels, one an attribute: a node of the lattice of generalisations.
//
// Eight attributes a word, a byte each, the first one in front: words compare as the levels do in
// lexicographic order, and one subtraction tells whether eight levels are at or below eight others.
#pragma once

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>

#include "tokumei/rooms.hpp"

namespace tokumei::lattice {

inline constexpr std::size_t most_attributes = 32;
inline constexpr std::size_t highest_level = 127;

class Levels {
 public:
  std::size_t operator[](std::size_t j) const { return (words_[j / 8] >> shift(j)) & 0xff; }
  void raise(std::size_t j) { words_[j / 8] += std::uint64_t{1} << shift(j); }
  void lower(std::size_t j) { words_[j / 8] -= std::uint64_t{1} << shift(j); }

  Levels raised(std::size_t j, std::size_t steps = 1) const {
    Levels up = *this;
    up.words_[j / 8] += std::uint64_t{steps} << shift(j);
    return up;
  }

  // No level is above the other's: the groups here are parts of the groups there.
  bool at_or_below(const Levels& other) const {
    // A byte's highest bit is free, and is borrowed where its level is the higher one.
    constexpr std::uint64_t guards = 0x8080808080808080ULL;
    std::uint64_t kept = guards;
    for (std::size_t w = 0; w < words_.size(); ++w) kept &= (other.words_[w] | guards) - words_[w];
    return (kept & guards) == guards;
  }

  auto operator<=>(const Levels&) const = default;

 private:
  static unsigned shift(std::size_t j) { return 56 - 8 * static_cast<unsigned>(j % 8); }

  std::array<std::uint64_t, most_attributes / 8> words_{};
};

}  // namespace tokumei::lattice
