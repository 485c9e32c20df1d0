// MDAV: maximum distance to average vector (Domingo-Ferrer & Torra 2005; NOTES section 2).
//
// While 3k records or more remain: r is the remaining record farthest from their mean, and r with
// its k-1 nearest is a group; s is the record farthest from r among those left, and s with its k-1
// nearest is a group. From 2k to 3k-1 remaining: the group of r, and the rest. Fewer: the rest is
// one group.
//
// Ties: the lowest row wins everywhere. The mean is exact (exact_mean.hpp), and so is the decision
// who is farthest from it; it is kept up to date, which costs O(d k) a round and no scan.
// O(n^2 d / k) time at worst, far less where record_store.hpp finds little to look at; its memory.
// Needs 1 <= k <= n and finite data whose squares are finite. Throws Interrupted.
#pragma once

#include <cstddef>
#include <cstdint>

#include "tokumei/group/labels.hpp"
#include "tokumei/runtime/records.hpp"
#include "tokumei/runtime/run.hpp"
#include "tokumei/spatial/exact_mean.hpp"
#include "tokumei/spatial/record_store.hpp"

namespace tokumei::group {

// The records not yet in a group, and their exact sum.
class Remaining {
 public:
  Remaining(const Records& x, std::size_t k, OutColumn<std::int64_t> labels, Run& run)
      : labels_(labels), store_(x, 2 * x.rows() / k, run, Equals::share_places), mean_(x, run) {}

  std::size_t size() const { return store_.size(); }

  std::size_t farthest_from_mean() {
    mean_.round();
    return store_.farthest_from_mean(mean_);
  }

  std::size_t farthest_from(const OwnPoint& point) { return store_.farthest(point.view()); }

  // Makes a group of the record at `place` and the k-1 others nearest to it; returns that record.
  OwnPoint group_around(std::size_t place, std::size_t k) {
    const OwnPoint centre = store_.point(place);
    const std::size_t all = size();
    const auto join = [&](std::size_t row, const Point& record) {
      labels_[row] = group_;
      mean_.remove(record);
    };
    store_.take_equal(place, k, join);
    if (const std::size_t taken = all - size(); taken < k)
      store_.take(store_.nearest(centre.view(), k - taken), join);
    ++group_;
    return centre;
  }

  void group_rest() {
    for (const std::size_t row : store_.remaining()) labels_[row] = group_;
  }

 private:
  OutColumn<std::int64_t> labels_;
  RecordStore store_;
  ExactMean mean_;
  std::int64_t group_ = 0;
};

inline void mdav(const Records& x, std::size_t k, OutColumn<std::int64_t> labels, Run run) {
  Remaining records(x, k, labels, run);
  const double all = static_cast<double>(x.rows());
  while (records.size() >= 3 * k) {
    run.monitor.tick(1.0 - static_cast<double>(records.size()) / all);
    const auto r = records.group_around(records.farthest_from_mean(), k);
    records.group_around(records.farthest_from(r), k);
  }
  if (records.size() >= 2 * k) records.group_around(records.farthest_from_mean(), k);
  records.group_rest();
  renumber(labels);
}

}  // namespace tokumei::group
