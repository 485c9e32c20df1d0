// The fewest cells to suppress so that every record is published like at least k - 1 others.
//
// A suppressed cell is a value of its own, equal only to other suppressed cells of its column: a
// missing cell that matched everything would leave rows that a reader tells apart. The least is
// hard to find (Meyerson & Williams 2004); it is found for tables of at most 64 records and 12
// columns by branch and bound, when that ends within `steps`, and what was found otherwise comes
// with a bound that nothing can undercut: what each record needs by itself, added up. Columns may
// have weights.
//
// Outputs: the mask of each record, and in `figures` the cost and the bound. Ties go to what was
// found first. O(masks x records) time, O(records) memory. Throws Interrupted.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <utility>
#include <vector>

#include "tokumei/lattice/cell_branching.hpp"
#include "tokumei/lattice/cell_groups.hpp"
#include "tokumei/lattice/cell_masks.hpp"
#include "tokumei/runtime/run.hpp"

namespace tokumei::lattice {

inline void fewest_cells(Table<std::int64_t> codes, Column<double> weights, std::size_t k,
                         std::size_t steps, OutColumn<std::int64_t> mask_of,
                         OutColumn<double> figures, Run run) {
  const CellTable table(codes, weights);
  double left_out = 0.0;
  const auto masks = table.masks(left_out);
  const auto least = least_prices(table, masks, left_out, k, run.monitor);
  const auto weight_of = [&](const std::vector<Mask>& all) {
    double sum = 0.0;
    for (const Mask mask : all) sum += table.weight(mask);
    return sum;
  };
  double cost = std::numeric_limits<double>::infinity();
  std::vector<Mask> best;
  CellGroups groups(table, masks, k, run.monitor);
  for (const double patience : {1.0, 1.3, 2.0, 3.0, static_cast<double>(k)}) {
    auto found = groups(patience);
    if (weight_of(found) < cost) {
      cost = weight_of(found);
      best = std::move(found);
    }
  }
  double bound = std::min(cost, std::accumulate(least.begin(), least.end(), 0.0));
  constexpr std::size_t most_branched = 64, most_columns = 12;
  const bool small = table.records() <= most_branched && table.columns() <= most_columns;
  if (bound < cost && small)
    if (CellBranching(table, masks, least, k, run.monitor)(steps, cost, best)) bound = cost;
  for (std::size_t i = 0; i < best.size(); ++i) mask_of[i] = static_cast<std::int64_t>(best[i]);
  figures[0] = cost;
  figures[1] = bound;
}

}  // namespace tokumei::lattice
