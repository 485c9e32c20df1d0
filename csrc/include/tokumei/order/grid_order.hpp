// Grid path: from record to nearest record, through equal blocks (NOTES section 2).
//
// The first record is the one farthest from the mean. The next is the nearest unvisited record of
// the current block; where there is none, the nearest one of all blocks in the first ring around it
// that has any. Ties go to the lowest row, everywhere. With one block on every axis it is the plain
// path from nearest point to nearest point.
//
// That is one search for the least (ring, distance, row) in a tree of the non-empty blocks, so a
// ring is never listed cell by cell and one crowded block does no harm. O(n d log n) to build; a
// step looks at tens to hundreds of records where d is small, at all that remain in the ring where
// d is large. Memory: kd_tree.hpp. Throws Interrupted.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "tokumei/order/cell_grid.hpp"
#include "tokumei/order/path_start.hpp"
#include "tokumei/runtime/run.hpp"
#include "tokumei/runtime/views.hpp"
#include "tokumei/spatial/kd_tree.hpp"
#include "tokumei/spatial/kd_tree_boxes.hpp"
#include "tokumei/spatial/kd_tree_search.hpp"

namespace tokumei::order {

// counts: the number of blocks on each axis.
inline void grid_order(Table<double> x, Column<std::int64_t> counts, OutColumn<std::int64_t> order,
                       Run run) {
  const CellGrid grid(x, counts, padded(x.columns()));
  KdTree tree(x, grid.blocks(x, run.monitor), run.monitor);
  KdTreeSearch search(tree, run.isa);
  std::vector<double> point(tree.sides(), 0.0);
  FoundRecord at = at_row(tree, farthest_from_mean(x, run));
  for (std::size_t step = 0;; ++step) {
    order[step] = static_cast<std::int64_t>(at.row);
    const std::size_t block = tree.node(at.place.leaf).block;
    tree.copy_record(at.place, point.data());
    tree.visit(at.place);
    if (step + 1 == x.rows()) return;
    run.monitor.tick(static_cast<double>(step) / static_cast<double>(x.rows()));
    at = {};
    search.below(tree.root_of(block), NoRings{}, point, at);
    if (!at.any()) search.below(tree.root(), CellRings(grid, point), point, at);
  }
}

}  // namespace tokumei::order
