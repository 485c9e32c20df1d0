// The best move or swap of one record among the groups of its nearest records.
//
// For a record x of group A and each such group B: x moves to B, where A keeps k and B has room; or
// x and a member y of B change places. Costs O(d) a change looked at. Of equal changes the group
// met first wins, then the member that stands first.
//
// For squares a swap costs one product a member and attribute: with s = 1/a + 1/b,
//   -2 (y-x).(cA-cB) - s |y-x|^2  =  y.u - s |y|^2 - (x.u - s |x|^2),   u = 2 (s x - (cA-cB)).
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <vector>

#include "tokumei/refine/category_tally.hpp"
#include "tokumei/refine/codes_of_groups.hpp"
#include "tokumei/refine/matched_members.hpp"
#include "tokumei/refine/member_swaps.hpp"
#include "tokumei/refine/search_state.hpp"
#include "tokumei/runtime/instruction_sets.hpp"
#include "tokumei/simd/lanes.hpp"
#include "tokumei/simd/reductions.hpp"

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

  // Room for the changes by each member of a group.
  double* changes(std::size_t members) {
    if (changes_.size() < padded(members)) changes_.resize(padded(members));
    return changes_.data();
  }

  MatchedMembers matched;  // members of the groups with the record's own
  CategoryTally tally_of_own, tally_of_other;

 private:
  std::uint64_t now_ = 0;
  std::size_t count_ = 0;
  std::vector<std::uint64_t> seen_;
  std::vector<StateIndex> groups_;
  std::vector<double> factors_, changes_;
};

// Which costs have codes that are squares alone, and which have them tallied.
template <class Cost>
inline constexpr bool of_codes = std::is_same_v<typename Cost::Codes, SquaresOfCategories>;
template <class Cost>
inline constexpr bool of_tallies =
    !of_codes<Cost> && !std::is_same_v<typename Cost::Codes, NoCodes>;

// The best change, looked at one by one, of those that allowed(own, gone, come) allows: whether the
// group may be without the one record and with the other, either of which may be nobody.
template <std::size_t bytes, class SearchState, class Allowed>
TOKUMEI_HOT Change best_of_all(const SearchState& state, StateIndex row, NearGroups& near,
                               Allowed&& allowed) {
  using Cost = typename SearchState::Cost;
  const StateIndex own = state.group_of(row);
  const Weighed x = state.record(row);
  const GroupStatistics a = state.statistics(own);
  const bool may_leave = state.size(own) > state.k;
  const double leaving = may_leave ? state.template leaving<bytes>(row) : 0.0;
  if constexpr (of_tallies<Cost>) state.codes().count(state.members_of(own), near.tally_of_own);
  if constexpr (of_codes<Cost>) near.matched.ask(state.categories(), state.members_of(own));
  Change best;
  const auto offer = [&](double by, StateIndex group, StateIndex other) TOKUMEI_HOT_LAMBDA {
    if (by < best.by && allowed(own, row, other) && allowed(group, other, row))
      best = {by, group, other};
  };
  for (std::size_t g = 0; g < near.count(); ++g) {
    const StateIndex group = near[g];
    const GroupStatistics b = state.statistics(group);
    if (may_leave && state.size(group) < state.most)
      offer(state.template joining<bytes>(row, group) + leaving, group, Change::nobody);
    double matched = 0.0;
    const MembersOf members = state.members_of(group);
    if constexpr (of_tallies<Cost>) {
      state.codes().count(members, near.tally_of_other);
    } else if constexpr (of_codes<Cost>) {
      matched = state.categories().template matched<bytes>(row, members.place, members.size);
    }
    double* changes = nullptr;
    if constexpr (Cost::tiled) {
      changes = near.changes(members.size);
      for (std::size_t m = 0; m < members.size; m += lane_count)
        store(changes + m, MemberSwaps<bytes>::of_chunk(
                               x.values, state.chunk(group, m / lane_count), state.columns, a, b));
    }
    for (std::size_t m = 0; m < state.size(group); ++m) {
      const StateIndex other = state.members(group)[m];
      const Weighed y = state.record(other);
      double by;
      if constexpr (Cost::tiled)
        by = changes[m];
      else
        by = Cost::template replacing<bytes>(x, y, a) + Cost::template replacing<bytes>(y, x, b);
      if constexpr (of_tallies<Cost>) {
        const WeighedRow gone = state.weighed(row), come = state.weighed(other);
        by += state.codes().replacing(gone, come, near.tally_of_own) +
              state.codes().replacing(come, gone, near.tally_of_other);
      } else if constexpr (of_codes<Cost>) {
        const double with_own = near.matched.with(state.categories(), other);
        by += state.categories().exchanged(row, other, matched, with_own, a.mass, b.mass);
      }
      offer(by, group, other);
    }
  }
  return best;
}

template <class SearchState>
struct BestChange {
  template <std::size_t bytes>
  struct Body {
    using Cost = typename SearchState::Cost;
    using V = Lanes<double, bytes, lane_count>;

    TOKUMEI_HOT static Change run(const SearchState* state, StateIndex row,
                                  const StateIndex* nearest, std::size_t reach, NearGroups* near) {
      near->find(*state, state->group_of(row), nearest, reach);
      if constexpr (!Cost::tiled)
        return best_of_all<bytes>(*state, row, *near,
                                  [](auto...) TOKUMEI_HOT_LAMBDA { return true; });
      else if (state->columns == lane_count)
        return by_tiles<1, true>(*state, row, *near);
      else if (state->columns < lane_count)
        return by_tiles<1, false>(*state, row, *near);
      else
        return by_tiles<0, false>(*state, row, *near);
    }

   private:
    // Compiled for eight attributes and for fewer, whose numbers stay in registers, and for any
    // number.
    template <std::size_t fixed_chunks, bool full>
    TOKUMEI_HOT static Change by_tiles(const SearchState& state, StateIndex row, NearGroups& near) {
      double* const factors = near.factors();
      const std::size_t columns = full ? lane_count : state.columns;
      const std::size_t width = fixed_chunks == 0 ? columns : fixed_chunks * lane_count;
      const StateIndex own = state.group_of(row);
      const Weighed record = state.record(row);
      const double* x = record.values;
      const GroupStatistics a = state.statistics(own);
      const double own_share = 1.0 / a.mass;
      const bool may_leave = state.size(own) > state.k;
      const double leaving = may_leave ? state.template leaving<bytes>(row) : 0.0;
      if constexpr (of_codes<Cost>) near.matched.ask(state.categories(), state.members_of(own));
      Change best;
      V least{}, where{};
      for (std::size_t g = 0; g < near.count(); ++g) {
        const StateIndex group = near[g];
        const GroupStatistics b = state.statistics(group);
        if (!of_codes<Cost> && may_leave && state.size(group) < state.most) {
          const double by = Cost::template joining<bytes>(record, b) + leaving;
          if (by < best.by) best = {by, group, Change::nobody};
        }
        const double b_share = 1.0 / b.mass;
        const double shares = own_share + b_share;
        V own_products{};
        for (std::size_t j = 0; j < width; j += lane_count) {
          const V here = load<V>(x + j);
          const V scaled = here * shares;
          const V u = (scaled - (load<V>(a.statistics + j) - load<V>(b.statistics + j))) * 2.0;
          own_products = own_products + here * (u - scaled);
          store(factors + j, u);
        }
        double own_product = total(own_products);
        const std::size_t chunks = padded(state.size(group)) / lane_count;
        V name = broadcast<V>(static_cast<double>(g * chunks_of_a_group));
        double* changes = nullptr;
        if constexpr (of_codes<Cost>) {
          changes = near.changes(state.size(group));
          const double matched =
              changes_by_codes(state, row, group, own_share, b_share, near, changes);
          const auto& codes = state.categories();
          own_product +=
              codes.norm(row) * shares - 2 * codes.own(row) * own_share + 2 * matched * b_share;
          if (may_leave && state.size(group) < state.most) {
            const double by = Cost::template joining<bytes>(record, b) +
                              b.mass / (b.mass + 1) * codes.to_mean(row, group, matched, b.mass) +
                              leaving;
            if (by < best.by) best = {by, group, Change::nobody};
          }
        }
        for (std::size_t chunk = 0; chunk < chunks; ++chunk, name = name + 1.0) {
          const double* tile = state.chunk(group, chunk);
          V products{};
          if constexpr (of_codes<Cost>) products = load<V>(changes + chunk * lane_count);
          for (std::size_t j = 0; j < columns; ++j)
            products = products + load<V>(tile + j * lane_count) * factors[j];
          const V by = products - load<V>(tile + columns * lane_count) * shares - own_product;
          const auto less = by < least;
          least = select(less, by, least);
          where = select(less, name, where);
        }
      }
      const double found = lowest(least);
      if (!(found < best.by)) return best;
      // Of equal ones the first: no name is met twice in a lane.
      const auto equal = least == found;
      const double first = lowest(select(equal, where, broadcast<V>(nobody_named)));
      const auto lane =
          static_cast<std::size_t>(std::countr_zero(bits_of(equal) & bits_of(where == first)));
      const auto name = static_cast<std::size_t>(first);
      const StateIndex group = near[name / chunks_of_a_group];
      const std::size_t member = name % chunks_of_a_group * lane_count + lane;
      return {found, group, state.members(group)[member]};
    }

    // What the codes of each member y of a group B change where it takes the place of x in A, but
    // for what x alone and the lengths of y change; returns m(x, B). With s = 1/a + 1/b that is
    //   2 s (x's inner product with y) - 2 m(y, A) / a + 2 m(y, B) / b.
    TOKUMEI_HOT static double changes_by_codes(const SearchState& state, StateIndex x,
                                               StateIndex group, double a_share, double b_share,
                                               NearGroups& near, double* changes) {
      const CategoryState& codes = state.categories();
      const MembersOf members = state.members_of(group);
      const double* keys = codes.keys(x);
      V matched{};
      for (std::size_t first = 0; first < members.size; first += lane_count) {
        const double* tile = codes.chunk(members.place + first);
        const V shared = codes.template shared_with<V>(keys, tile);
        const V with_a = near.matched.template with_tile<V>(codes, members.place + first);
        const V with_b = load<V>(tile + codes.columns * lane_count);
        matched = matched + shared;
        store(changes + first,
              shared * (2 * (a_share + b_share)) - with_a * (2 * a_share) + with_b * (2 * b_share));
      }
      return total(matched);
    }

    static constexpr std::size_t chunks_of_a_group = std::size_t{1} << 32;
    static constexpr double nobody_named = std::numeric_limits<double>::infinity();
  };
};

}  // namespace tokumei::refine
