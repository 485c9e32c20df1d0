// Where a path begins: the record farthest from the mean of all records.
//
// Of equally far records the lowest row is taken, and that is decided exactly (exact_mean.hpp):
// first all squared distances to the rounded mean, then those that roundings could have misled
// about. O(n d). Throws Interrupted.
#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "tokumei/numeric/bulk_sum.hpp"
#include "tokumei/numeric/exact_sum.hpp"
#include "tokumei/numeric/squared_distances.hpp"
#include "tokumei/runtime/monitored_blocks.hpp"
#include "tokumei/runtime/progress_monitor.hpp"
#include "tokumei/runtime/run.hpp"
#include "tokumei/runtime/thread_team.hpp"
#include "tokumei/runtime/views.hpp"
#include "tokumei/spatial/bounding_box_tree.hpp"
#include "tokumei/spatial/exact_mean.hpp"

namespace tokumei::order {

inline std::vector<double> mean_record(Table<double> x, ThreadTeam& team, InstructionSet isa,
                                       ProgressMonitor& monitor) {
  std::vector<double> mean(x.columns());
  each_watched_block(team, monitor, x.columns(), 1, [&](std::size_t j) {
    ExactSum sum;
    add_column(sum, x.column(j), isa);
    mean[j] = sum.value() / static_cast<double>(x.rows());
  });
  return mean;
}

// The record of that row, gathered.
inline std::vector<double> record_of(Table<double> x, std::size_t row) {
  std::vector<double> record(x.columns());
  for (std::size_t j = 0; j < x.columns(); ++j) record[j] = x(row, j);
  return record;
}

inline std::size_t farthest_from_mean(Table<double> x, Run& run) {
  constexpr std::size_t scan_block = 4096;
  constexpr std::size_t buffer_rows = 256;
  const ExactMean mean(x, run);
  std::vector<const double*> columns;
  for (std::size_t j = 0; j < x.columns(); ++j) columns.push_back(x.column(j).data());
  // Calls each(row, distance) for the rows of a block.
  const auto scan = [&](std::size_t block, auto&& each) {
    double distances[buffer_rows];
    const std::size_t end = std::min(x.rows(), (block + 1) * scan_block);
    for (std::size_t begin = block * scan_block; begin < end; begin += buffer_rows) {
      const std::size_t count = std::min(buffer_rows, end - begin);
      squared_distances_by_attributes(run.isa, columns.data(), begin, count, x.columns(),
                                      mean.rounded(), distances);
      for (std::size_t i = 0; i < count; ++i) each(begin + i, distances[i]);
    }
  };
  std::vector<double> most((x.rows() + scan_block - 1) / scan_block, 0.0);
  ThreadTeam team(run.n_threads);
  each_watched_block(team, run.monitor, most.size(), 64, [&](std::size_t block) {
    scan(block,
         [&](std::size_t, double distance) { most[block] = std::max(most[block], distance); });
  });
  const double largest = *std::max_element(most.begin(), most.end());
  const double least = largest - mean.slack(largest);
  std::size_t best = no_row;
  std::vector<double> farthest;
  for (std::size_t block = 0; block < most.size(); ++block) {
    run.monitor.tick(0.0);
    if (most[block] < least) continue;
    scan(block, [&](std::size_t row, double distance) {
      if (distance < least) return;
      auto record = record_of(x, row);
      if (best != no_row && mean.compare(record.data(), farthest.data()) <= 0) return;
      best = row;
      farthest = std::move(record);
    });
  }
  return best;
}

}  // namespace tokumei::order
