// V-MDAV: MDAV with groups of variable size (Solanas & Martinez-Balleste 2006; NOTES section 2).
//
// c is the mean of all records, fixed. While k records or more are in no group: r, the one farthest
// from c, and its k-1 nearest form a group. While the group has less than 2k-1 records: e is the
// ungrouped record nearest to any of them, at distance d_in; d_out is the distance from e to the
// nearest other ungrouped record. e joins where d_in < gamma d_out, or where it is the last and
// gamma > 0; else the group is closed. The last records, less than k, each join the group whose
// mean is nearest; means are those before any of them joined, so their order does not matter.
//
// Distances are compared by their squares, d_in^2 < (gamma gamma) d_out^2. Means are correctly
// rounded sums over counts. Ties: the lowest row, or the group that has the lowest row. Sizes:
// k..2k-1, and k-1 more at most where the last records join. gamma = 0: k, and likewise.
//
// O(n^2 d) time, O(n^2 d / k) for gamma = 0, about n d for equal records; memory: one copy of the
// data and five numbers a record. Needs 1 <= k <= n, gamma >= 0 and finite data, the squares of all
// finite. Throws Interrupted.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

#include "tokumei/distance.hpp"
#include "tokumei/exact_sum.hpp"
#include "tokumei/groups.hpp"
#include "tokumei/neighbourhood.hpp"
#include "tokumei/run.hpp"
#include "tokumei/views.hpp"

namespace tokumei {

namespace detail {

// Adds to a group of k records those that are nearer to it than to the rest, up to 2k-1 in all.
inline void extend(std::vector<std::size_t>& group, std::size_t k, double gamma,
                   Neighbourhood& neighbourhood) {
  neighbourhood.start_group();
  while (group.size() < 2 * k - 1 && neighbourhood.size() > 0) {
    const auto e = neighbourhood.nearest_to_group(group);
    const auto other = neighbourhood.nearest(e.row, 1);
    if (!other.empty() && !(e.distance < gamma * gamma * other.front().distance)) return;
    group.push_back(e.row);
    neighbourhood.take(e.row);
  }
}

// The rows of each group; label -1 is no group.
inline std::vector<std::vector<std::size_t>> rows_of_groups(Column<std::int64_t> labels,
                                                            std::size_t groups) {
  std::vector<std::vector<std::size_t>> rows(groups);
  for (std::size_t row = 0; row < labels.size(); ++row)
    if (labels[row] >= 0) rows[static_cast<std::size_t>(labels[row])].push_back(row);
  return rows;
}

// Labels each record without a group with the group whose mean is nearest.
inline void join_nearest_means(Table<double> x, std::size_t groups, OutColumn<std::int64_t> labels,
                               Run& run) {
  if (std::find(labels.data(), labels.data() + labels.size(), -1) == labels.data() + labels.size())
    return;
  const auto rows = rows_of_groups(labels, groups);
  std::vector<std::vector<double>> means(x.columns(), std::vector<double>(groups));
  for (std::size_t group = 0; group < groups; ++group) {
    run.watch.tick(1.0);
    for (std::size_t j = 0; j < x.columns(); ++j) {
      ExactSum sum;
      for (const std::size_t row : rows[group]) sum.add(x(row, j));
      means[j][group] = sum.value() / static_cast<double>(rows[group].size());
    }
  }
  std::vector<const double*> columns;
  for (const auto& column : means) columns.push_back(column.data());
  std::vector<double> point(x.columns());
  std::vector<double> distances(groups);
  for (std::size_t row = 0; row < x.rows(); ++row) {
    if (labels[row] >= 0) continue;
    run.watch.tick(1.0);
    for (std::size_t j = 0; j < x.columns(); ++j) point[j] = x(row, j);
    dispatch<SquaredDistances>(run.level, columns.data(), std::size_t{0}, groups, x.columns(),
                               point.data(), distances.data());
    std::size_t best = 0;
    for (std::size_t group = 1; group < groups; ++group)
      if (distances[group] < distances[best] ||
          (distances[group] == distances[best] && rows[group].front() < rows[best].front()))
        best = group;
    labels[row] = static_cast<std::int64_t>(best);
  }
}

}  // namespace detail

inline void vmdav(Table<double> x, std::size_t k, double gamma, OutColumn<std::int64_t> labels,
                  Run run) {
  if (k == 1) {
    std::iota(labels.data(), labels.data() + labels.size(), std::int64_t{0});
    return;
  }
  std::fill_n(labels.data(), labels.size(), std::int64_t{-1});
  Neighbourhood neighbourhood(x, run);
  std::size_t groups = 0;
  while (neighbourhood.size() >= k) {
    const std::size_t r = neighbourhood.farthest_from_centre();
    neighbourhood.take(r);
    std::vector<std::size_t> group{r};
    const auto near = neighbourhood.nearest(r, k + 1);
    for (std::size_t i = 0; i + 1 < k; ++i) {
      group.push_back(near[i].row);
      neighbourhood.take(near[i].row);
    }
    // Where r has two equals more than the group holds, both distances are 0 and nobody joins.
    const bool among_equals =
        near.size() == k + 1 && std::all_of(near.begin(), near.end(), [&](const Neighbour& other) {
          return neighbourhood.equal(r, other.row);
        });
    if (gamma > 0.0 && !among_equals) detail::extend(group, k, gamma, neighbourhood);
    for (const std::size_t row : group) labels[row] = static_cast<std::int64_t>(groups);
    ++groups;
  }
  detail::join_nearest_means(x, groups, labels, run);
  renumber(labels);
}

}  // namespace tokumei
