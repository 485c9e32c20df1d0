// What the nodes of a tree of boxes hold of the codes: a set of slots for each column, for sixteen
// nodes side by side as bounding_box_tree.hpp has its boxes.
//
// A set is a word of bits. The lowest bit stands for missing cells and for nothing else, each other
// one for all slots that have the same rest: a slot whose bit is not set is not there. Where there
// are no more slots than bits, one whose bit is set is there. A node without records has none.
// Memory: 8 bytes a node and column.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "tokumei/numeric/aligned_vector.hpp"
#include "tokumei/spatial/bounding_box_tree.hpp"
#include "tokumei/spatial/category_counts.hpp"

namespace tokumei::spatial {

using NodeSet = std::uint64_t;

inline constexpr std::size_t bits_of_set = 8 * sizeof(NodeSet);

inline NodeSet set_of(CategorySlot slot) {
  return slot == 0 ? NodeSet{1}
                   : NodeSet{1} << (1 + static_cast<std::size_t>(slot - 1) % (bits_of_set - 1));
}

class CategorySets {
 public:
  CategorySets() = default;
  CategorySets(std::size_t blocks, std::size_t columns) : columns_(columns) {
    for (std::size_t count = blocks; columns > 0 && (levels_.empty() || count_.back() > sixteen);
         count = (count + sixteen - 1) / sixteen) {
      levels_.emplace_back((count + sixteen - 1) / sixteen * sixteen * columns);
      count_.push_back(count);
      std::fill(levels_.back().begin(), levels_.back().end(), NodeSet{0});
    }
  }

  // Column after column the sets of sixteen nodes.
  const NodeSet* sets(std::size_t height, std::size_t group) const {
    return levels_[height].data() + group * columns_ * sixteen;
  }

  // Fits a block, and what is above it as far as that changes anything.
  void set(std::size_t block, std::size_t j, NodeSet now) {
    for (std::size_t height = 0, node = block;; node /= sixteen) {
      NodeSet& known = at(height, node, j);
      if (known == now) return;
      known = now;
      if (++height == levels_.size()) return;
      now = below(height, node / sixteen, j);
    }
  }

  // The same of a block alone; `settle` then fits everything above.
  void set_block(std::size_t block, std::size_t j, NodeSet now) { at(0, block, j) = now; }
  void settle() {
    for (std::size_t height = 1; height < levels_.size(); ++height)
      for (std::size_t node = 0; node < count_[height]; ++node)
        for (std::size_t j = 0; j < columns_; ++j) at(height, node, j) = below(height, node, j);
  }

 private:
  NodeSet& at(std::size_t height, std::size_t node, std::size_t j) {
    return levels_[height][(node / sixteen * columns_ + j) * sixteen + node % sixteen];
  }

  NodeSet below(std::size_t height, std::size_t node, std::size_t j) {
    const NodeSet* first = &at(height - 1, node * sixteen, j);
    NodeSet all = 0;
    for (std::size_t i = 0; i < sixteen; ++i) all |= first[i];
    return all;
  }

  std::size_t columns_ = 0;
  std::vector<AlignedVector<NodeSet>> levels_;
  std::vector<std::size_t> count_;
};

}  // namespace tokumei::spatial
