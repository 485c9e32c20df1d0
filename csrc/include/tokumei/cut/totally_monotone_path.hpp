// The shortest path of shortest_path.hpp over sorted values of one attribute, for longer segments.
//
//   totally_monotone_path(n, k, values, previous, run);
//
// With sorted values sums of squares satisfy the quadrangle inequality, and so do they with
// infinite costs for lengths outside k..2k-1: the best start never moves back as the end moves on.
// Starts are taken k at a time, relative to their anchor as in prefix_sum_path.hpp; then the best
// start of every eighth end is found by halving, and the starts between two of these are offered to
// the eight ends between them. Where rounding upsets the order of two starts, their paths differ by
// no more than that rounding.
//
// O(n log k) time with a small constant, memory O(k). values[n..n+7] must be readable and not below
// values[n-1]. Needs n >= 2k. Same ties as shortest_path. Throws Interrupted.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "tokumei/cut/shortest_path.hpp"
#include "tokumei/runtime/run.hpp"
#include "tokumei/runtime/views.hpp"
#include "tokumei/simd/lanes.hpp"
#include "tokumei/simd/reductions.hpp"

namespace tokumei::cut {

// k starts from node 0 and `ends` ends from node k; all arrays but best_start have room for eight
// entries more. Sums are of y = value - anchor, from the anchor to the start or to the end.
struct SortedTile {
  std::size_t k;
  std::size_t ends;
  double* left;         // by start: sum of y
  double* before;       // by start: shortest path to it and the sum of y^2
  double* right;        // by end: sum of y
  double* squares;      // by end: sum of y^2
  const double* share;  // 1/length by k - 1 - end + start + lane_count; see RelaxFromPrefixSums
  const double* share_by_end;  // the same by end - start + lane_count
  std::size_t* best_start;     // by every eighth end
};

template <std::size_t bytes>
struct SortedStep {
  using V = Lanes<double, bytes, lane_count>;
  using Starts = Lanes<std::int64_t, bytes, lane_count>;
  TOKUMEI_HOT static void run(SortedTile tile, const double* values, std::size_t first_start,
                              double* path, std::int64_t* from) {
    sums(tile, values, path);
    const std::size_t blocks = padded(tile.ends) / lane_count;
    halve(tile, blocks);
    for (std::size_t block = 0; block < blocks; ++block) {
      const std::size_t last = block + 1 < blocks ? tile.best_start[block + 1]
                                                  : std::min(tile.k, (block + 1) * lane_count) - 1;
      offer(tile, block * lane_count, tile.best_start[block], last, first_start, path + tile.k,
            from + tile.k);
    }
  }

  TOKUMEI_HOT static void sums(SortedTile tile, const double* values, const double* path) {
    const std::size_t anchor = tile.k - 1;
    const double origin = values[anchor];
    double sum = 0.0, squares = 0.0;
    for (std::size_t start = tile.k; start-- > 0;) {
      const double y = values[start] - origin;
      sum += y;
      squares += y * y;
      tile.left[start] = sum;
      tile.before[start] = path[start] + squares;
    }
    sum = squares = 0.0;
    for (std::size_t end = 0; end < padded(tile.ends); ++end) {
      tile.right[end] = sum;
      tile.squares[end] = squares;
      const double y = values[tile.k + end] - origin;
      sum += y;
      squares += y * y;
    }
  }

  // The best start of every eighth end: of the middle one first, then of the middles of what is
  // left.
  TOKUMEI_HOT static void halve(SortedTile tile, std::size_t blocks) {
    tile.best_start[0] = 0;
    for (std::size_t step = std::bit_ceil(blocks) / 2; step > 0; step /= 2) {
      for (std::size_t block = step; block < blocks; block += 2 * step) {
        const std::size_t after = block + step;
        tile.best_start[block] = best(tile, block * lane_count, tile.best_start[block - step],
                                      after < blocks ? tile.best_start[after] : tile.k - 1);
      }
    }
  }

  // The best start of one end among least..most; the last of equals.
  TOKUMEI_HOT static std::size_t best(SortedTile tile, std::size_t end, std::size_t least,
                                      std::size_t most) {
    least = std::max(least, end + 1 > tile.k ? end + 1 - tile.k : 0);
    most = std::min(most, end);
    auto shortest = broadcast<V>(std::numeric_limits<double>::infinity());
    auto start = broadcast<Starts>(least);
    auto here = ascending<Starts>(static_cast<std::int64_t>(least));
    const double right = tile.right[end];
    const double* share = tile.share + lane_count + tile.k - 1 - end;
    for (std::size_t first = least; first <= most; first += lane_count) {
      const V sum = load<V>(tile.left + first) + right;
      const V length = load<V>(tile.before + first) - sum * sum * load<V>(share + first);
      const auto shorter = length <= shortest;
      shortest = select(shorter, length, shortest);
      start = select(shorter, here, start);
      here = here + std::int64_t{lane_count};
    }
    const auto chosen = shortest == lowest(shortest);
    const auto at = highest(select(chosen, start, Starts{}));
    return std::min(static_cast<std::size_t>(at), most);
  }

  // Offers the starts first..last to eight ends.
  TOKUMEI_HOT static void offer(SortedTile tile, std::size_t end, std::size_t first,
                                std::size_t last, std::size_t first_start, double* path,
                                std::int64_t* from) {
    auto shortest = broadcast<V>(std::numeric_limits<double>::infinity());
    Starts start{}, here = broadcast<Starts>(first_start + first);
    const V right = load<V>(tile.right + end);
    for (std::size_t r = first; r <= last; ++r) {
      const V sum = right + tile.left[r];
      const V share = load<V>(tile.share_by_end + lane_count + end - r);
      const V length = tile.before[r] - sum * sum * share;
      const auto shorter = length <= shortest;
      shortest = select(shorter, length, shortest);
      start = select(shorter, here, start);
      here = here + 1;
    }
    const V length = shortest + load<V>(tile.squares + end);
    const auto shorter = length <= load<V>(path + end);
    store(path + end, select(shorter, length, load<V>(path + end)));
    store(from + end, select(shorter, start, load<Starts>(from + end)));
  }
};

inline void totally_monotone_path(std::size_t n, std::size_t k, const double* values,
                                  OutColumn<std::int64_t> previous, Run& run) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const std::size_t most_ends = 2 * k - 1;
  std::vector<double> left(k + lane_count), before(k + lane_count, infinity);
  std::vector<double> right(most_ends + lane_count), squares(most_ends + lane_count);
  std::vector<double> share_by_end(most_ends + 3 * lane_count, -infinity);
  for (std::size_t length = k; length < 2 * k; ++length)
    share_by_end[length - k + lane_count] = 1.0 / static_cast<double>(length);
  std::vector<double> share(3 * k + 3 * lane_count, -infinity);
  for (std::size_t length = k; length < 2 * k; ++length)
    share[2 * k - 1 - length + lane_count] = 1.0 / static_cast<double>(length);
  std::vector<std::size_t> best_start(most_ends / lane_count + 2);

  // Entry t: node first + t.
  std::vector<double> path(3 * k + 2 * lane_count, infinity);
  std::vector<std::int64_t> from(path.size());
  path[0] = 0.0;
  std::size_t next_pause = 0;
  for (std::size_t first = 0; first + k <= n; first += k) {
    if (first >= next_pause) {
      run.monitor.tick(static_cast<double>(first) / static_cast<double>(n));
      rebase(path, path.size());
      next_pause = first + 1024;
    }
    const std::size_t ends = std::min(most_ends, n + 1 - first - k);
    const SortedTile tile{k,
                          ends,
                          left.data(),
                          before.data(),
                          right.data(),
                          squares.data(),
                          share.data(),
                          share_by_end.data(),
                          best_start.data()};
    dispatch_lanes<SortedStep>(run.isa, tile, values + first, first, path.data(), from.data());
    const std::size_t settled = std::min(k, ends);
    std::copy_n(from.data() + k, settled, previous.data() + first + k - 1);
    std::copy(path.begin() + static_cast<std::ptrdiff_t>(k), path.end(), path.begin());
    std::copy(from.begin() + static_cast<std::ptrdiff_t>(k), from.end(), from.begin());
    std::fill(path.end() - static_cast<std::ptrdiff_t>(k), path.end(), infinity);
  }
}

}  // namespace tokumei::cut
