// Grid path: from record to nearest record, through equal blocks (NOTES section 2).
//
// The first record is the one farthest from the mean. The next is the nearest unvisited record of
// the current block; where there is none, the nearest one of all blocks in the first ring around it
// that has any. Ties go to the lowest row, everywhere. With one block on every axis it is the plain
// path from nearest point to nearest point.
//
// Rings are never gone through cell by cell. The nearest record of all has a ring; if there is one
// in the rings within that, which is a box of numbers (cell_window.hpp), the nearest of these is
// next to be asked, until there is none: two or three searches. O(n (d + log n)) to build; a step
// looks at tens to hundreds of records where d is small, at all that remain in the ring where d is
// large. Memory: parted_records.hpp. Throws Interrupted.
#pragma once

#include <cstddef>
#include <cstdint>

#include "tokumei/order/cell_grid.hpp"
#include "tokumei/order/cell_window.hpp"
#include "tokumei/order/parted_walk.hpp"
#include "tokumei/runtime/run.hpp"
#include "tokumei/runtime/views.hpp"
#include "tokumei/spatial/found.hpp"
#include "tokumei/spatial/parted_records.hpp"

namespace tokumei::order {

// The nearest record of the first ring that has any.
inline Found nearest_in_rings(PartedRecords& records, CellWindow& window, const double* point) {
  window.centre(point);
  Found best = nothing, inner = nothing;
  records.nearest(point, inner);
  while (inner.row != no_row) {
    best = inner;
    inner = nothing;
    const std::int32_t ring = window.ring_of(records.record(best.place));
    if (ring <= 1) break;
    window.open(ring - 1);
    records.nearest_in_box(point, window.lower(), window.upper(), inner);
  }
  return best;
}

// counts: the number of blocks on each axis.
inline void grid_order(Table<double> x, Column<std::int64_t> counts, OutColumn<std::int64_t> order,
                       Run run) {
  const CellGrid grid(x, counts);
  PartedRecords records(x, grid.blocks(x, run.monitor), run);
  CellWindow window(grid, x.columns());
  parted_walk(x, records, order, run, [&](std::size_t, const double* point) {
    return nearest_in_rings(records, window, point);
  });
}

}  // namespace tokumei::order
