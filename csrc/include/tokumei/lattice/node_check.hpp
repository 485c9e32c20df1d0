// One node of the lattice looked at: its groups, which of them may be published, what that costs.
//
// Groups of a node below are parts of the groups here, so a grouping begins with the classes of the
// smallest one that is kept and lies below, instead of all rows (a snapshot). Snapshots are kept
// while they have together no more than two million classes, or eight times the rows. Where demands
// look at values, or suppression costs value by value, nodes that have enough large groups are
// grouped once more from all rows.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <utility>
#include <vector>

#include "tokumei/lattice/classes.hpp"
#include "tokumei/lattice/demands.hpp"
#include "tokumei/lattice/lattice.hpp"
#include "tokumei/lattice/metric.hpp"

namespace tokumei::lattice {

struct Verdict {
  bool fails_below;  // too much would be suppressed, here and at all levels below
  bool allowed;
  double bound;  // what the node and all above it cost at least
  double cost;   // where it is allowed
};

class NodeCheck {
 public:
  NodeCheck(const Lattice& lattice, const Costs& costs, std::vector<Demand> demands, std::int64_t k,
            std::int64_t most_suppressed)
      : metric_(lattice, costs, most_suppressed > 0), demands_(std::move(demands)), k_(k),
        most_suppressed_(most_suppressed), grouping_(lattice), all_(grouping_.rows()) {}

  Metric& metric() { return metric_; }
  std::size_t looked_at() const { return looked_at_; }

  Verdict operator()(const Levels& levels) {
    ++looked_at_;
    group(levels, smallest_below(levels));
    double bound = 0.0;
    if (metric_.counts_classes()) bound = metric_.bound(levels, classes_);
    judge_sizes();
    Verdict verdict{suppressed() > most_suppressed_, false, bound, 0.0};
    if (!verdict.fails_below && !demands_.empty()) {
      group(levels, all_);
      judge_sizes();
      verdict.fails_below = judge_demands();
    }
    verdict.allowed = !verdict.fails_below && suppressed() <= most_suppressed_;
    if (!verdict.allowed) return verdict;
    verdict.cost = cost(levels);
    return verdict;
  }

  // Whether each row is suppressed at a node.
  std::vector<std::uint8_t> suppressed_rows(const Levels& levels) {
    group(levels, all_);
    judge_sizes();
    for (const Demand& demand : demands_) check_(demand, group_, fine_);
    std::vector<std::uint8_t> rows;
    for (const std::size_t g : group_) rows.push_back(fine_[g] ? 0 : 1);
    return rows;
  }

 private:
  const Classes& smallest_below(const Levels& levels) const {
    const Classes* best = &all_;
    for (const Classes& one : snapshots_)
      if (one.levels.at_or_below(levels) && one.size() < best->size()) best = &one;
    return *best;
  }

  // The classes of a node, told from those of one below it.
  void group(const Levels& levels, const Classes& below) {
    grouping_(levels, below, classes_, group_);
    if (4 * classes_.size() > 3 * below.size()) return;
    kept_ += classes_.size();
    snapshots_.push_back(classes_);
    while (kept_ > std::max(8 * all_.size(), most_classes) || snapshots_.size() > most_snapshots) {
      kept_ -= snapshots_.front().size();
      snapshots_.pop_front();
    }
  }

  void judge_sizes() {
    fine_.resize(classes_.size());
    for (std::size_t g = 0; g < fine_.size(); ++g) fine_[g] = classes_.count[g] >= k_;
  }

  // Whether too much is suppressed for the sake of demands that fail downwards.
  bool judge_demands() {
    for (const Demand& demand : demands_)
      if (fails_downwards(demand) || most_suppressed_ == 0) check_(demand, group_, fine_);
    const bool fails = suppressed() > most_suppressed_;
    for (const Demand& demand : demands_)
      if (!fails && !fails_downwards(demand) && most_suppressed_ > 0) check_(demand, group_, fine_);
    return fails;
  }

  std::int64_t suppressed() const {
    std::int64_t sum = 0;
    for (std::size_t g = 0; g < fine_.size(); ++g) sum += fine_[g] ? 0 : classes_.count[g];
    return sum;
  }

  double cost(const Levels& levels) {
    if (metric_.of_labels() || suppressed() == 0) return metric_.cost(levels, classes_, fine_);
    if (group_.size() != all_.size()) {
      // The same classes in the same order: each begins with the first of its rows.
      group(levels, all_);
    }
    row_fine_.clear();
    for (const std::size_t g : group_) row_fine_.push_back(fine_[g]);
    return metric_.cost(levels, all_, row_fine_);
  }

  static constexpr std::size_t most_snapshots = 1024, most_classes = std::size_t{1} << 21;

  Metric metric_;
  std::vector<Demand> demands_;
  std::int64_t k_, most_suppressed_;
  Grouping grouping_;
  Classes all_, classes_;
  std::deque<Classes> snapshots_;
  std::size_t kept_ = 0, looked_at_ = 0;
  DemandCheck check_;
  std::vector<std::size_t> group_;
  std::vector<std::uint8_t> fine_, row_fine_;
};

}  // namespace tokumei::lattice
