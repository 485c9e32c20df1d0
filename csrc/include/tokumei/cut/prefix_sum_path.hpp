// The shortest path of shortest_path.hpp for one cost, the sum of squares, and for longer segments.
//
//   prefix_sum_path(x, order, k, previous, team, run);
//
// Starts are taken at most k at a time, so that the shortest paths to all of them are known, and
// offered to all the ends they reach (prefix_sum_segments.hpp). Same ties as shortest_path; the
// costs are rounded differently.
//
// O(k d) per record, a third of what short_segments.hpp takes; memory O(k d). Where k d is large
// the ends are divided among threads. Needs n >= 2k, |x| <= 1e130. Throws Interrupted.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "tokumei/cut/ordered_records.hpp"
#include "tokumei/cut/prefix_sum_segments.hpp"
#include "tokumei/cut/shortest_path.hpp"
#include "tokumei/runtime/run.hpp"
#include "tokumei/runtime/thread_team.hpp"
#include "tokumei/runtime/views.hpp"

namespace tokumei::cut {

inline void prefix_sum_path(RecordTable<double> x, Column<std::int64_t> order, std::size_t k,
                            OutColumn<std::int64_t> previous, ThreadTeam& team, Run& run) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  constexpr std::size_t tile_work = std::size_t{1} << 26;  // keeps Ctrl-C prompt
  constexpr std::size_t worth_threads = std::size_t{1} << 20;
  constexpr std::size_t pause_work = std::size_t{1} << 20;
  constexpr std::size_t blocks_together = 16;
  const std::size_t n = x.rows(), row_work = k * x.columns();
  const std::size_t starts = std::min(k, std::clamp<std::size_t>(tile_work / row_work, 8, 128));
  PrefixSumSegments segments(k, starts, x.columns());
  OrderedRecords records(x, order, segments.records(), team);
  const std::size_t parts = starts * row_work < worth_threads
                                ? 1
                                : (segments.blocks() + blocks_together - 1) / blocks_together;
  const std::size_t part = (segments.blocks() + parts - 1) / parts;

  // Entry t: node first + t.
  std::vector<double> path(k + segments.ends() + starts, infinity);
  std::vector<std::int64_t> from(path.size());
  path[0] = 0.0;
  std::size_t next_pause = 0;
  for (std::size_t first = 0; first + k <= n; first += starts) {
    if (first >= next_pause) {
      run.monitor.tick(static_cast<double>(first) / static_cast<double>(n));
      rebase(path, path.size());
      next_pause = first + std::min<std::size_t>(1024, pause_work / row_work);
    }
    segments.sum_up(records.from(static_cast<std::ptrdiff_t>(first)), run.isa);
    team.each_block(parts, [&](std::size_t p) {
      segments.offer(path.data(), first, path.data() + k, from.data() + k, p * part,
                     std::min((p + 1) * part, segments.blocks()), run.isa);
    });
    std::copy_n(from.data() + k, std::min(starts, n + 1 - first - k),
                previous.data() + first + k - 1);
    std::copy(path.data() + starts, path.data() + path.size(), path.data());
    std::copy(from.data() + starts, from.data() + from.size(), from.data());
    std::fill_n(path.data() + path.size() - starts, starts, infinity);
  }
}

}  // namespace tokumei::cut
