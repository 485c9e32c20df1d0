// Where a path begins: the record farthest from the mean of all records.
//
// The mean is the correctly rounded sum over the number of records (math.fsum(x) / n), distances
// are those of squared_distances.hpp, and of equally far records the lowest row is taken. O(n d).
// Throws Interrupted.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "tokumei/numeric/bulk_sum.hpp"
#include "tokumei/numeric/exact_sum.hpp"
#include "tokumei/numeric/squared_distances.hpp"
#include "tokumei/runtime/monitored_blocks.hpp"
#include "tokumei/runtime/progress_monitor.hpp"
#include "tokumei/runtime/run.hpp"
#include "tokumei/runtime/thread_team.hpp"
#include "tokumei/runtime/views.hpp"

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

inline std::size_t farthest_from_mean(Table<double> x, Run& run) {
  constexpr std::size_t scan_block = 4096;
  constexpr std::size_t buffer_rows = 256;
  struct Far {
    double distance = -1.0;
    std::size_t row = 0;
  };
  ThreadTeam team(run.n_threads);
  const auto mean = mean_record(x, team, run.isa, run.monitor);
  std::vector<const double*> columns;
  for (std::size_t j = 0; j < x.columns(); ++j) columns.push_back(x.column(j).data());
  std::vector<Far> farthest((x.rows() + scan_block - 1) / scan_block);
  each_watched_block(team, run.monitor, farthest.size(), 64, [&](std::size_t block) {
    double distances[buffer_rows];
    Far best;
    const std::size_t end = std::min(x.rows(), (block + 1) * scan_block);
    for (std::size_t begin = block * scan_block; begin < end; begin += buffer_rows) {
      const std::size_t count = std::min(buffer_rows, end - begin);
      squared_distances_by_attributes(run.isa, columns.data(), begin, count, x.columns(),
                                      mean.data(), distances);
      for (std::size_t i = 0; i < count; ++i)
        if (distances[i] > best.distance) best = {distances[i], begin + i};
    }
    farthest[block] = best;
  });
  Far best;
  for (const auto& far : farthest)
    if (far.distance > best.distance) best = far;
  return best.row;
}

}  // namespace tokumei::order
