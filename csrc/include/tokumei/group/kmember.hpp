// Greedy k-member clustering (Byun, Kamra, Bertino & Li 2007).
//
// Every attribute is brought to 0..1, (x - least) / (most - least); a constant one becomes 0. The
// distance of two records is the sum of the absolute differences. The width of a set of records is
// the sum of the sides of its box, and its loss the number of records times the width. A column of
// codes stands for a corner a category, each coordinate 0 or 1: its width is 0 where all agree,
// else the number of their categories (held_categories.hpp); with c of n records of its category
// and p in which no cell is missing a record is (n + p - 2 c) / n from the mean, and a missing cell
// p / n.
//
// While k records or more are in no group: the seed is the ungrouped record farthest from the seed
// before it, at first from the mean of all records (the article starts from a random one). The seed
// is joined by the record that raises the loss least, which is the one that leaves the least width,
// until the group has k. The last records, less than k, go in the order of their rows to the group
// whose loss they raise least.
//
// Sums run from the first attribute to the last, numbers first. The mean is the correctly rounded
// sum over the count. Ties: the lowest row, or the group that has the lowest row. Sizes: k..2k-1.
//
// A record costs one search of box_store.hpp: O(n^2 d) time at worst, far less where a search has
// little to look at, O(n d log n) for equal records; memory: a copy of the data and the store's.
// Needs 1 <= k <= n and finite data whose differences are finite. Throws Interrupted.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <utility>
#include <vector>

#include "tokumei/group/labels.hpp"
#include "tokumei/group/sums_of_squares.hpp"
#include "tokumei/runtime/records.hpp"
#include "tokumei/runtime/run.hpp"
#include "tokumei/runtime/thread_team.hpp"
#include "tokumei/runtime/views.hpp"
#include "tokumei/spatial/bounding_box.hpp"
#include "tokumei/spatial/box_store.hpp"
#include "tokumei/spatial/category_counts.hpp"
#include "tokumei/spatial/held_categories.hpp"
#include "tokumei/spatial/stored_records.hpp"

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

// The row farthest from the mean of all, the lowest of equals.
inline std::size_t farthest_from_mean(const Records& unit, InstructionSet isa) {
  const auto mean = mean_of_all(unit.numbers, isa);
  const CategoryCounts counts(unit);
  std::vector<double> present(unit.codes.columns());
  for (std::size_t j = 0; j < present.size(); ++j)
    for (const auto code : unit.codes.column(j)) present[j] += code < 0 ? 0.0 : 1.0;
  const double n = static_cast<double>(unit.rows());
  double most = -1.0;
  std::size_t best = 0;
  for (std::size_t row = 0; row < unit.rows(); ++row) {
    double apart = 0.0;
    for (std::size_t j = 0; j < mean.size(); ++j) apart += std::abs(unit.numbers(row, j) - mean[j]);
    for (std::size_t j = 0; j < present.size(); ++j) {
      const auto slot = slot_of(unit.codes(row, j));
      apart += (slot == 0 ? present[j] : n + present[j] - 2 * counts.count(j, slot)) / n;
    }
    if (!(apart > most)) continue;
    most = apart;
    best = row;
  }
  return best;
}

// A group: the box of its numbers, its categories, its size and its lowest row.
struct GrownGroup {
  BoundingBox box;
  HeldCategories held;
  std::size_t size = 0, lowest = 0;

  void hold(const OwnPoint& record, std::size_t row) {
    if (size == 0) box = {record.numbers, record.numbers};
    lowest = size == 0 ? row : std::min(lowest, row);
    box.hold(record.numbers.data());
    held.hold(record.slots.data());
    ++size;
  }
  double width() const { return held.add_widths(box.width()); }
  double width_with(const OwnPoint& record) const {
    return held.add_widths(box.width_with(record.numbers.data()), record.slots.data());
  }
};

// Labels each record without a group (label -1) with the group whose loss it raises least.
inline void join_cheapest(const Records& x, std::vector<GrownGroup>& groups,
                          OutColumn<std::int64_t> labels, Run& run) {
  for (std::size_t row = 0; row < x.rows(); ++row) {
    if (labels[row] >= 0) continue;
    run.monitor.tick(1.0);
    const OwnPoint record = point_of(x, row);
    double least = std::numeric_limits<double>::infinity();
    std::size_t best = 0;
    for (std::size_t group = 0; group < groups.size(); ++group) {
      const auto size = static_cast<double>(groups[group].size);
      const double raise =
          (size + 1.0) * groups[group].width_with(record) - size * groups[group].width();
      if (raise < least || (raise == least && groups[group].lowest < groups[best].lowest)) {
        least = raise;
        best = group;
      }
    }
    groups[best].hold(record, row);
    labels[row] = static_cast<std::int64_t>(best);
  }
}

// The same of records whose attributes have been brought to 0..1.
inline void kmember_of_unit_ranges(const Records& unit, std::size_t k,
                                   OutColumn<std::int64_t> labels, Run run) {
  if (k == 1) {
    std::iota(labels.data(), labels.data() + labels.size(), std::int64_t{0});
    return;
  }
  std::fill_n(labels.data(), labels.size(), std::int64_t{-1});
  // Weights are those beside numbers of variance one, and in the unit range numbers vary less. No
  // width asks for them, but the store does, for what to keep together.
  constexpr double variance = 1.0 / 32.0;
  std::vector<double> weights(unit.weights.begin(), unit.weights.end());
  for (double& weight : weights) weight *= variance;
  BoxStore store({unit.numbers, unit.codes, {weights.data(), weights.size()}}, unit.rows(), run,
                 Equals::share_places);
  std::vector<GrownGroup> groups;
  const GrownGroup none{{}, HeldCategories(unit.codes.columns())};
  const auto take = [&](std::size_t place, std::size_t most, GrownGroup& group) {
    const OwnPoint record = store.point(place);
    store.take_equal(place, most, [&](std::size_t row, const Point&) {
      labels[row] = static_cast<std::int64_t>(groups.size());
      group.hold(record, row);
    });
  };
  std::size_t seed = 0;
  for (const std::size_t first = farthest_from_mean(unit, run.isa); store.row(seed) != first;)
    ++seed;
  while (store.size() >= k) {
    run.monitor.tick(1.0 - static_cast<double>(store.size()) / static_cast<double>(unit.rows()));
    GrownGroup group = none, alone = none;
    alone.hold(store.point(seed), 0);
    take(seed, k, group);  // none but its equals have no width
    while (group.size < k) {
      run.monitor.tick(0.0);
      take(store.cheapest(group.box, group.held), 1, group);
    }
    groups.push_back(std::move(group));
    if (store.size() >= k) seed = store.farthest(alone.box.lower.data(), alone.held);
  }
  join_cheapest(unit, groups, labels, run);
  renumber(labels);
}

inline void kmember(const Records& x, std::size_t k, OutColumn<std::int64_t> labels, Run run) {
  const auto values = unit_ranges(x.numbers, run.n_threads);
  kmember_of_unit_ranges({{values.data(), x.rows(), x.numbers.columns()}, x.codes, x.weights}, k,
                         labels, run);
}

}  // namespace tokumei::group
