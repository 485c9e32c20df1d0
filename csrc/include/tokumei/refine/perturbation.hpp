// Perturbing groups near one record, so that a local search finds its way to other arrangements.
//
// form:     the record and its k-1 nearest (distances blurred by a factor up to 2) become a group;
// a
//           group robbed below k is refilled with the cheapest neighbours of larger groups, or
//           dissolved.
// resplit:  the record's group and one or two neighbouring groups are pooled and cut anew (see
//           ruin_and_recreate.hpp).
// dissolve: each member of the record's group goes to its cheapest neighbouring group.
// A group that reaches 2k records is split at once. Every perturbation leaves all groups with at
// least k records or says that it could not (then the caller undoes it).
#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "tokumei/numeric/random.hpp"
#include "tokumei/refine/local_search.hpp"
#include "tokumei/refine/ruin_and_recreate.hpp"
#include "tokumei/refine/search_state.hpp"

namespace tokumei::refine {

template <class SearchState>
class Perturbation {
 public:
  using Index = StateIndex;

  Perturbation(SearchState& state, const Nearest& nearest, Xoshiro256& chance)
      : state_(state), nearest_(nearest), chance_(chance), cut_(state, chance) {}

  // One perturbation around a record, of a kind drawn by chance; false where it is impossible.
  bool perturbation(Index row) {
    const double kind = chance_.uniform();
    if (kind < 0.6) return form(row);
    if (kind < 0.9) return resplit(row);
    return dissolve(state_.group_of(row));
  }

 private:
  bool form(Index row) {
    const std::size_t k = state_.k;
    if (nearest_.count + 1 < k || k < 2) return false;
    ranked_.clear();
    const Index* near = nearest_.of(row);
    const std::size_t reach = std::min(nearest_.count, 3 * k);
    for (std::size_t i = 0; i < reach; ++i)
      ranked_.push_back({state_.apart(row, near[i]) * (1 + chance_.uniform()), near[i]});
    std::nth_element(ranked_.begin(), ranked_.begin() + static_cast<std::ptrdiff_t>(k - 2),
                     ranked_.end());
    robbed_.clear();
    const Index fresh = state_.open_group();
    const auto bring = [&](Index other) {
      const Index from = state_.group_of(other);
      if (std::find(robbed_.begin(), robbed_.end(), from) == robbed_.end()) robbed_.push_back(from);
      state_.take(other);
      state_.put(other, fresh);
    };
    bring(row);
    for (std::size_t i = 0; i + 1 < k; ++i) bring(ranked_[i].row);
    state_.refresh(fresh);
    for (const Index group : robbed_) {
      state_.refresh(group);
      if (state_.size(group) == 0) state_.close_group(group);
    }
    for (std::size_t i = 0; i < robbed_.size(); ++i) {
      const Index group = robbed_[i];
      if (state_.size(group) == 0 || state_.size(group) >= k) continue;
      if (chance_.uniform() < 0.5 && refill(group)) continue;
      if (!dissolve(group)) return false;
    }
    return true;
  }

  // Brings a group back to k by the cheapest records of larger groups near its members.
  bool refill(Index group) {
    while (state_.size(group) < state_.k) {
      double least = 0;
      Index best = Change::nobody;
      for (std::size_t m = 0; m < state_.size(group); ++m) {
        const Index* near = nearest_.of(state_.members(group)[m]);
        const std::size_t reach = std::min<std::size_t>(nearest_.count, 8);
        for (std::size_t i = 0; i < reach; ++i) {
          const Index from = state_.group_of(near[i]);
          if (from == group || state_.size(from) <= state_.k) continue;
          const double by = state_.joining(near[i], group) + state_.leaving(near[i]);
          if (best == Change::nobody || by < least) {
            least = by;
            best = near[i];
          }
        }
      }
      if (best == Change::nobody) return false;
      const Index from = state_.group_of(best);
      state_.move(best, group);
      state_.refresh(from);
      state_.refresh(group);
    }
    return true;
  }

  bool dissolve(Index group) {
    while (state_.size(group) > 0) {
      const Index row = state_.members(group)[0];
      const Index* near = nearest_.of(row);
      double least = 0;
      Index best = Change::nobody;
      for (std::size_t i = 0; i < nearest_.count; ++i) {
        const Index to = state_.group_of(near[i]);
        if (to == group || to == best) continue;
        const double by = state_.joining(row, to);
        if (best == Change::nobody || by < least) {
          least = by;
          best = to;
        }
        if (i >= 8 && best != Change::nobody) break;
      }
      if (best == Change::nobody) return false;
      state_.move(row, best);
      state_.refresh(best);
      if (state_.size(best) > state_.most) split(best);
    }
    state_.refresh(group);
    state_.close_group(group);
    return true;
  }

  // Two groups of at least k from one that grew too large: around its record farthest from the
  // centre, and around the one farthest from that.
  void split(Index group) {
    pool_.assign(state_.members(group), state_.members(group) + state_.size(group));
    const Index first = *std::max_element(pool_.begin(), pool_.end(), [&](Index a, Index b) {
      return state_.to_centre(a, group) < state_.to_centre(b, group);
    });
    const Index second = *std::max_element(pool_.begin(), pool_.end(), [&](Index a, Index b) {
      return state_.apart(first, a) < state_.apart(first, b);
    });
    ranked_.clear();
    for (const Index row : pool_)
      ranked_.push_back({state_.apart(first, row) - state_.apart(second, row), row});
    std::sort(ranked_.begin(), ranked_.end());
    const Index other = state_.open_group();
    const std::size_t records = ranked_.size();
    const std::size_t half = std::min(records - records / 2, state_.most);
    for (std::size_t i = records - half; i < records; ++i) state_.move(ranked_[i].row, other);
    state_.refresh(group);
    state_.refresh(other);
  }

  // The groups of the records near the members of a group, in the order in which they are met.
  void neighbours_of(Index group) {
    around_.clear();
    for (std::size_t m = 0; m < state_.size(group); ++m) {
      const Index* near = nearest_.of(state_.members(group)[m]);
      const std::size_t reach = std::min<std::size_t>(nearest_.count, 8);
      for (std::size_t i = 0; i < reach; ++i) {
        const Index other = state_.group_of(near[i]);
        if (other != group && std::find(around_.begin(), around_.end(), other) == around_.end())
          around_.push_back(other);
      }
    }
  }

  bool resplit(Index row) {
    const Index own = state_.group_of(row);
    neighbours_of(own);
    if (around_.empty()) return false;
    std::size_t partners = chance_.uniform() < 0.5 ? 1 : 2;
    partners = std::min(partners, around_.size());
    for (std::size_t i = 0; i < partners; ++i)
      std::swap(around_[i], around_[i + chance_.below(around_.size() - i)]);
    around_.resize(partners);
    around_.push_back(own);
    cut_.anew(around_);
    return true;
  }

  SearchState& state_;
  const Nearest& nearest_;
  Xoshiro256& chance_;
  RuinAndRecreate<SearchState> cut_;
  std::vector<RankedRow> ranked_;
  std::vector<Index> robbed_, pool_, around_;
};

}  // namespace tokumei::refine
