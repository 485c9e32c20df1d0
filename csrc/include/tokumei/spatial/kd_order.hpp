// An order of records that keeps neighbours together: median splits across the widest axis.
//
// `kd_order` rearranges `rows` so that for every power of 16 each aligned stretch of that many
// rows (the last may be shorter) fills a region of space of its own: a stretch is split by a plane
// across the axis where a sample of it spreads widest, on one side the lower values and among equal
// ones the lower rows, then each part likewise, down to stretches of 16. So the leaves, blocks of
// leaves and groups of blocks of a tree are known by counting, without a pointer, and equal records
// stand in row order.
//
// O(n log n) time, 32 bytes a row for as long as it takes. The order does not depend on the number
// of threads. Throws Interrupted.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "tokumei/numeric/selection.hpp"
#include "tokumei/runtime/monitored_blocks.hpp"
#include "tokumei/runtime/progress_monitor.hpp"
#include "tokumei/runtime/records.hpp"
#include "tokumei/runtime/thread_team.hpp"
#include "tokumei/spatial/place_stretch.hpp"

namespace tokumei::spatial {

struct KeyedRow {
  double value;
  std::size_t row;
  bool operator<(const KeyedRow& other) const {
    return value < other.value || (value == other.value && row < other.row);
  }
};

class KdOrder {
 public:
  KdOrder(const Records& x, std::vector<std::size_t>& rows)
      : x_(x.numbers), records_(x), rows_(rows), keys_(rows.size()), room_(rows.size()) {}

  // Each stretch for itself; those that begin inside a leaf are split where
  // leaves begin.
  void run(const std::vector<PlaceStretch>& stretches, ThreadTeam& team, ProgressMonitor& monitor) {
    // Generation by generation while stretches are long, then each short one to its end.
    std::vector<PlaceStretch> open, ready;
    const auto sort_out = [&](PlaceStretch stretch, std::vector<PlaceStretch>& still_open) {
      (stretch.size() > short_stretch ? still_open : ready).push_back(stretch);
    };
    for (const auto& stretch : stretches) sort_out(stretch, open);
    while (!open.empty()) {
      std::vector<std::size_t> middles(open.size());
      team.each_block(open.size(), [&](std::size_t i) { middles[i] = split(open[i]); });
      std::vector<PlaceStretch> parts;
      for (std::size_t i = 0; i < open.size(); ++i) {
        sort_out({open[i].begin, middles[i]}, parts);
        sort_out({middles[i], open[i].end}, parts);
      }
      open = std::move(parts);
      monitor.tick(0.0);
    }
    each_watched_block(team, monitor, ready.size(), 16,
                       [&](std::size_t i) { split_all(ready[i]); });
  }

 private:
  static constexpr std::size_t fan = 16;
  static constexpr std::size_t short_stretch = fan * fan * fan;
  static constexpr std::size_t sampled = 24;

  void split_all(PlaceStretch stretch) {
    while (stretch.size() > fan) {
      const std::size_t middle = split(stretch);
      split_all({stretch.begin, middle});
      stretch.begin = middle;
    }
  }

  // Splits a stretch near its middle, at a multiple of the largest power of 16 below its length.
  std::size_t split(PlaceStretch stretch) {
    std::size_t unit = fan;
    while (unit * fan < stretch.size()) unit *= fan;
    const std::size_t units = (stretch.size() + unit - 1) / unit;
    const std::size_t middle = stretch.begin / unit * unit + (units + 1) / 2 * unit;
    const std::size_t axis = widest(stretch);
    if (axis < x_.columns())
      find_keys(stretch, x_.column(axis));
    else
      find_keys(stretch, records_.codes.column(axis - x_.columns()));
    KeyedRow* keys = keys_.data();
    select(keys + stretch.begin, keys + middle, keys + stretch.end, room_.data() + stretch.begin,
           [](const KeyedRow& a, const KeyedRow& b) {
             const auto below = static_cast<std::size_t>(a.value < b.value);
             const auto tied = static_cast<std::size_t>(a.value <= b.value);
             return below | (tied & static_cast<std::size_t>(a.row < b.row));
           });
    for (std::size_t i = stretch.begin; i < stretch.end; ++i) rows_[i] = keys_[i].row;
    return middle;
  }

  template <class T>
  void find_keys(PlaceStretch stretch, Column<T> column) {
    for (std::size_t i = stretch.begin; i < stretch.end; ++i)
      keys_[i] = {static_cast<double>(column[rows_[i]]), rows_[i]};
  }

  // The axis on which a sample of the stretch spreads widest; where it does not, all of the
  // stretch.
  std::size_t widest(PlaceStretch stretch) const {
    const auto [axis, spread] = widest(stretch, (stretch.size() + sampled - 1) / sampled);
    return spread > 0.0 ? axis : widest(stretch, 1).first;
  }

  std::pair<std::size_t, double> widest(PlaceStretch stretch, std::size_t step) const {
    std::pair<std::size_t, double> best{0, 0.0};
    for (std::size_t j = 0; j < x_.columns(); ++j) {
      const auto column = x_.column(j);
      double least = column[rows_[stretch.begin]], most = least;
      for (std::size_t i = stretch.begin + step; i < stretch.end; i += step) {
        const double value = column[rows_[i]];
        least = value < least ? value : least;
        most = value > most ? value : most;
      }
      if (most - least > best.second) best = {j, most - least};
    }
    for (std::size_t j = 0; j < records_.codes.columns(); ++j) {
      const double spread = spread_of_codes(stretch, step, j);
      if (spread > best.second) best = {x_.columns() + j, spread};
    }
    return best;
  }

  // What cutting codes in two may gain, as if it were a spread of numbers: their variance over what
  // there is of categories beyond the first.
  double spread_of_codes(PlaceStretch stretch, std::size_t step, std::size_t j) const {
    const std::size_t count = (stretch.size() + step - 1) / step;
    const std::size_t pairs = count <= sampled ? equal_pairs_of_few(stretch, step, j, count)
                                               : equal_pairs(stretch, step, j);
    const double n = static_cast<double>(count), categories = n * n / static_cast<double>(pairs);
    const double variance = records_.weights[j] * (1.0 - 1.0 / categories);
    constexpr double width = 3.5;  // of a uniform variable, in standard deviations
    return width * std::sqrt(variance / std::max(1.0, categories - 1.0));
  }

  // How many pairs of a sample are equal in a column of codes, either way round and each with
  // itself: the sum of the squares of how many hold each category.
  std::size_t equal_pairs(PlaceStretch stretch, std::size_t step, std::size_t j) const {
    const auto column = records_.codes.column(j);
    std::vector<std::int32_t> sample;
    for (std::size_t i = stretch.begin; i < stretch.end; i += step)
      sample.push_back(column[rows_[i]]);
    std::sort(sample.begin(), sample.end());
    std::size_t pairs = 0, run = 0;
    for (std::size_t i = 0; i < sample.size(); ++i) {
      run = i > 0 && sample[i] == sample[i - 1] ? run + 1 : 1;
      pairs += 2 * run - 1;
    }
    return pairs;
  }

  // The same where they are so few that comparing all takes less time than sorting them.
  std::size_t equal_pairs_of_few(PlaceStretch stretch, std::size_t step, std::size_t j,
                                 std::size_t count) const {
    const auto column = records_.codes.column(j);
    std::int32_t sample[sampled]{}, equals[sampled]{};
    for (std::size_t i = 0; i < count; ++i) sample[i] = column[rows_[stretch.begin + i * step]];
    for (std::size_t i = 0; i < count; ++i)
      for (std::size_t other = 0; other < sampled; ++other)
        equals[other] += sample[i] == sample[other] ? 1 : 0;
    std::size_t pairs = 0;
    for (std::size_t i = 0; i < count; ++i) pairs += static_cast<std::size_t>(equals[i]);
    return pairs;
  }

  Table<double> x_;
  const Records& records_;
  std::vector<std::size_t>& rows_;
  std::vector<KeyedRow> keys_, room_;
};

inline void kd_order(const Records& x, std::vector<std::size_t>& rows, ThreadTeam& team,
                     ProgressMonitor& monitor) {
  KdOrder(x, rows).run({{0, rows.size()}}, team, monitor);
}

// The same for some stretches, each for itself.
inline void kd_order_within(const Records& x, std::vector<std::size_t>& rows,
                            const std::vector<PlaceStretch>& stretches, ThreadTeam& team,
                            ProgressMonitor& monitor) {
  KdOrder(x, rows).run(stretches, team, monitor);
}

}  // namespace tokumei::spatial
