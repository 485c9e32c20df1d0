// A path through records in parts: to the nearest unvisited record of the current part, and where
// there is none, to the one that `elsewhere` says (NOTES section 2).
//
// The first record is the one farthest from the mean. Equal records share a place and follow one
// another by rows. Ties go to the lowest row. O(n) steps of a search each. Throws Interrupted.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "tokumei/order/path_start.hpp"
#include "tokumei/runtime/run.hpp"
#include "tokumei/runtime/views.hpp"
#include "tokumei/spatial/found.hpp"
#include "tokumei/spatial/parted_records.hpp"

namespace tokumei::order {

// elsewhere(part, point): the next record where a part has none; `tick` has been called before it.
template <class Elsewhere>
void parted_walk(Table<double> x, PartedRecords& records, OutColumn<std::int64_t> order, Run& run,
                 const Elsewhere& elsewhere) {
  constexpr std::size_t together = 64;  // visits between two looks at the clock, which cost a step
  std::vector<double> point(x.columns());
  std::size_t place = records.place_of(farthest_from_mean(x, run));
  std::size_t part = records.part_of(place);
  std::size_t step = 0;
  for (std::size_t visits = 0;; ++visits) {
    for (std::size_t row = records.row(place); row != no_row; row = records.next(row))
      order[step++] = static_cast<std::int64_t>(row);
    std::copy_n(records.record(place), x.columns(), point.begin());
    records.visit(place, part);
    if (step == x.rows()) return;
    if (visits % together == 0 || records.empty(part))
      run.monitor.tick(static_cast<double>(step) / static_cast<double>(x.rows()));
    Found next = nothing;
    records.nearest_of_part(part, point.data(), next);
    if (next.row == no_row) {
      next = elsewhere(part, point.data());
      part = records.part_of(next.place);
    }
    place = next.place;
  }
}

}  // namespace tokumei::order
