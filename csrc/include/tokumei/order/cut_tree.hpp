// The block of each record by a tree of cuts, each across one axis.
//
// Node 0 is the root. At node i a record goes to below[i] where its value on axis[i] is at most
// cut[i], else to above[i]; a node of axis -1 is a leaf, and below[i] is its block. What happens to
// a record depends on its values alone. O(depth) a record, one thread. Throws
// std::invalid_argument for a tree that leads elsewhere: children come after their parent.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <vector>

#include "tokumei/runtime/progress_monitor.hpp"
#include "tokumei/runtime/run.hpp"
#include "tokumei/runtime/views.hpp"

namespace tokumei::order {

struct CutTree {
  Column<std::int64_t> axis;
  Column<double> cut;
  Column<std::int64_t> below, above;
};

inline void check_tree(const CutTree& tree, std::size_t axes) {
  const auto nodes = static_cast<std::int64_t>(tree.axis.size());
  const auto child = [&](std::int64_t parent, std::int64_t node) {
    return node > parent && node < nodes;
  };
  bool sound = nodes > 0;
  for (std::int64_t node = 0; sound && node < nodes; ++node) {
    const auto i = static_cast<std::size_t>(node);
    const bool leaf = tree.axis[i] == -1;
    sound = leaf ? tree.below[i] >= 0
                 : tree.axis[i] >= 0 && tree.axis[i] < static_cast<std::int64_t>(axes) &&
                       child(node, tree.below[i]) && child(node, tree.above[i]);
  }
  if (!sound) throw std::invalid_argument("a tree of cuts leads nowhere");
}

// A tree in which a leaf leads to itself: who has arrived stays, and nobody asks each who has.
struct StayingNode {
  std::size_t axis = 0;
  double cut = 0.0;
  std::size_t ways[2] = {0, 0};  // below and above
};

inline std::vector<StayingNode> staying(const CutTree& tree) {
  std::vector<StayingNode> nodes(tree.axis.size());
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const bool leaf = tree.axis[i] < 0;
    const auto way = [&](std::int64_t child) { return leaf ? i : static_cast<std::size_t>(child); };
    nodes[i] = {leaf ? 0 : static_cast<std::size_t>(tree.axis[i]),
                tree.cut[i],
                {way(tree.below[i]), way(tree.above[i])}};
  }
  return nodes;
}

inline void find_blocks(Table<double> x, const CutTree& tree, OutColumn<std::int64_t> blocks,
                        Run run) {
  check_tree(tree, x.columns());
  const auto nodes = staying(tree);
  constexpr std::size_t together = 16;  // records, whose steps do not wait for one another
  for (std::size_t first = 0; first < x.rows(); first += together) {
    if (first % 65536 == 0)
      run.monitor.tick(static_cast<double>(first) / static_cast<double>(x.rows()));
    const std::size_t count = std::min(together, x.rows() - first);
    std::array<std::size_t, together> at{};
    for (std::size_t moved = 1; moved != 0;) {
      moved = 0;
      for (std::size_t i = 0; i < count; ++i) {
        const StayingNode& node = nodes[at[i]];
        const bool below = x(first + i, node.axis) <= node.cut;
        const std::size_t next = node.ways[static_cast<std::size_t>(!below)];
        moved |= next ^ at[i];
        at[i] = next;
      }
    }
    for (std::size_t i = 0; i < count; ++i) blocks[first + i] = tree.below[at[i]];
  }
}

}  // namespace tokumei::order
