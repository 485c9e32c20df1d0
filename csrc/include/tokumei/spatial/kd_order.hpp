// An order of records that keeps neighbours together: median splits across the widest axis.
//
// `kd_order` rearranges `rows` so that for every power of 16 each aligned stretch of that many
// rows (the last may be shorter) fills a region of space of its own: a stretch is split by a plane
// across the axis where a sample of it spreads widest, on one side the lower values and among equal
// ones the lower rows, then each part likewise, down to stretches of 16. So the leaves, blocks of
// leaves and groups of blocks of a tree are known by counting, without a pointer, and equal records
// stand in row order.
//
// O(n log n) time, 16 bytes a row for as long as it takes. The order does not depend on the number
// of threads. Throws Interrupted.
#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "tokumei/runtime/progress_monitor.hpp"
#include "tokumei/runtime/thread_team.hpp"
#include "tokumei/runtime/views.hpp"

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
  KdOrder(Table<double> x, std::vector<std::size_t>& rows)
      : x_(x), rows_(rows), keys_(rows.size()) {}

  void run(ThreadTeam& team, ProgressMonitor& monitor) {
    // Generation by generation while stretches are long, then each short one to its end.
    std::vector<Stretch> open{{0, rows_.size()}};
    while (open.front().size() > short_stretch) {
      std::vector<Stretch> parts(2 * open.size());
      team.each_block(open.size(), [&](std::size_t i) {
        const std::size_t middle = open[i].size() > fan ? split(open[i]) : open[i].end;
        parts[2 * i] = {open[i].begin, middle};
        parts[2 * i + 1] = {middle, open[i].end};
      });
      open = std::move(parts);
      monitor.tick(0.0);
    }
    const std::size_t batch = 16 * team.size();
    for (std::size_t first = 0; first < open.size(); first += batch) {
      team.each_block(std::min(batch, open.size() - first),
                      [&](std::size_t i) { split_all(open[first + i]); });
      monitor.tick(0.0);
    }
  }

 private:
  static constexpr std::size_t fan = 16;
  static constexpr std::size_t short_stretch = fan * fan * fan;
  static constexpr std::size_t sampled = 24;

  struct Stretch {
    std::size_t begin = 0;
    std::size_t end = 0;
    std::size_t size() const { return end - begin; }
  };

  void split_all(Stretch stretch) {
    while (stretch.size() > fan) {
      const std::size_t middle = split(stretch);
      split_all({stretch.begin, middle});
      stretch.begin = middle;
    }
  }

  // Splits a stretch near its middle, at a multiple of the largest power of 16 below its length.
  std::size_t split(Stretch stretch) {
    std::size_t unit = fan;
    while (unit * fan < stretch.size()) unit *= fan;
    const std::size_t units = (stretch.size() + unit - 1) / unit;
    const std::size_t middle = stretch.begin + (units + 1) / 2 * unit;
    const auto column = x_.column(widest(stretch));
    for (std::size_t i = stretch.begin; i < stretch.end; ++i)
      keys_[i] = {column[rows_[i]], rows_[i]};
    KeyedRow* keys = keys_.data();
    std::nth_element(keys + stretch.begin, keys + middle, keys + stretch.end);
    for (std::size_t i = stretch.begin; i < stretch.end; ++i) rows_[i] = keys_[i].row;
    return middle;
  }

  // The axis on which a sample of the stretch spreads widest; where it does not, all of the
  // stretch.
  std::size_t widest(Stretch stretch) const {
    const auto [axis, spread] = widest(stretch, (stretch.size() + sampled - 1) / sampled);
    return spread > 0.0 ? axis : widest(stretch, 1).first;
  }

  std::pair<std::size_t, double> widest(Stretch stretch, std::size_t step) const {
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
    return best;
  }

  Table<double> x_;
  std::vector<std::size_t>& rows_;
  std::vector<KeyedRow> keys_;
};

inline void kd_order(Table<double> x, std::vector<std::size_t>& rows, ThreadTeam& team,
                     ProgressMonitor& monitor) {
  if (!rows.empty()) KdOrder(x, rows).run(team, monitor);
}

}  // namespace tokumei::spatial
