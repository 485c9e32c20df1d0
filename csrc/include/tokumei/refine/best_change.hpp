// The best move or swap of one record among the groups of its nearest records.
//
// For a record x of group A and each such group B: x moves to B, where A keeps k and B has room; or
// x and a member y of B change places. Costs O(d) a change looked at. Of equal changes the group
// met first wins, then the member that stands first.
//
// For squares a swap costs one product a member and attribute: with s = 1/a + 1/b,
//   -2 (y-x).(cA-cB) - s |y-x|^2  =  y.u - s |y|^2 - (x.u - s |x|^2),   u = 2 (s x - (cA-cB)).
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "tokumei/refine/search_state.hpp"
#include "tokumei/runtime/instruction_sets.hpp"
#include "tokumei/simd/eight.hpp"

namespace tokumei::refine {

// What to do with a record: nothing, move it to `group`, or swap it with `other` (of `group`).
struct Change {
  static constexpr StateIndex nobody = ~StateIndex{0};
  double by = 0.0;
  StateIndex group = nobody;
  StateIndex other = nobody;
};

// The other groups among a record's nearest, each once, as they are met.
class NearGroups {
 public:
  NearGroups(std::size_t groups, std::size_t reach, std::size_t width)
      : seen_(groups, 0), groups_(reach + 1), factors_(width) {}

  template <class SearchState>
  TOKUMEI_HOT void find(const SearchState& state, StateIndex own, const StateIndex* nearest,
                        std::size_t reach) {
    seen_[own] = ++now_;
    count_ = 0;
    for (std::size_t i = 0; i < reach; ++i) {
      // Written in any case, counted where it is new: nothing for a processor to guess.
      const StateIndex group = state.group_of(nearest[i]);
      groups_[count_] = group;
      count_ += seen_[group] != now_;
      seen_[group] = now_;
    }
  }

  std::size_t count() const { return count_; }
  StateIndex operator[](std::size_t i) const { return groups_[i]; }

  // Room for one row of numbers.
  double* factors() { return factors_.data(); }

 private:
  std::uint64_t now_ = 0;
  std::size_t count_ = 0;
  std::vector<std::uint64_t> seen_;
  std::vector<StateIndex> groups_;
  std::vector<double> factors_;
};

template <class SearchState>
struct BestChange {
  TOKUMEI_HOT static Change run(const SearchState* state, StateIndex row, const StateIndex* nearest,
                                std::size_t reach, NearGroups* near) {
    near->find(*state, state->group_of(row), nearest, reach);
    if constexpr (!SearchState::Cost::tiled)
      return plainly(*state, row, *near);
    else if (state->columns == lane_count)
      return by_eights<1>(*state, row, *near, near->factors());
    else
      return by_eights<0>(*state, row, *near, near->factors());
  }

 private:
  using Cost = typename SearchState::Cost;

  TOKUMEI_HOT static Change plainly(const SearchState& state, StateIndex row,
                                    const NearGroups& near) {
    const StateIndex own = state.group_of(row);
    const Weighed x = state.record(row);
    const GroupStatistics a = state.lines(own);
    const bool may_leave = state.size(own) > state.k;
    const double leaving = may_leave ? Cost::leaving(x, a) : 0.0;
    Change best;
    for (std::size_t g = 0; g < near.count(); ++g) {
      const StateIndex group = near[g];
      const GroupStatistics b = state.lines(group);
      if (may_leave && state.size(group) < state.most) {
        const double by = Cost::joining(x, b) + leaving;
        if (by < best.by) best = {by, group, Change::nobody};
      }
      for (std::size_t m = 0; m < state.size(group); ++m) {
        const StateIndex other = state.members(group)[m];
        const Weighed y = state.record(other);
        const double by = Cost::replacing(x, y, a) + Cost::replacing(y, x, b);
        if (by < best.by) best = {by, group, other};
      }
    }
    return best;
  }

  // Compiled for eight attributes, whose numbers stay in a register, and for any number.
  template <std::size_t fixed_chunks>
  TOKUMEI_HOT static Change by_eights(const SearchState& state, StateIndex row,
                                      const NearGroups& near, double* factors) {
    const std::size_t columns = fixed_chunks == 0 ? state.columns : fixed_chunks * lane_count;
    const StateIndex own = state.group_of(row);
    const Weighed record = state.record(row);
    const double* x = record.values;
    const double* own_centre = state.centre(own);
    const double own_share = 1.0 / state.lines(own).mass;
    const bool may_leave = state.size(own) > state.k;
    const double leaving = may_leave ? Cost::leaving(record, state.lines(own)) : 0.0;
    Change best;
    Eight least = {}, where = {};
    for (std::size_t g = 0; g < near.count(); ++g) {
      const StateIndex group = near[g];
      const GroupStatistics b = state.lines(group);
      if (may_leave && state.size(group) < state.most) {
        const double by = Cost::joining(record, b) + leaving;
        if (by < best.by) best = {by, group, Change::nobody};
      }
      const double shares = own_share + 1.0 / b.mass;
      const double first = static_cast<double>(g * chunks_of_a_group);
      Eight own_products = {};
      for (std::size_t j = 0; j < columns; j += lane_count) {
        const Eight here = load(x + j);
        const Eight scaled = here * shares;
        const Eight u = (scaled - (load(own_centre + j) - load(b.lines + j))) * 2.0;
        own_products = own_products + here * (u - scaled);
        store(factors + j, u);
      }
      const double own_product = total(own_products);
      const std::size_t chunks = padded(state.size(group)) / lane_count;
      for (std::size_t chunk = 0; chunk < chunks; ++chunk) {
        const double* tile = state.chunk(group, chunk);
        Eight products = {};
        for (std::size_t j = 0; j < columns; ++j)
          products = products + load(tile + j * lane_count) * factors[j];
        const Eight by = products - load(tile + columns * lane_count) * shares - own_product;
        keep_less(least, where, by, first + static_cast<double>(chunk));
      }
    }
    if (!(lowest(least) < best.by)) return best;
    double by[lane_count], place[lane_count];
    store(by, least);
    store(place, where);
    std::size_t lane = 0;
    for (std::size_t i = 1; i < lane_count; ++i)
      if (by[i] < by[lane] || (by[i] == by[lane] && place[i] < place[lane])) lane = i;
    const auto found = static_cast<std::size_t>(place[lane]);
    const StateIndex group = near[found / chunks_of_a_group];
    const std::size_t member = (found % chunks_of_a_group) * lane_count + lane;
    return {by[lane], group, state.members(group)[member]};
  }

  static constexpr std::size_t chunks_of_a_group = std::size_t{1} << 32;
};

// The best of those changes that leave both groups as the rules want them.
template <class SearchState>
Change best_allowed_change(const SearchState& state, StateIndex row, const StateIndex* nearest,
                           std::size_t reach, NearGroups& near, std::vector<StateIndex>& scratch) {
  using Cost = typename SearchState::Cost;
  const StateIndex own = state.group_of(row);
  const Weighed x = state.record(row);
  const GroupStatistics a = state.lines(own);
  const bool may_leave = state.size(own) > state.k;
  const double leaving = may_leave ? Cost::leaving(x, a) : 0.0;
  // Whether the group may be without `gone` and with `come`.
  const auto allowed = [&](StateIndex group, StateIndex gone, StateIndex come) {
    scratch.clear();
    for (std::size_t m = 0; m < state.size(group); ++m)
      if (state.members(group)[m] != gone) scratch.push_back(state.members(group)[m]);
    if (come != Change::nobody) scratch.push_back(come);
    return state.allows(scratch.data(), scratch.data() + scratch.size());
  };
  Change best;
  near.find(state, own, nearest, reach);
  for (std::size_t g = 0; g < near.count(); ++g) {
    const StateIndex group = near[g];
    const GroupStatistics b = state.lines(group);
    if (may_leave && state.size(group) < state.most) {
      const double by = Cost::joining(x, b) + leaving;
      if (by < best.by && allowed(own, row, Change::nobody) && allowed(group, Change::nobody, row))
        best = {by, group, Change::nobody};
    }
    for (std::size_t m = 0; m < state.size(group); ++m) {
      const StateIndex other = state.members(group)[m];
      const Weighed y = state.record(other);
      const double by = Cost::replacing(x, y, a) + Cost::replacing(y, x, b);
      if (by < best.by && allowed(own, row, other) && allowed(group, other, row))
        best = {by, group, other};
    }
  }
  return best;
}

}  // namespace tokumei::refine
