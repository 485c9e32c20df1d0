// Clusters of numbers on a line: k-means by Lloyd's iterations.
//
// Records ascend, each with its count; so do the means to start from. A record belongs to the lower
// of two means as near. An empty cluster keeps its mean. Ends where no mean moves, after 50
// iterations at most: O(k log n) each and one look at every record. Sums run in the order of the
// records. Throws Interrupted.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "tokumei/runtime/run.hpp"
#include "tokumei/runtime/views.hpp"

namespace tokumei::reconstruct {

inline constexpr int most_lloyd_iterations = 50;

// means: where to start, then what was found. weights and squares: the records of each cluster, and
// the sum of their squared distances from its mean.
inline void line_clusters(Column<double> y, Column<double> counts, OutColumn<double> means,
                          OutColumn<double> weights, OutColumn<double> squares, Run run) {
  const std::size_t clusters = means.size();
  std::vector<double> at(means.data(), means.data() + clusters), moved(clusters);
  std::vector<std::size_t> ends(clusters, y.size());
  for (int iteration = 0; iteration < most_lloyd_iterations; ++iteration) {
    run.monitor.tick(0.0);
    for (std::size_t k = 0; k + 1 < clusters; ++k)
      ends[k] = static_cast<std::size_t>(
          std::upper_bound(y.begin(), y.end(), 0.5 * (at[k + 1] + at[k])) - y.begin());
    for (std::size_t k = 0, i = 0; k < clusters; ++k) {
      double held = 0.0, sum = 0.0;
      for (; i < ends[k]; ++i) {
        held += counts[i];
        sum += counts[i] * y[i];
      }
      moved[k] = held > 0.0 ? sum / held : at[k];
    }
    if (moved == at) break;
    std::sort(moved.begin(), moved.end());
    at = moved;
  }
  for (std::size_t k = 0, i = 0; k < clusters; ++k) {
    double held = 0.0, sum = 0.0;
    for (; i < ends[k]; ++i) {
      held += counts[i];
      sum += counts[i] * ((y[i] - at[k]) * (y[i] - at[k]));
    }
    means[k] = at[k];
    weights[k] = held;
    squares[k] = sum;
  }
}

}  // namespace tokumei::reconstruct
