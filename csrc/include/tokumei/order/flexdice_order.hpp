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
// parted_records.hpp. Throws Interrupted.
#pragma once

#include <cstddef>
#include <cstdint>

#include "tokumei/order/block_graph.hpp"
#include "tokumei/order/flexdice.hpp"
#include "tokumei/order/parted_walk.hpp"
#include "tokumei/runtime/run.hpp"
#include "tokumei/runtime/views.hpp"
#include "tokumei/spatial/found.hpp"
#include "tokumei/spatial/parted_records.hpp"

namespace tokumei::order {

// The nearest record of the first level of blocks that has any, or of all.
inline Found nearest_in_levels(PartedRecords& records, BlockLevels& levels, std::size_t block,
                               const double* point, Run& run) {
  Found best = nothing;
  levels.start(block);
  while (best.row == no_row && levels.further()) {
    for (const std::size_t other : levels.level()) records.nearest_of_part(other, point, best);
    run.monitor.tick(0.0);
  }
  if (best.row == no_row) records.nearest(point, best);
  return best;
}

inline void block_path(Table<double> x, const BlockGraph& graph, OutColumn<std::int64_t> order,
                       Run run) {
  PartedRecords records(x, graph.blocks, run);
  BlockLevels levels(graph);
  parted_walk(x, records, order, run, [&](std::size_t block, const double* point) {
    return nearest_in_levels(records, levels, block, point, run);
  });
}

inline void flexdice_order(Table<double> x, const FlexDiceRule& rule, OutColumn<std::int64_t> order,
                           Run run) {
  block_path(x, flexdice(x, rule, run), order, run);
}

}  // namespace tokumei::order
