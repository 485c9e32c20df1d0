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

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "tokumei/order/block_graph.hpp"
#include "tokumei/order/flexdice.hpp"
#include "tokumei/order/path_start.hpp"
#include "tokumei/runtime/run.hpp"
#include "tokumei/runtime/views.hpp"
#include "tokumei/spatial/found.hpp"
#include "tokumei/spatial/parted_records.hpp"

namespace tokumei::order {

inline void block_path(Table<double> x, const BlockGraph& graph, OutColumn<std::int64_t> order,
                       Run run) {
  PartedRecords records(x, graph.blocks, run);
  BlockLevels levels(graph);
  constexpr std::size_t together = 64;  // visits between two looks at the clock, which cost a step
  std::vector<double> point(x.columns());
  std::size_t place = records.place_of(farthest_from_mean(x, run));
  std::size_t block = records.part_of(place);
  std::size_t step = 0;
  for (std::size_t visits = 0;; ++visits) {
    for (std::size_t row = records.row(place); row != no_row; row = records.next(row))
      order[step++] = static_cast<std::int64_t>(row);
    std::copy_n(records.record(place), x.columns(), point.begin());
    records.visit(place, block);
    if (step == x.rows()) return;
    const double done = static_cast<double>(step) / static_cast<double>(x.rows());
    if (visits % together == 0) run.monitor.tick(done);
    Found next = nothing;
    records.nearest_of_part(block, point.data(), next);
    if (next.row == no_row) {
      levels.start(block);
      while (next.row == no_row && levels.further()) {
        for (const std::size_t other : levels.level())
          records.nearest_of_part(other, point.data(), next);
        run.monitor.tick(done);
      }
      if (next.row == no_row) records.nearest(point.data(), next);
      block = records.part_of(next.place);
    }
    place = next.place;
  }
}

inline void flexdice_order(Table<double> x, const FlexDiceRule& rule, OutColumn<std::int64_t> order,
                           Run run) {
  block_path(x, flexdice(x, rule, run), order, run);
}

}  // namespace tokumei::order
