// Records in the order of one attribute, or of their projections on the first principal axis.
//
// Ascending; of equal values the lowest row first. The projection of a record is the sum over its
// attributes, from the first to the last, of deviation times component. O(n) to sort. Throws
// Interrupted.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "tokumei/numeric/radix_sort.hpp"
#include "tokumei/order/principal_axis.hpp"
#include "tokumei/runtime/instruction_sets.hpp"
#include "tokumei/runtime/run.hpp"
#include "tokumei/runtime/thread_team.hpp"
#include "tokumei/runtime/views.hpp"

namespace tokumei::order {

inline void column_order(Column<double> x, OutColumn<std::int64_t> order, Run run) {
  std::vector<RowKey> items, room(x.size());
  for (std::size_t row = 0; row < x.size(); ++row) items.push_back({ordered_bits(x[row]), row});
  sort_by_key(items, room, run.monitor);
  for (std::size_t i = 0; i < items.size(); ++i) order[i] = static_cast<std::int64_t>(items[i].row);
}

struct AddProjections {
  TOKUMEI_HOT static void run(const double* x, std::size_t rows, double mean, double scale,
                              double component, double* projections) {
    for (std::size_t i = 0; i < rows; ++i) projections[i] += (x[i] - mean) * scale * component;
  }
};

inline void principal_order(Table<double> x, OutColumn<std::int64_t> order, Run run) {
  constexpr std::size_t block = 4096;
  const auto axis = principal_axis(x, run);
  std::vector<double> projections(x.rows(), 0.0);
  ThreadTeam team(run.n_threads);
  team.each_block((x.rows() + block - 1) / block, [&](std::size_t number) {
    const std::size_t begin = number * block;
    for (std::size_t j = 0; j < x.columns(); ++j)
      dispatch<AddProjections>(run.isa, x.column(j).data() + begin,
                               std::min(block, x.rows() - begin), axis.mean[j], axis.scale,
                               axis.direction[j], &projections[begin]);
  });
  column_order({projections.data(), projections.size()}, order, run);
}

}  // namespace tokumei::order
