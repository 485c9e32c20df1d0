// The cheapest division of n ordered records into segments of k..2k-1: a shortest path over nodes
// 0..n, whose edge i -> j, i + k <= j < i + 2k, is the segment of the records i..j-1. Longer
// segments never pay where cutting one in two cannot raise the cost.
//
//   shortest_path(n, k, costs, previous, run);
//
// previous[j - 1] becomes the node before j on the shortest path to j, for every j that has one. Of
// paths equally long as computed the one whose last segment is shortest is taken, at every node.
//
// `Costs` is any cost of a segment, worked out for a block of ends at a time:
//   costs.fill(first_end, ends, out, stride)
// writes out[(length - k) * stride + e], the cost of the `length` records that end before node
// first_end + e, for length in k..2k-1 and e in 0..ends-1, and may write on to the next multiple of
// eight ends. Where the segment would begin before the first record any finite number will do.
//
// O(k) per node plus the costs; memory O(k) beside `previous`. Path lengths are kept relative to a
// recent one, so their precision does not decay with n. Needs n >= 2k, k >= 1. Throws Interrupted.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "tokumei/runtime/run.hpp"
#include "tokumei/runtime/views.hpp"
#include "tokumei/simd/lanes.hpp"

namespace tokumei::cut {

template <std::size_t bytes>
struct ShortestStep {
  using V = Lanes<double, bytes, lane_count>;
  using Extra = Lanes<std::int64_t, bytes, lane_count>;

  // path[e] and extra[e], for e in 0..ends-1 and up to seven more: the shortest path to node e, and
  // by how much its last segment exceeds k records. path[-2k+1..-1] are the nodes before.
  TOKUMEI_HOT static void run(std::size_t k, std::size_t ends, const double* costs,
                              std::size_t stride, double* path, std::int64_t* extra) {
    // A path to one of the next k nodes comes from nodes that are settled: so many go together. The
    // other lanes compute what the next step overwrites.
    const std::size_t together = std::min(k, lane_count);
    for (std::size_t e = 0; e < ends; e += together) {
      auto best = broadcast<V>(std::numeric_limits<double>::infinity());
      Extra best_extra{}, more{};
      const double* before = path + e - k;
      const double* cost = costs + e;
      for (std::size_t left = k; left > 0; --left, --before, cost += stride, more = more + 1) {
        const V length = load<V>(before) + load<V>(cost);
        const auto shorter = length < best;
        best = select(shorter, length, best);
        best_extra = select(shorter, more, best_extra);
      }
      store(path + e, best);
      store(extra + e, best_extra);
    }
  }
};

// Measures path lengths from the shortest of them; nodes without a path stay at infinity.
inline void rebase(std::vector<double>& path, std::size_t nodes) {
  const auto end = path.begin() + static_cast<std::ptrdiff_t>(nodes);
  const double origin = *std::min_element(path.begin(), end);
  if (origin == std::numeric_limits<double>::infinity()) return;
  for (auto length = path.begin(); length != end; ++length) *length -= origin;
}

// The number of ends that shortest_path asks for at once.
inline std::size_t ends_at_once(std::size_t k) {
  return std::clamp<std::size_t>(padded(16384 / k), 64, 256);
}

template <class Costs>
void shortest_path(std::size_t n, std::size_t k, Costs& costs, OutColumn<std::int64_t> previous,
                   Run& run) {
  const std::size_t at_once = ends_at_once(k);
  const std::size_t stride = at_once + lane_count;
  std::vector<double> cost(k * stride);
  std::vector<double> path(2 * k + at_once + lane_count, std::numeric_limits<double>::infinity());
  std::vector<std::int64_t> extra(at_once + lane_count);
  double* const here = path.data() + 2 * k;
  here[-1] = 0.0;
  for (std::size_t first = 1; first <= n; first += at_once) {
    run.monitor.tick(static_cast<double>(first) / static_cast<double>(n));
    const std::size_t ends = std::min(at_once, n + 1 - first);
    costs.fill(first, ends, cost.data(), stride);
    dispatch_lanes<ShortestStep>(run.isa, k, ends, static_cast<const double*>(cost.data()), stride,
                                 here, extra.data());
    for (std::size_t e = 0; e < ends; ++e)
      previous[first - 1 + e] =
          static_cast<std::int64_t>(first + e) - static_cast<std::int64_t>(k) - extra[e];
    std::copy(here + ends - 2 * k, here + ends, path.data());
    rebase(path, 2 * k);
  }
}

}  // namespace tokumei::cut
