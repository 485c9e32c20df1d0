// Which leaves of sixteen records hold a category: a word of sixteen bits for each block, slot and
// column, bit i for its leaf i. The words of a slot stand side by side, block after block, so that
// a question about one category reads a few bytes of sixteen blocks and of all their leaves.
//
// A slot beyond the 512th shares its words with one before: a leaf whose bit is not set does not
// hold it, one whose bit is set may. A missing cell has words of its own. Memory: four bytes a
// record and column, less where there are fewer slots.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "tokumei/simd/lanes.hpp"
#include "tokumei/simd/reductions.hpp"
#include "tokumei/spatial/bounding_box_tree.hpp"
#include "tokumei/spatial/category_counts.hpp"

namespace tokumei::spatial {

using LeafBits = std::uint16_t;

class CategoryLeaves {
 public:
  explicit CategoryLeaves(const std::vector<std::size_t>& slots) {
    for (const std::size_t count : slots) {
      starts_.push_back(words_);
      words_ += std::min(count, most_words);
    }
  }

  // Room for so many blocks, none of which holds anything.
  void resize(std::size_t blocks) {
    blocks_ = blocks;
    // Sixteen blocks are read at once, the last ones too.
    bits_.assign(words_ * blocks + sixteen, LeafBits{0});
    none_.assign(blocks + sixteen, LeafBits{0});
  }

  // Whether the words of a column's slots are their own.
  bool tells_all(std::size_t slots) const { return slots <= most_words; }

  // The words of a slot, block after block.
  const LeafBits* holding(std::size_t j, CategorySlot slot) const {
    return bits_.data() + (starts_[j] + word_of(slot)) * blocks_;
  }

  // Those of a slot that no leaf holds.
  const LeafBits* nowhere() const { return none_.data(); }

  void hold(std::size_t leaf, std::size_t j, CategorySlot slot) {
    at(leaf, j, slot) |= bit_of(leaf);
  }
  void forget(std::size_t leaf, std::size_t j, CategorySlot slot) {
    at(leaf, j, slot) &= static_cast<LeafBits>(~bit_of(leaf));
  }

 private:
  static constexpr std::size_t most_words = 512;

  static std::size_t word_of(CategorySlot slot) {
    return slot == 0 ? 0 : 1 + static_cast<std::size_t>(slot - 1) % (most_words - 1);
  }
  static LeafBits bit_of(std::size_t leaf) {
    return static_cast<LeafBits>(LeafBits{1} << leaf % sixteen);
  }
  LeafBits& at(std::size_t leaf, std::size_t j, CategorySlot slot) {
    return bits_[(starts_[j] + word_of(slot)) * blocks_ + leaf / sixteen];
  }

  std::vector<std::size_t> starts_;
  std::size_t words_ = 0, blocks_ = 0;
  std::vector<LeafBits> bits_, none_;
};

// The leaves of a block whose bits are not set.
template <class V>
TOKUMEI_HOT auto leaves_without(LeafBits bits) {
  using Words = typename V::template Of<Truth<typename V::Value>>;
  using Word = typename Words::Value;
  return (load<Words>(powers_of_two<Word, sixteen>.of) & static_cast<Word>(bits)) == Word{0};
}

// Of sixteen blocks those without such a leaf.
template <class V>
TOKUMEI_HOT auto blocks_without(const LeafBits* words) {
  using Bits = typename V::template Of<LeafBits>;
  using Word = Truth<typename V::Value>;
  return converted<Word>(load<Bits>(words)) == Word{0};
}

}  // namespace tokumei::spatial
