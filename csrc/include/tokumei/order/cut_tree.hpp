// The block of each record by a tree of cuts, each across one axis.
//
// Node 0 is the root. At node i a record goes to below[i] where its value on axis[i] is at most
// cut[i], else to above[i]; a node of axis -1 is a leaf, and below[i] is its block. What happens to
// a record depends on its values alone. O(depth) a record, one thread. Throws
// std::invalid_argument for a tree that leads elsewhere: children come after their parent.
#pragma once

#include <cstddef>
#include <cstdint>
#include <stdexcept>

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

inline void find_blocks(Table<double> x, const CutTree& tree, OutColumn<std::int64_t> blocks,
                        Run run) {
  check_tree(tree, x.columns());
  for (std::size_t row = 0; row < x.rows(); ++row) {
    if (row % 65536 == 0)
      run.monitor.tick(static_cast<double>(row) / static_cast<double>(x.rows()));
    std::size_t node = 0;
    while (tree.axis[node] >= 0) {
      const double value = x.column(static_cast<std::size_t>(tree.axis[node]))[row];
      const bool below = value <= tree.cut[node];
      node = static_cast<std::size_t>(below ? tree.below[node] : tree.above[node]);
    }
    blocks[row] = tree.below[node];
  }
}

}  // namespace tokumei::order
