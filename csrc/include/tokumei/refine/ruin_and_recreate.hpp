// Some groups pooled and cut anew: one group after another is taken from around a seed.
//
// A seed is a random record of what is left, or one at its rim; its group is its nearest. Mostly as
// many groups are made as there were, at times one more or less; all have k to `most` records.
// O(records) a group.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "tokumei/numeric/random.hpp"
#include "tokumei/refine/search_state.hpp"

namespace tokumei::refine {

// Rows by a key; of equal keys the lower row first.
struct RankedRow {
  double key;
  StateIndex row;
  bool operator<(const RankedRow& other) const {
    return key < other.key || (key == other.key && row < other.row);
  }
};

template <class SearchState>
class RuinAndRecreate {
 public:
  using Index = StateIndex;

  RuinAndRecreate(SearchState& state, Xoshiro256& chance) : state_(state), chance_(chance) {}

  void anew(const std::vector<Index>& groups) {
    pool_.clear();
    for (const Index group : groups)
      pool_.insert(pool_.end(), state_.members(group), state_.members(group) + state_.size(group));
    const std::size_t number = new_number(groups.size());
    for (const Index group : groups) {
      while (state_.size(group) > 0) state_.take(state_.members(group)[0]);
      state_.refresh(group);
      state_.close_group(group);
    }
    for (std::size_t left = number; left > 0; --left) {
      const Index group = state_.open_group();
      cut_off(left, group);
      state_.refresh(group);
    }
  }

 private:
  std::size_t new_number(std::size_t groups) {
    const std::size_t highest = pool_.size() / state_.k;
    const std::size_t lowest = (pool_.size() + state_.most - 1) / state_.most;
    const double u = chance_.uniform();
    if (u < 0.25) ++groups;
    if (u > 0.75) --groups;
    return std::min(std::max(groups, lowest), highest);
  }

  // Takes one group out of the pool, so that `left` - 1 others can follow.
  void cut_off(std::size_t left, Index group) {
    const std::size_t records = pool_.size(), others = left - 1;
    std::size_t size = records;
    if (others > 0) {
      const std::size_t least =
          std::max(state_.k, records > others * state_.most ? records - others * state_.most : 0);
      const std::size_t largest = std::min(state_.most, records - others * state_.k);
      size = least;
      if (largest > least && chance_.uniform() < 0.3) size += chance_.below(largest - least + 1);
      const Index seed = chance_.uniform() < 0.5 ? pool_[chance_.below(records)] : outermost();
      ranked_.clear();
      for (const Index row : pool_) ranked_.push_back({row == seed ? -1.0 : apart(seed, row), row});
      std::nth_element(ranked_.begin(), ranked_.begin() + static_cast<std::ptrdiff_t>(size - 1),
                       ranked_.end());
      for (std::size_t i = 0; i < records; ++i) pool_[i] = ranked_[i].row;
    }
    for (std::size_t i = 0; i < size; ++i) state_.put(pool_[i], group);
    pool_.erase(pool_.begin(), pool_.begin() + static_cast<std::ptrdiff_t>(size));
  }

  // The record of the pool farthest from a random one: a cheap way to its rim.
  Index outermost() {
    const Index from = pool_[chance_.below(pool_.size())];
    return *std::max_element(pool_.begin(), pool_.end(),
                             [&](Index a, Index b) { return apart(from, a) < apart(from, b); });
  }

  double apart(Index a, Index b) const { return state_.apart(a, b); }

  SearchState& state_;
  Xoshiro256& chance_;
  std::vector<Index> pool_;
  std::vector<RankedRow> ranked_;
};

}  // namespace tokumei::refine
