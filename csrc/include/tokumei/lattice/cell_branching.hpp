// The fewest cells of a small table, by branch and bound.
//
// Records get their masks one after the other, those that need most first, equal ones in the order
// of their masks. A branch is given up where what it has suppressed, what the others need at least,
// and what they must suppress beyond that to fill classes of fewer than k, is no less than the best
// known; or where too few records are left to fill a class. Steps are counted, not seconds: a mask
// of a record, O(records x classes).
#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>
#include <numeric>
#include <vector>

#include "tokumei/lattice/cell_masks.hpp"

namespace tokumei::lattice {

class CellBranching {
 public:
  CellBranching(const CellTable& table, const std::vector<Mask>& masks,
                const std::vector<double>& least, std::size_t k, ProgressMonitor& monitor)
      : table_(table), masks_(masks), least_(least), k_(k), monitor_(monitor),
        order_(table.records()), after_(table.records() + 1, 0.0) {
    std::iota(order_.begin(), order_.end(), std::size_t{0});
    std::stable_sort(order_.begin(), order_.end(), [&](std::size_t a, std::size_t b) {
      return least[a] != least[b] ? least[a] > least[b] : alike_first(a) < alike_first(b);
    });
    for (std::size_t i = order_.size(); i-- > 0;) after_[i] = after_[i + 1] + least[order_[i]];
  }

  // Whether the search has ended within so many steps; then `best` is the least there is.
  bool operator()(std::size_t steps, double& cost, std::vector<Mask>& best) {
    steps_ = steps;
    cost_ = &cost;
    best_ = &best;
    mask_of_.assign(table_.records(), 0);
    classes_.clear();
    branch(0, 0.0);
    return steps_ > 0;
  }

 private:
  struct Class {
    Mask mask;
    std::size_t record, count;
  };

  std::size_t alike_first(std::size_t record) const {
    for (std::size_t other = 0; other < record; ++other)
      if (table_.differing(other, record) == 0) return other;
    return record;
  }

  void branch(std::size_t at, double spent) {
    if (at == order_.size()) {
      // Nothing is lacking: the bound below has seen to it.
      *cost_ = spent;
      *best_ = mask_of_;
      return;
    }
    const std::size_t record = order_[at];
    const bool twin = at > 0 && table_.differing(order_[at - 1], record) == 0;
    for (const Mask mask : masks_) {
      const double weight = table_.weight(mask);
      if (weight < least_[record]) continue;
      if (twin && before(mask, mask_of_[order_[at - 1]])) continue;
      if (!cheaper(spent + weight + after_[at + 1])) return;
      if (steps_ == 0 || --steps_ == 0) return;
      if (steps_ % 256 == 0) monitor_.tick(0.0);
      const std::size_t entered = enter(mask, record);
      mask_of_[record] = mask;
      if (cheaper(spent + weight + after_[at + 1] + lacking(at + 1)))
        branch(at + 1, spent + weight);
      leave(entered);
    }
  }

  bool before(Mask a, Mask b) const {
    return table_.weight(a) != table_.weight(b) ? table_.weight(a) < table_.weight(b) : a < b;
  }

  // Rounding of sums in another order is no gain.
  bool cheaper(double cost) const { return cost < *cost_ - 1e-9 * (1.0 + *cost_); }

  std::size_t enter(Mask mask, std::size_t record) {
    for (std::size_t c = 0; c < classes_.size(); ++c)
      if (classes_[c].mask == mask && (table_.differing(classes_[c].record, record) & ~mask) == 0) {
        ++classes_[c].count;
        return c;
      }
    classes_.push_back({mask, record, 1});
    return classes_.size() - 1;
  }

  void leave(std::size_t c) {
    if (--classes_[c].count == 0) classes_.pop_back();
  }

  // What records to come must suppress beyond their least to fill all classes; infinite where they
  // cannot. A record fills one class only, so classes add up.
  double lacking(std::size_t at) {
    double sum = 0.0;
    for (const Class& one : classes_) {
      if (one.count >= k_) continue;
      more_.clear();
      for (std::size_t i = at; i < order_.size(); ++i)
        if ((table_.differing(one.record, order_[i]) & ~one.mask) == 0)
          more_.push_back(std::max(0.0, table_.weight(one.mask) - least_[order_[i]]));
      const std::size_t wanted = k_ - one.count;
      if (more_.size() < wanted) return std::numeric_limits<double>::infinity();
      std::sort(more_.begin(), more_.end());
      sum =
          std::accumulate(more_.begin(), more_.begin() + static_cast<std::ptrdiff_t>(wanted), sum);
    }
    return sum;
  }

  const CellTable& table_;
  const std::vector<Mask>& masks_;
  const std::vector<double>& least_;
  std::size_t k_;
  ProgressMonitor& monitor_;
  std::vector<std::size_t> order_;
  std::vector<double> after_, more_;
  std::vector<Mask> mask_of_;
  std::vector<Class> classes_;
  std::size_t steps_ = 0;
  double* cost_ = nullptr;
  std::vector<Mask>* best_ = nullptr;
};

}  // namespace tokumei::lattice
