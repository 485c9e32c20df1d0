// FlexDice path: from record to nearest record, through a graph of blocks (NOTES section 2).
//
// The first record is the one farthest from the mean. The next is the nearest unvisited record of
// the current block. Where there is none, the graph is searched breadth first from the current
// block, through visited blocks too: of the first level in which any block has unvisited records,
// the nearest of all its records is next. Where the graph leads to none, the nearest of all
// unvisited records is next, so gaps in the data never end the path. Ties go to the lowest row,
// everywhere.
//
// A block is left once, so B blocks mean B - 1 searches of the graph. Memory: flexdice.hpp and
// kd_tree.hpp. Throws Interrupted.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "tokumei/order/block_graph.hpp"
#include "tokumei/order/flexdice.hpp"
#include "tokumei/order/path_start.hpp"
#include "tokumei/runtime/run.hpp"
#include "tokumei/runtime/views.hpp"
#include "tokumei/spatial/kd_tree.hpp"
#include "tokumei/spatial/kd_tree_search.hpp"

namespace tokumei::order {

inline void block_path(Table<double> x, const BlockGraph& graph, OutColumn<std::int64_t> order,
                       Run run) {
  KdTree tree(x, graph.blocks, run.monitor);
  KdTreeSearch search(tree, run.isa);
  BlockLevels levels(graph);
  constexpr std::size_t together = 64;  // steps between two looks at the clock, which cost a step
  std::vector<double> point(tree.sides(), 0.0);
  FoundRecord at = at_row(tree, farthest_from_mean(x, run));
  for (std::size_t step = 0;; ++step) {
    order[step] = static_cast<std::int64_t>(at.row);
    const std::size_t block = tree.node(at.place.leaf).block;
    tree.copy_record(at.place, point.data());
    tree.visit(at.place);
    if (step + 1 == x.rows()) return;
    const double done = static_cast<double>(step) / static_cast<double>(x.rows());
    if (step % together == 0) run.monitor.tick(done);
    at = {};
    search.below(tree.root_of(block), NoRings{}, point, at);
    if (at.any()) continue;
    levels.start(block);
    while (!at.any() && levels.further()) {
      for (const std::size_t other : levels.level())
        search.below(tree.root_of(other), NoRings{}, point, at);
      run.monitor.tick(done);
    }
    if (!at.any()) search.below(tree.root(), NoRings{}, point, at);
  }
}

inline void flexdice_order(Table<double> x, const FlexDiceRule& rule, OutColumn<std::int64_t> order,
                           Run run) {
  block_path(x, flexdice(x, rule, run), order, run);
}

}  // namespace tokumei::order
