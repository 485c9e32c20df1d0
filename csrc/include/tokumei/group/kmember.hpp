// Greedy k-member clustering (Byun, Kamra, Bertino & Li 2007) for numeric attributes.
//
// Every attribute is brought to 0..1, (x - least) / (most - least); a constant one becomes 0. The
// distance of two records is the sum of the absolute differences. The width of a set of records is
// the sum of the sides of its box, and its loss the number of records times the width.
//
// While k records or more are in no group: the seed is the ungrouped record farthest from the seed
// before it, at first from the mean of all records (the article starts from a random one). The seed
// is joined by the record that raises the loss least, which is the one that leaves the least width,
// until the group has k. The last records, less than k, go in the order of their rows to the group
// whose loss they raise least.
//
// Sums run from the first attribute to the last. The mean is the correctly rounded sum over the
// count. Ties: the lowest row, or the group that has the lowest row. Sizes: k..2k-1.
//
// A record costs one search of box_store.hpp: O(n^2 d) time at worst, far less where a search has
// little to look at, O(n d log n) for equal records; memory: a copy of the data and the store's.
// Needs 1 <= k <= n and finite data whose differences are finite. Throws Interrupted.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <utility>
#include <vector>

#include "tokumei/group/labels.hpp"
#include "tokumei/group/sums_of_squares.hpp"
#include "tokumei/runtime/run.hpp"
#include "tokumei/runtime/thread_team.hpp"
#include "tokumei/runtime/views.hpp"
#include "tokumei/spatial/bounding_box.hpp"
#include "tokumei/spatial/box_store.hpp"

namespace tokumei::group {

// Every attribute brought to 0..1, column after column.
inline std::vector<double> unit_ranges(Table<double> x, unsigned n_threads) {
  std::vector<double> unit(x.rows() * x.columns());
  ThreadTeam team(n_threads);
  team.each_block(x.columns(), [&](std::size_t j) {
    const auto column = x.column(j);
    const auto [least, most] = std::minmax_element(column.begin(), column.end());
    const double range = *most - *least;
    if (range == 0.0) return;
    for (std::size_t row = 0; row < x.rows(); ++row)
      unit[j * x.rows() + row] = (column[row] - *least) / range;
  });
  return unit;
}

inline std::vector<double> mean_of_all(Table<double> x, InstructionSet isa) {
  std::vector<double> mean;
  for (std::size_t j = 0; j < x.columns(); ++j) mean.push_back(exact_mean(x.column(j), isa).high);
  return mean;
}

// Labels each record without a group (label -1) with the group whose loss it raises least.
inline void join_cheapest(Table<double> x, std::size_t k, std::vector<BoundingBox>& boxes,
                          OutColumn<std::int64_t> labels, Run& run) {
  std::vector<std::size_t> sizes(boxes.size(), k);
  std::vector<std::size_t> lowest(boxes.size(), x.rows());
  for (std::size_t row = x.rows(); row-- > 0;)
    if (labels[row] >= 0) lowest[static_cast<std::size_t>(labels[row])] = row;
  std::vector<double> point(x.columns());
  for (std::size_t row = 0; row < x.rows(); ++row) {
    if (labels[row] >= 0) continue;
    run.monitor.tick(1.0);
    for (std::size_t j = 0; j < x.columns(); ++j) point[j] = x(row, j);
    double least = std::numeric_limits<double>::infinity();
    std::size_t best = 0;
    for (std::size_t group = 0; group < boxes.size(); ++group) {
      const auto size = static_cast<double>(sizes[group]);
      const double raise =
          (size + 1.0) * boxes[group].width_with(point.data()) - size * boxes[group].width();
      if (raise < least || (raise == least && lowest[group] < lowest[best])) {
        least = raise;
        best = group;
      }
    }
    boxes[best].hold(point.data());
    ++sizes[best];
    lowest[best] = std::min(lowest[best], row);
    labels[row] = static_cast<std::int64_t>(best);
  }
}

inline void kmember(Table<double> x, std::size_t k, OutColumn<std::int64_t> labels, Run run) {
  if (k == 1) {
    std::iota(labels.data(), labels.data() + labels.size(), std::int64_t{0});
    return;
  }
  std::fill_n(labels.data(), labels.size(), std::int64_t{-1});
  const auto values = unit_ranges(x, run.n_threads);
  const Table<double> unit(values.data(), x.rows(), x.columns());
  BoxStore store(unit, x.rows(), run);
  std::vector<BoundingBox> boxes;
  auto point = mean_of_all(unit, run.isa);
  const auto take = [&](std::size_t place) {
    labels[store.row(place)] = static_cast<std::int64_t>(boxes.size());
    point.assign(store.record(place), store.record(place) + unit.columns());
    store.remove({&place, 1});
  };
  while (store.size() >= k) {
    run.monitor.tick(1.0 - static_cast<double>(store.size()) / static_cast<double>(x.rows()));
    take(store.farthest(point.data()));
    const auto seed = point;
    BoundingBox box{seed, seed};
    for (std::size_t i = 1; i < k; ++i) {
      run.monitor.tick(0.0);
      take(store.cheapest(box));
      box.hold(point.data());
    }
    boxes.push_back(std::move(box));
    point = seed;
  }
  join_cheapest(unit, k, boxes, labels, run);
  renumber(labels);
}

}  // namespace tokumei::group
