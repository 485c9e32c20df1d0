// What the columns of codes add to the cost of groups on a state, for each kind of cost: nothing,
// squares (category_state.hpp), or what a tally of the group says (tallied_costs.hpp).
//
// A record is its index and its weight, a group its members as they stand; changes are those of
// group_cost.hpp. O(members x columns) to look at a group, once a version of it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "tokumei/refine/category_state.hpp"
#include "tokumei/refine/category_tally.hpp"
#include "tokumei/refine/group_cost.hpp"
#include "tokumei/refine/matched_members.hpp"
#include "tokumei/refine/state_records.hpp"
#include "tokumei/refine/tallied_costs.hpp"
#include "tokumei/simd/lanes.hpp"

namespace tokumei::refine {

// A record of a state and how much it counts.
struct WeighedRow {
  StateIndex row;
  double weight;
};

// Records without codes.
struct NoCodes {
  static constexpr std::size_t reach = 8;  // nearest records whose groups a record may change to
  static constexpr std::size_t breadth = 1;

  NoCodes() = default;
  NoCodes(const StateRecords&, std::size_t, std::size_t) {}

  double apart(StateIndex, StateIndex) const { return 0.0; }
  double norm(StateIndex) const { return 0.0; }
  double to_centre(WeighedRow, const MembersOf&) const { return 0.0; }
  template <std::size_t bytes>
  TOKUMEI_HOT double joining(WeighedRow, const MembersOf&) const {
    return 0.0;
  }
  double leaving(WeighedRow, const MembersOf&) const { return 0.0; }
  template <std::size_t bytes>
  TOKUMEI_HOT double refresh(const MembersOf&) {
    return 0.0;
  }

  void set(std::size_t, StateIndex, StateIndex) {}
  void leave(std::size_t, StateIndex) {}
  void begin() {}
  void keep(const MembersOf&) {}
  void begin_to_bring_back() {}
  void bring_back(const MembersOf&) {}

  CategoryState state;  // that knows of no column
};

// Those of a state, and how they change hands.
class KeptCodes {
 public:
  // Those of a record with codes lie in twice as many groups: as many groups are looked at.
  static constexpr std::size_t reach = 4;
  // And for its nearest records, where there are perturbations, through so many times as many
  // groups: what a group mostly is of codes tells little of where the nearest records are.
  static constexpr std::size_t breadth = 3;

  KeptCodes() = default;
  KeptCodes(const StateRecords& records, std::size_t places, std::size_t groups,
            std::vector<double> weights)
      : state(records.table, records.rows, places, groups, std::move(weights)) {}

  double apart(StateIndex a, StateIndex b) const { return state.apart(a, b); }
  double norm(StateIndex row) const { return state.norm(row); }

  void set(std::size_t place, StateIndex row, StateIndex group) { state.set(place, row, group); }
  void leave(std::size_t place, StateIndex group) { state.leave(place, group); }
  void begin() { state.begin(); }
  void keep(const MembersOf& group) { state.keep(group.group, group.members, group.size); }
  void begin_to_bring_back() { state.begin_to_bring_back(); }
  void bring_back(const MembersOf& group) {
    state.bring_back(group.group, group.members, group.size, group.place);
  }

  CategoryState state;
};

// Squared distances to the mean of records that all weigh 1.
class SquaresOfCategories : public KeptCodes {
 public:
  SquaresOfCategories() = default;
  SquaresOfCategories(const StateRecords& records, std::size_t places, std::size_t groups)
      : KeptCodes(records, places, groups,
                  {records.table.weights.begin(), records.table.weights.end()}) {}

  template <std::size_t bytes = narrowest>
  TOKUMEI_HOT double to_centre(WeighedRow x, const MembersOf& group) const {
    const double matched = state.matched<bytes>(x.row, group.place, group.size);
    return state.to_mean(x.row, group.group, matched, static_cast<double>(group.size));
  }
  template <std::size_t bytes>
  TOKUMEI_HOT double joining(WeighedRow x, const MembersOf& group) const {
    const double size = static_cast<double>(group.size);
    return size / (size + 1) * to_centre<bytes>(x, group);
  }
  TOKUMEI_HOT double leaving(WeighedRow x, const MembersOf& group) const {
    const double size = static_cast<double>(group.size);
    return -size / (size - 1) * state.to_mean(x.row, group.group, state.own(x.row), size);
  }
  template <std::size_t bytes>
  TOKUMEI_HOT double refresh(const MembersOf& group) {
    return group.size == 0
               ? 0.0
               : state.template refresh<bytes>(group.group, group.members, group.size, group.place);
  }
};

// What Tallied says: functions of a tally.
template <class Tallied>
class TalliedCategories : public KeptCodes {
 public:
  TalliedCategories() = default;
  TalliedCategories(const StateRecords& records, std::size_t places, std::size_t groups)
      : KeptCodes(records, places, groups, Tallied::of_weights(records.table.weights)),
        weights_(records.weights) {}

  double to_centre(WeighedRow x, const MembersOf& group) const {
    return Tallied::to_centre(state, tally(group), tallied(x));
  }
  template <std::size_t bytes>
  TOKUMEI_HOT double joining(WeighedRow x, const MembersOf& group) const {
    return Tallied::joining(state, tally(group), tallied(x));
  }
  double leaving(WeighedRow x, const MembersOf& group) const {
    return Tallied::leaving(state, tally(group), tallied(x));
  }
  template <std::size_t bytes>
  TOKUMEI_HOT double refresh(const MembersOf& group) {
    return group.size == 0 ? 0.0 : Tallied::cost(state, tally(group));
  }

  // Of a swap of x and y: the change of the group that x leaves and y joins.
  double replacing(WeighedRow x, WeighedRow y, const CategoryTally& group) const {
    return Tallied::replacing(state, group, tallied(x), tallied(y));
  }
  void count(const MembersOf& group, CategoryTally& tally) const {
    tally.count(state, group.members, group.size, weights_.empty() ? nullptr : weights_.data());
  }

 private:
  TalliedRecord tallied(WeighedRow x) const { return {state.places(x.row), x.weight}; }

  // That of the group that was asked for last is kept until it changes.
  const CategoryTally& tally(const MembersOf& group) const {
    const std::uint64_t version = state.version(group.group);
    if (tallied_ != version) count(group, tally_);
    tallied_ = version;
    return tally_;
  }

  std::vector<double> weights_;
  mutable CategoryTally tally_;
  mutable std::uint64_t tallied_ = 0;  // the version of the group it is of
};

}  // namespace tokumei::refine
