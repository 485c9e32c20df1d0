// Half the sum of the squared distances from each record to its nearest others.
//
// Column j of `out` has the sum over the j nearest, column 0 is 0: what a record must at least
// share with j others, if a pair's distance is shared evenly. Sums run from the nearest on. O(n^2
// d) time, O(n) memory a thread. Throws Interrupted.
#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>
#include <vector>

#include "tokumei/numeric/squared_distances.hpp"
#include "tokumei/runtime/monitored_blocks.hpp"
#include "tokumei/runtime/run.hpp"
#include "tokumei/runtime/thread_team.hpp"
#include "tokumei/runtime/views.hpp"

namespace tokumei::bounds {

inline void half_nearest_sums(Table<double> x, OutTable<double> out, Run run) {
  constexpr std::size_t rows_a_block = 16;
  const std::size_t n = x.rows(), most = out.columns() - 1;
  std::vector<const double*> columns;
  for (std::size_t j = 0; j < x.columns(); ++j) columns.push_back(x.column(j).data());
  const std::size_t blocks = (n + rows_a_block - 1) / rows_a_block;
  ThreadTeam team(run.n_threads);
  each_watched_block(team, run.monitor, blocks, 4, [&](std::size_t block) {
    std::vector<double> point(x.columns()), distances(n);
    const std::size_t end = std::min(n, (block + 1) * rows_a_block);
    for (std::size_t row = block * rows_a_block; row < end; ++row) {
      for (std::size_t j = 0; j < point.size(); ++j) point[j] = columns[j][row];
      squared_distances_by_attributes(run.isa, columns.data(), 0, n, columns.size(), point.data(),
                                      distances.data());
      distances[row] = std::numeric_limits<double>::infinity();
      const auto last = distances.begin() + static_cast<std::ptrdiff_t>(std::min(most, n - 1));
      std::partial_sort(distances.begin(), last, distances.end());
      double sum = 0.0;
      for (std::size_t j = 0; j <= most; ++j) {
        out.column(j)[row] = sum;
        if (j < n) sum += distances[j] / 2;
      }
    }
  });
}

}  // namespace tokumei::bounds
