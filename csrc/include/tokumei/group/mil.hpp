// MIL, minimising information loss (thesis 4.2; NOTES section 2): groups of one attribute are
// improved by moving records across the borders between neighbours.
//
// Groups are stretches of the sorted values. Neighbours are visited from the lowest on, again and
// again until a visit to all of them moves nothing: as long as the lower group has more than k
// records and its highest, x, lowers the sum of squares in the upper group, it moves up; then,
// likewise, the lowest of the upper group down. With n and m records in the lower and the upper
// group besides x, and means that include x where it is,
//   (n+1)/n (x - lower mean)^2 > m/(m+1) (x - upper mean)^2    moves x up,
//   (m+1)/m (x - upper mean)^2 > n/(n+1) (x - lower mean)^2    moves x down.
// Each evaluation of one of the two is a test. A gain below 2^-45 of its terms is not one, so that
// rounding neither raises the loss nor moves a record back and forth.
//
// Groups that are not stretches become so first: in the order of their means, ties by label, they
// take the sorted values in turn and keep their sizes, which cannot raise the loss either. Equal
// values are in row order.
//
// O(n) for the sort, O(groups) a visit, O(1) a test. Needs labels in 0..groups-1, of which some may
// be absent, at least k records with each of the others, and |x| <= 1e140. Throws Interrupted.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

#include "tokumei/cut/segments.hpp"
#include "tokumei/group/labels.hpp"
#include "tokumei/numeric/double_double.hpp"
#include "tokumei/numeric/sorted_order.hpp"
#include "tokumei/numeric/uninitialised_vector.hpp"
#include "tokumei/runtime/run.hpp"
#include "tokumei/runtime/thread_team.hpp"
#include "tokumei/runtime/views.hpp"

namespace tokumei::group {

struct MilCounts {
  std::uint64_t tests = 0;
  std::uint64_t moves = 0;
};

// Stretches of sorted values, with their sums.
class Intervals {
 public:
  Intervals(const double* values, std::vector<std::size_t> nodes, std::size_t k)
      : values_(values), nodes_(std::move(nodes)), k_(k), sums_(nodes_.size() - 1) {
    for (std::size_t group = 0; group < sums_.size(); ++group)
      for (std::size_t place = nodes_[group]; place < nodes_[group + 1]; ++place)
        sums_[group].add(values_[place]);
  }

  const std::vector<std::size_t>& nodes() const { return nodes_; }
  const MilCounts& counts() const { return counts_; }
  std::size_t groups() const { return sums_.size(); }

  // Moves records between a group and the next; whether there was any to move.
  bool settle(std::size_t lower) {
    const auto before = counts_.moves;
    while (size(lower) > k_ && moves(lower, lower + 1, values_[nodes_[lower + 1] - 1])) {
      pass(lower, lower + 1, values_[nodes_[lower + 1] - 1]);
      --nodes_[lower + 1];
    }
    while (size(lower + 1) > k_ && moves(lower + 1, lower, values_[nodes_[lower + 1]])) {
      pass(lower + 1, lower, values_[nodes_[lower + 1]]);
      ++nodes_[lower + 1];
    }
    return counts_.moves != before;
  }

 private:
  static constexpr double real_gain = 1.0 - 0x1p-45;

  std::size_t size(std::size_t group) const { return nodes_[group + 1] - nodes_[group]; }

  // The test: whether x of one group lowers the loss in another.
  bool moves(std::size_t from, std::size_t to, double x) {
    ++counts_.tests;
    const auto staying = static_cast<double>(size(from) - 1),
               joined = static_cast<double>(size(to));
    const double off_from = deviation(x, mean_of(sums_[from], size(from)));
    const double off_to = deviation(x, mean_of(sums_[to], size(to)));
    return (staying + 1.0) / staying * (off_from * off_from) * real_gain >
           joined / (joined + 1.0) * (off_to * off_to);
  }

  void pass(std::size_t from, std::size_t to, double x) {
    ++counts_.moves;
    sums_[from].add(-x);
    sums_[to].add(x);
  }

  const double* values_;
  std::vector<std::size_t> nodes_;
  std::size_t k_;
  std::vector<DoubleDouble> sums_;
  MilCounts counts_;
};

// Borders of stretches with the groups' sizes, in the order of their means.
inline std::vector<std::size_t> nodes_by_mean(Column<double> x, Column<std::int64_t> labels,
                                              std::size_t groups, ProgressMonitor& monitor) {
  const auto sizes = group_sizes(labels, groups);
  const auto means = group_means(x, labels, sizes, [&] { monitor.tick(0.0); });
  std::vector<std::size_t> order(groups);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return means[a].high != means[b].high ? means[a].high < means[b].high
                                          : means[a].low < means[b].low;
  });
  std::vector<std::size_t> nodes{0};
  for (const std::size_t group : order)
    if (sizes[group] > 0) nodes.push_back(nodes.back() + sizes[group]);
  return nodes;
}

inline MilCounts mil(Column<double> x, Column<std::int64_t> labels, std::size_t groups,
                     std::size_t k, OutColumn<std::int64_t> improved, Run run) {
  const auto order = sorted_order(x, reinterpret_cast<std::uint64_t*>(improved.data()), run);
  UninitialisedVector<double> values(x.size());
  for (std::size_t place = 0; place < x.size(); ++place) values[place] = x[order[place]];
  Intervals intervals(values.data(), nodes_by_mean(x, labels, groups, run.monitor), k);
  for (bool moved = true; moved;) {
    moved = false;
    for (std::size_t lower = 0; lower + 1 < intervals.groups(); ++lower) {
      if (lower % 4096 == 0) run.monitor.tick(0.0);
      moved = intervals.settle(lower) || moved;
    }
  }
  ThreadTeam team(run.n_threads);
  label_segments(order.data(), intervals.nodes(), improved, team, run.monitor);
  return intervals.counts();
}

}  // namespace tokumei::group
