// Blocks of records with the boxes they fill and the neighbours they have, and the search through
// them.
//
// Block b has on axis j at most one neighbour below it and one above it; if c is above b, b is
// below c. So B blocks have at most d B links.
#pragma once

#include <cstddef>
#include <limits>
#include <utility>
#include <vector>

#include "tokumei/numeric/row_blocks.hpp"

namespace tokumei::order {

struct BlockGraph {
  static constexpr std::size_t none = std::numeric_limits<std::size_t>::max();

  RowBlocks blocks;
  // Of block b on axis j, at [b * attributes + j].
  std::size_t attributes = 0;
  std::vector<double> lower, upper;
  std::vector<std::size_t> below, above;
};

// Breadth-first search, level by level.
class BlockLevels {
 public:
  explicit BlockLevels(const BlockGraph& graph) : graph_(graph), seen_(graph.blocks.size(), 0) {}

  void start(std::size_t block) {
    ++search_;
    isa_.assign(1, block);
    seen_[block] = search_;
  }

  // Goes one link further. False where that leads to no new block.
  bool further() {
    further_.clear();
    const std::size_t d = graph_.attributes;
    for (const std::size_t block : isa_)
      for (std::size_t at = block * d; at < (block + 1) * d; ++at)
        for (const std::size_t neighbour : {graph_.below[at], graph_.above[at]}) {
          if (neighbour == BlockGraph::none || seen_[neighbour] == search_) continue;
          seen_[neighbour] = search_;
          further_.push_back(neighbour);
        }
    std::swap(isa_, further_);
    return !isa_.empty();
  }

  const std::vector<std::size_t>& level() const { return isa_; }

 private:
  const BlockGraph& graph_;
  std::vector<std::size_t> seen_;  // the last search that came by
  std::size_t search_ = 0;
  std::vector<std::size_t> isa_, further_;
};

}  // namespace tokumei::order
