// The best partition of one attribute into groups of at least k (Hansen & Mukherjee 2003): of least
// squares about the means, or of least absolute deviations from the medians.
//
// Some best partition has groups that are stretches of the sorted values, so it is the best cut of
// that order, and no other partition of any kind costs less. Precision, ties and promises are those
// of cut.hpp; equal values are in row order. Where the range or, for absolute deviations, the
// values are extreme they are scaled by a power of two, so any finite ones will do.
//
// O(n log k) time after an O(n) sort, O(n) memory. Needs 1 <= k <= n and finite values. Throws
// Interrupted.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "tokumei/cut/median_path.hpp"
#include "tokumei/cut/ordered_records.hpp"
#include "tokumei/cut/segments.hpp"
#include "tokumei/cut/short_segments.hpp"
#include "tokumei/cut/shortest_path.hpp"
#include "tokumei/cut/totally_monotone_path.hpp"
#include "tokumei/numeric/sorted_order.hpp"
#include "tokumei/numeric/uninitialised_vector.hpp"
#include "tokumei/runtime/monitored_blocks.hpp"
#include "tokumei/runtime/progress_monitor.hpp"
#include "tokumei/runtime/run.hpp"
#include "tokumei/runtime/thread_team.hpp"
#include "tokumei/runtime/views.hpp"

namespace tokumei::cut {

// A power of two that brings the range of some values near to 1, where its square could be too
// large or too small for a double.
inline double scale_of_range(double least, double most) {
  const double range = most - least;
  if (range == 0.0 || (range > 1e-100 && range < 1e100)) return 1.0;
  return std::isfinite(range) ? std::ldexp(1.0, std::clamp(-std::ilogb(range), -1000, 1000))
                              : 0x1p-1000;
}

// The same where sums of many values could be too large.
inline double scale_of_sums(double least, double most) {
  return std::max(std::abs(least), std::abs(most)) < 1e280 ? 1.0 : 0x1p-100;
}

// Sorted values, with equal ones before the first and after the last so that any stretch can be
// read.
class SortedValues {
 public:
  SortedValues(Column<double> x, const std::uint64_t* order, double scale, std::size_t margin,
               ThreadTeam& team, ProgressMonitor& monitor)
      : margin_(margin), values_(x.size() + 2 * margin) {
    constexpr std::size_t ahead = 32, block = 65536, batch = 4;
    const std::size_t n = x.size();
    double* const values = values_.data() + margin;
    each_watched_block(team, monitor, (n + block - 1) / block, batch, [&](std::size_t b) {
      const std::size_t end = std::min(n, (b + 1) * block);
      for (std::size_t place = b * block; place < end; ++place) {
        TOKUMEI_FETCH(x.data() + order[std::min(place + ahead, n - 1)]);
        values[place] = x[order[place]] * scale;
      }
    });
    std::fill_n(values_.data(), margin, values[0]);
    std::fill_n(values + n, margin, values[n - 1]);
  }

  std::size_t attributes() const { return 1; }

  const double* const* from(std::ptrdiff_t first) {
    column_ = values_.data() + (static_cast<std::ptrdiff_t>(margin_) + first);
    return &column_;
  }

 private:
  std::size_t margin_;
  UninitialisedVector<double> values_;
  const double* column_ = nullptr;
};

enum class Cost { squares, absolute };

inline void univariate(Column<double> x, std::size_t k, Cost cost, OutColumn<std::int64_t> labels,
                       Run run) {
  constexpr std::size_t short_k = 12;  // measured
  const std::size_t n = x.size();
  // The labels' memory serves the sort before it serves the path.
  const auto order = sorted_order(x, reinterpret_cast<std::uint64_t*>(labels.data()), run);
  ThreadTeam team(run.n_threads);
  if (n < 2 * k) {
    label_segments(order.data(), {0, n}, labels, team, run.monitor);
    return;
  }
  const double least = x[order[0]], most = x[order[n - 1]];
  const double scale =
      cost == Cost::squares ? scale_of_range(least, most) : scale_of_sums(least, most);
  SortedValues values(x, order.data(), scale, 2 * k + lane_count, team, run.monitor);
  if (cost == Cost::absolute) {
    median_path(n, k, values.from(0)[0], labels, run);
  } else if (k < short_k) {
    ShortSegmentCosts costs(values, k, run.isa);
    shortest_path(n, k, costs, labels, run);
  } else {
    totally_monotone_path(n, k, values.from(0)[0], labels, run);
  }
  label_segments(order.data(), nodes_of_path(labels, k), labels, team, run.monitor);
}

}  // namespace tokumei::cut
