// The shortest path of shortest_path.hpp over sorted values, the cost of a segment being the sum of
// absolute deviations from its median.
//
//   median_path(n, k, values, previous, run);
//
// That cost is the sum of the upper half less the sum of the lower half, O(1) from prefix sums in
// twice the precision of a double. It satisfies the quadrangle inequality, as squares do
// (totally_monotone_path.hpp): the best start never moves back as the end moves on. Starts are
// taken k at a time; the best start of the middle end is found first, then those of either side.
//
// O(n log k) time, memory O(k). Needs n >= 2k and sums of 4k values that are finite. Same ties as
// shortest_path. Throws Interrupted.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "tokumei/cut/shortest_path.hpp"
#include "tokumei/numeric/double_double.hpp"
#include "tokumei/runtime/run.hpp"
#include "tokumei/runtime/views.hpp"

namespace tokumei::cut {

// The sums of absolute deviations of the segments of some consecutive sorted values.
class MedianCosts {
 public:
  explicit MedianCosts(std::size_t most) : sums_(most + 1) {}

  void sum_up(const double* values, std::size_t count) {
    DoubleDouble sum;
    for (std::size_t t = 0; t < count; ++t) {
      sum.add(values[t]);
      const double high = sum.high + sum.low;
      sum = {high, sum.low - (high - sum.high)};
      sums_[t + 1] = sum;
    }
  }

  double cost(std::size_t start, std::size_t end) const {
    const std::size_t half = (end - start) / 2;
    DoubleDouble sum{sums_[end].high, sums_[end].low};
    sum.add(-sums_[end - half].high);
    sum.add(-sums_[start + half].high);
    sum.add(sums_[start].high);
    sum.low += (sums_[start].low - sums_[end - half].low) - sums_[start + half].low;
    return std::max(0.0, sum.value());
  }

 private:
  std::vector<DoubleDouble> sums_;
};

class MedianPath {
 public:
  explicit MedianPath(std::size_t k) : k_(k), costs_(3 * k), path_(3 * k, infinity), from_(3 * k) {
    path_[0] = 0.0;
  }

  // Offers the starts first..first+k-1, which are settled, to the ends they reach; then the first k
  // of these are settled. Entry t of every array is node first + t.
  void step(const double* values, std::size_t first, std::size_t ends,
            OutColumn<std::int64_t> previous) {
    costs_.sum_up(values, k_ + ends - 1);
    offer(k_, k_ + ends, 0, k_ - 1, first);
    const std::size_t settled = std::min(k_, ends);
    std::copy_n(from_.data() + k_, settled, previous.data() + first + k_ - 1);
    std::copy(path_.begin() + static_cast<std::ptrdiff_t>(k_), path_.end(), path_.begin());
    std::copy(from_.begin() + static_cast<std::ptrdiff_t>(k_), from_.end(), from_.begin());
    std::fill(path_.end() - static_cast<std::ptrdiff_t>(k_), path_.end(), infinity);
  }

  // Measures path lengths from the shortest.
  void rebase_path() { rebase(path_, path_.size()); }

 private:
  static constexpr double infinity = std::numeric_limits<double>::infinity();

  // The ends least_end..end_of_ends-1, whose best starts are among least..most.
  void offer(std::size_t least_end, std::size_t end_of_ends, std::size_t least, std::size_t most,
             std::size_t first) {
    if (least_end >= end_of_ends) return;
    const std::size_t end = least_end + (end_of_ends - least_end) / 2;
    const std::size_t begin = std::max(least, end + 1 > 2 * k_ ? end + 1 - 2 * k_ : 0);
    const std::size_t last = std::min(most, end - k_);
    std::size_t best = begin;
    double shortest = infinity;
    for (std::size_t start = begin; start <= last; ++start) {
      const double length = path_[start] + costs_.cost(start, end);
      if (length <= shortest) {
        shortest = length;
        best = start;
      }
    }
    if (shortest <= path_[end]) {
      path_[end] = shortest;
      from_[end] = static_cast<std::int64_t>(first + best);
    }
    offer(least_end, end, least, best, first);
    offer(end + 1, end_of_ends, best, most, first);
  }

  std::size_t k_;
  MedianCosts costs_;
  std::vector<double> path_;
  std::vector<std::int64_t> from_;
};

inline void median_path(std::size_t n, std::size_t k, const double* values,
                        OutColumn<std::int64_t> previous, Run& run) {
  MedianPath path(k);
  std::size_t next_pause = 0;
  for (std::size_t first = 0; first + k <= n; first += k) {
    if (first >= next_pause) {
      run.monitor.tick(static_cast<double>(first) / static_cast<double>(n));
      path.rebase_path();
      next_pause = first + 1024;
    }
    path.step(values + first, first, std::min(2 * k - 1, n + 1 - first - k), previous);
  }
}

}  // namespace tokumei::cut
