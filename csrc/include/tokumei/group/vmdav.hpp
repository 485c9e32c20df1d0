// V-MDAV: MDAV with groups of variable size (Solanas & Martinez-Balleste 2006; NOTES section 2).
//
// c is the mean of all records, fixed. While k records or more are in no group: r, the one farthest
// from c, and its k-1 nearest form a group. While the group has less than 2k-1 records: e is the
// ungrouped record nearest to any of them, at distance d_in; d_out is the distance from e to the
// nearest other ungrouped record. e joins where d_in < gamma d_out, or where it is the last and
// gamma > 0; else the group is closed. The last records, less than k, each join the group of the
// record nearest to them, or the group whose mean is nearest; both as the groups are before any of
// them joins, so their order does not matter.
//
// Distances are compared by their squares, d_in^2 < (gamma gamma) d_out^2. Who is farthest from c
// is decided exactly (exact_mean.hpp); means of groups are correctly rounded sums over counts.
// Ties: the lowest row, or the group that has the lowest row. Sizes: k..2k-1, and k-1 more at most
// where the last records join. gamma = 0: k, and likewise.
//
// O(n) searches of record_store.hpp: O(n^2 d) time at worst, far less where a search has little to
// look at, O(n d log n) for equal records; its memory. Needs 1 <= k <= n, gamma >= 0 and finite
// data, the squares of all finite. Throws Interrupted.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "tokumei/group/category_means.hpp"
#include "tokumei/group/labels.hpp"
#include "tokumei/group/neighbourhood.hpp"
#include "tokumei/numeric/exact_sum.hpp"
#include "tokumei/numeric/squared_distances.hpp"
#include "tokumei/runtime/records.hpp"
#include "tokumei/runtime/run.hpp"
#include "tokumei/runtime/views.hpp"
#include "tokumei/spatial/exact_mean.hpp"
#include "tokumei/spatial/record_store.hpp"

namespace tokumei::group {

// What the last records, too few for a group, go by. The thesis' losses are those of records.
enum class Nearest { record, mean };

// The records not yet in a group, and the group under way.
class Growing {
 public:
  Growing(const Records& x, std::size_t k, OutColumn<std::int64_t> labels, Run& run)
      : labels_(labels), monitor_(run.monitor), all_(x.rows()),
        store_(x, 3 * (x.rows() / k), run, Equals::share_places),
        near_group_(store_, x, run.monitor), centre_(x, run) {}

  std::size_t size() const { return store_.size(); }

  // A group of the record farthest from the centre and the k-1 nearest to it.
  void start(std::size_t k) {
    monitor_.tick(1.0 - static_cast<double>(size()) / static_cast<double>(all_));
    near_group_.clear();
    const std::size_t r = store_.farthest_from_mean(centre_);
    const OwnPoint seed = store_.point(r);
    near_group_.add(seed.view());
    const std::size_t all = size();
    const auto join = [this](std::size_t row, const Point&) { this->join(row); };
    if (store_.take_equal(r, k, join)) near_group_.forget_places();
    if (const std::size_t taken = all - size(); taken < k) {
      const auto places = store_.nearest(seed.view(), k - taken);
      std::size_t before = r;
      for (const std::size_t place : places)
        if (std::exchange(before, place) != place) near_group_.add(store_.at(place));
      take(places);
    }
    grouped_ = k;
  }

  // Adds records to the group, up to `most` in all, that are nearer to it than to the rest.
  void extend(std::size_t most, double gamma) {
    while (grouped_ < most && size() > 0) {
      const auto e = near_group_.nearest();
      const auto other = near_group_.nearest_to(e.place);
      if (size() > 1 && !(e.distance < gamma * gamma * other.distance)) return;
      near_group_.add(store_.at(e.place), other);
      take({&e.place, 1});
      ++grouped_;
    }
  }

  void close() { ++group_; }

  std::size_t groups() const { return static_cast<std::size_t>(group_); }
  std::vector<std::size_t> remaining() const { return store_.remaining(); }

 private:
  void take(std::span<const std::size_t> places) {
    const auto join = [this](std::size_t row, const Point&) { this->join(row); };
    if (store_.take(places, join)) near_group_.forget_places();
  }

  void join(std::size_t row) {
    labels_[row] = group_;
    near_group_.forget(row);
  }

  OutColumn<std::int64_t> labels_;
  ProgressMonitor& monitor_;
  std::size_t all_;
  RecordStore store_;
  Neighbourhood near_group_;
  ExactMean centre_;  // of all records
  std::size_t grouped_ = 0;
  std::int64_t group_ = 0;
};

// The rows of each group; label -1 is no group.
inline std::vector<std::vector<std::size_t>> rows_of_groups(Column<std::int64_t> labels,
                                                            std::size_t groups) {
  std::vector<std::vector<std::size_t>> rows(groups);
  for (std::size_t row = 0; row < labels.size(); ++row)
    if (labels[row] >= 0) rows[static_cast<std::size_t>(labels[row])].push_back(row);
  return rows;
}

// Labels each of these records with the group whose mean is nearest.
inline void join_nearest_means(const Records& records, const std::vector<std::size_t>& last,
                               std::size_t groups, OutColumn<std::int64_t> labels, Run& run) {
  const Table<double> x = records.numbers;
  const auto rows = rows_of_groups(labels, groups);
  std::vector<std::vector<double>> means(x.columns(), std::vector<double>(groups));
  for (std::size_t group = 0; group < groups; ++group) {
    run.monitor.tick(1.0);
    for (std::size_t j = 0; j < x.columns(); ++j) {
      ExactSum sum;
      for (const std::size_t row : rows[group]) sum.add(x(row, j));
      means[j][group] = sum.value() / static_cast<double>(rows[group].size());
    }
  }
  const CategoryMeans means_of_codes(records, rows);
  std::vector<const double*> columns;
  for (const auto& column : means) columns.push_back(column.data());
  std::vector<double> point(x.columns());
  std::vector<double> distances(groups);
  for (const std::size_t row : last) {
    run.monitor.tick(1.0);
    for (std::size_t j = 0; j < x.columns(); ++j) point[j] = x(row, j);
    squared_distances_by_attributes(run.isa, columns.data(), 0, groups, x.columns(), point.data(),
                                    distances.data());
    for (std::size_t group = 0; group < groups; ++group)
      distances[group] = means_of_codes.add_terms(distances[group], row, group);
    std::size_t best = 0;
    for (std::size_t group = 1; group < groups; ++group)
      if (distances[group] < distances[best] ||
          (distances[group] == distances[best] && rows[group].front() < rows[best].front()))
        best = group;
    labels[row] = static_cast<std::int64_t>(best);
  }
}

// Labels each of these records with the group of the nearest record that has one.
inline void join_nearest_records(const Records& x, const std::vector<std::size_t>& last,
                                 OutColumn<std::int64_t> labels, Run& run) {
  RecordStore store(x, last.size(), run);
  std::vector<std::int64_t> homes;
  for (const std::size_t row : last) {
    run.monitor.tick(1.0);
    const OwnPoint point = point_of(x, row);
    double least = infinite;
    std::size_t best = no_row;
    // So many that one of them has a group.
    for (const std::size_t place : store.nearest(point.view(), last.size() + 1)) {
      const std::size_t other = store.row(place);
      if (labels[other] < 0) continue;
      const double distance = store.distance(place, point.view());
      if (distance < least || (distance == least && other < best)) {
        least = distance;
        best = other;
      }
    }
    homes.push_back(labels[best]);
  }
  for (std::size_t i = 0; i < last.size(); ++i) labels[last[i]] = homes[i];
}

inline void vmdav(const Records& x, std::size_t k, double gamma, Nearest rest,
                  OutColumn<std::int64_t> labels, Run run) {
  if (k == 1) {
    std::iota(labels.data(), labels.data() + labels.size(), std::int64_t{0});
    return;
  }
  std::fill_n(labels.data(), labels.size(), std::int64_t{-1});
  std::size_t groups = 0;
  std::vector<std::size_t> last;
  {
    Growing growing(x, k, labels, run);
    while (growing.size() >= k) {
      growing.start(k);
      if (gamma > 0.0) growing.extend(2 * k - 1, gamma);
      growing.close();
    }
    groups = growing.groups();
    last = growing.remaining();
  }
  if (!last.empty() && rest == Nearest::record) join_nearest_records(x, last, labels, run);
  if (!last.empty() && rest == Nearest::mean) join_nearest_means(x, last, groups, labels, run);
  renumber(labels);
}

}  // namespace tokumei::group
