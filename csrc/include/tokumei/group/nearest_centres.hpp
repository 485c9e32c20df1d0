// The nearest of some centres to each record, of equals the one in the lowest row: where a record
// that was in no group belongs.
//
// Squared distances are summed by attributes (squared_distances.hpp), so the answer is that of a
// look at every centre. Records are asked for in an order in which neighbours follow one another,
// each beginning with the answer of the one before. O(n log n + m log m) and a search a record;
// memory: two copies of the centres, a place a record and O(d) a thread. Throws Interrupted.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

#include "tokumei/numeric/squared_distances.hpp"
#include "tokumei/runtime/monitored_blocks.hpp"
#include "tokumei/runtime/run.hpp"
#include "tokumei/runtime/thread_team.hpp"
#include "tokumei/runtime/views.hpp"
#include "tokumei/spatial/distance_objective.hpp"
#include "tokumei/spatial/kd_order.hpp"
#include "tokumei/spatial/record_search.hpp"
#include "tokumei/spatial/stored_records.hpp"

namespace tokumei::group {

// Centres that several threads ask at once.
class Centres : public spatial::StoredRecords {
 public:
  using spatial::StoredRecords::StoredRecords;
  const spatial::RecordBlocks& blocks() const { return records_; }
};

inline void nearest_centres(Table<double> centres, Table<double> x, OutColumn<std::int64_t> nearest,
                            Run run) {
  using NearestSearch = spatial::Search<spatial::DistanceObjective<spatial::Side::nearest>>;
  constexpr std::size_t rows_a_block = 1024;
  const std::size_t n = x.rows(), d = x.columns();
  const Centres store(centres, n, run);
  ThreadTeam team(run.n_threads);
  std::vector<std::size_t> order(n);
  std::iota(order.begin(), order.end(), std::size_t{0});
  spatial::kd_order(x, order, team, run.monitor);
  const std::size_t blocks = (n + rows_a_block - 1) / rows_a_block;
  each_watched_block(team, run.monitor, blocks, 4, [&](std::size_t block) {
    NearestSearch search(store.blocks());
    std::vector<double> point(d), before(d);
    std::size_t last = spatial::no_row;
    const std::size_t end = std::min(n, (block + 1) * rows_a_block);
    for (std::size_t at = block * rows_a_block; at < end; ++at) {
      const std::size_t row = order[at];
      for (std::size_t j = 0; j < d; ++j) point[j] = x(row, j);
      double limit = spatial::infinite;
      if (last != spatial::no_row) {
        for (std::size_t j = 0; j < d; ++j) before[j] = centres(last, j);
        limit = squared_distance_by_attributes(before.data(), point.data(), d);
      }
      // Only what is nearer than the centre before, or as near and lower, is looked for.
      const auto& found = search.run({point.data(), nullptr}, 1, run.isa, limit, last);
      if (!found.empty()) last = found.front().row;
      nearest[row] = static_cast<std::int64_t>(last);
    }
  });
}

}  // namespace tokumei::group
