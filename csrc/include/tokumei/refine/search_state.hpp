// The state on which groups are rearranged: records, their groups, statistics and costs, and what
// it takes to change them and to take a change back.
//
// A state holds one block of records, small enough for a processor's cache; indices are local to
// it. Cost says what a group costs (group_cost.hpp). Statistics and cost of a group are
// always computed anew from its members after a change, never updated, so nothing drifts and
// undoing restores the same bits. Rules may say which groups are allowed at all (group_rules.hpp).
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "tokumei/refine/codes_of_groups.hpp"
#include "tokumei/refine/group_cost.hpp"
#include "tokumei/refine/group_rules.hpp"
#include "tokumei/refine/member_tiles.hpp"
#include "tokumei/refine/state_records.hpp"
#include "tokumei/refine/undo_log.hpp"
#include "tokumei/runtime/instruction_sets.hpp"
#include "tokumei/simd/lanes.hpp"

namespace tokumei::refine {

template <class CostOfGroups>
class SearchState {
 public:
  using Index = StateIndex;
  using Cost = CostOfGroups;

  // Groups 0..count-1 hold `least` to `largest` records or more, none of which then joins them,
  // except while a change is under way.
  SearchState(StateRecords records, std::size_t count, std::size_t least, std::size_t largest,
              const GroupRules* allowed, InstructionSet which)
      : rows(records.rows.size()), columns(records.columns), width(padded(columns)), k(least),
        most(largest), isa(which), rules(allowed), records_(std::move(records)), group_of_(rows),
        place_of_(rows) {
    sizes_.resize(count);
    for (const Index group : records_.groups) ++sizes_[group];
    // A perturbation may leave up to k groups short of records and one more opened.
    const std::size_t room = std::max(rows / k, count) + k + 4;
    sizes_.resize(room);
    std::size_t places = 0;
    for (auto& size : sizes_) {
      starts_.push_back(places);
      places += padded(std::max<std::size_t>(size, most) + 1);
      size = 0;
    }
    members_.resize(places);
    codes_ = typename Cost::Codes(records_, places, room);
    if constexpr (Cost::tiled) {
      tiles_ = MemberTiles(columns, places);
      for (std::size_t row = 0; row < rows; ++row)
        lengths_.push_back(squared_length(static_cast<Index>(row)));
    }
    statistics_.resize(room * Cost::rows * width);
    masses_.resize(room);
    costs_.resize(room);
    ledger_ = UndoLog(room);
    for (std::size_t row = 0; row < rows; ++row) put(static_cast<Index>(row), records_.groups[row]);
    for (std::size_t group = 0; group < count; ++group) refresh(static_cast<Index>(group));
    for (std::size_t group = room; group-- > count;) free_.push_back(static_cast<Index>(group));
  }

  const std::size_t rows, columns, width, k, most;
  const InstructionSet isa;
  const GroupRules* const rules;

  // Names of groups are less than this.
  std::size_t room() const { return sizes_.size(); }
  const std::vector<std::size_t>& table_rows() const { return records_.rows; }
  const double* values(Index row) const { return &records_.values[row * width]; }
  Weighed record(Index row) const {
    return {values(row), Cost::weighted ? records_.weights[row] : 1.0};
  }
  const double* centre(Index group) const { return &statistics_[group * Cost::rows * width]; }
  GroupStatistics statistics(Index group) const { return {centre(group), masses_[group], width}; }
  const Index* members(Index group) const { return &members_[starts_[group]]; }
  const double* chunk(Index group, std::size_t number) const {
    return tiles_.chunk(starts_[group] + number * lane_count);
  }
  std::size_t size(Index group) const { return sizes_[group]; }
  double cost(Index group) const { return costs_[group]; }
  Index group_of(Index row) const { return group_of_[row]; }

  // How far apart two records are, and a record from a group's centre, in the cost's own unit.
  double apart(Index a, Index b) const {
    return Cost::apart(values(a), values(b), width) + codes_.apart(a, b);
  }
  double to_centre(Index row, Index group) const {
    return Cost::apart(values(row), centre(group), width) +
           codes_.to_centre(weighed(row), members_of(group));
  }

  // What the cost changes where a record joins a group, and where it leaves its own.
  double joining(Index row, Index group) const {
    return dispatch_lanes<Joining>(isa, this, row, group);
  }
  template <std::size_t bytes>
  TOKUMEI_HOT double joining(Index row, Index group) const {
    return Cost::template joining<bytes>(record(row), statistics(group)) +
           codes_.template joining<bytes>(weighed(row), members_of(group));
  }
  template <std::size_t bytes = narrowest>
  TOKUMEI_HOT double leaving(Index row) const {
    const Index group = group_of_[row];
    return Cost::template leaving<bytes>(record(row), statistics(group)) +
           codes_.leaving(weighed(row), members_of(group));
  }

  const typename Cost::Codes& codes() const { return codes_; }
  const CategoryState& categories() const { return codes_.state; }
  WeighedRow weighed(Index row) const { return {row, record(row).weight}; }
  MembersOf members_of(Index group) const {
    return {group, members(group), sizes_[group], starts_[group]};
  }

  double total_cost() const {
    double sum = 0;
    for (std::size_t group = 0; group < sizes_.size(); ++group)
      if (sizes_[group] > 0) sum += costs_[group];
    return sum;
  }

  // What the rules say of a group.
  bool allows(Index group) const {
    return rules == nullptr || allows(members(group), members(group) + sizes_[group]);
  }
  bool allows(const Index* begin, const Index* end) const {
    named_.clear();
    for (; begin != end; ++begin) named_.push_back(records_.rows[*begin]);
    return rules->hold(named_.data(), named_.size(), room_);
  }

  // --- changes; each touches the groups it changes, statistics follow with `refresh` ---

  void move(Index row, Index to) {
    take(row);
    touch(to);
    put(row, to);
  }

  void swap(Index row, Index other) {
    const Index a = group_of_[row], b = group_of_[other];
    touch(a);
    touch(b);
    const Index at = place_of_[row], there = place_of_[other];
    set(other, a, at);
    set(row, b, there);
  }

  // Removes a record from its group; it must be put somewhere before the change ends.
  void take(Index row) {
    const Index group = group_of_[row];
    touch(group);
    const Index at = place_of_[row], last = --sizes_[group];
    set(members_[starts_[group] + last], group, at);
    leave(group, last);
  }

  void put(Index row, Index group) { set(row, group, sizes_[group]++); }

  // A group without members.
  Index open_group() {
    const Index group = free_.back();
    free_.pop_back();
    ledger_.name(group, true);
    touch(group);
    return group;
  }

  // Gives back the name of a group that has lost its last member.
  void close_group(Index group) {
    free_.push_back(group);
    ledger_.name(group, false);
  }

  // Statistics and cost of a group, from its members.
  void refresh(Index group) {
    if (sizes_[group] == 0) {
      costs_[group] = 0;
      return;
    }
    const StateGroup now{records_.values.data(), records_.weights.data(), width, members(group),
                         sizes_[group]};
    costs_[group] = dispatch_lanes<Refresh>(isa, this, group, &now);
  }

  // --- a trial: begin, change, look at `change`, then either begin anew or undo ---

  void begin() {
    ledger_.begin();
    codes_.begin();
  }

  const std::vector<Index>& touched() const { return ledger_.touched(); }

  // What the touched groups cost now, less what they cost at the beginning.
  double change() const {
    double after = 0;
    for (const Index group : touched()) after += costs_[group];
    return after - ledger_.cost();
  }

  void undo() {
    ledger_.each_name_backwards([&](Index group, bool opened) {
      if (opened)
        free_.push_back(group);
      else
        free_.pop_back();
    });
    codes_.begin_to_bring_back();
    ledger_.each_group([&](Index group, const Index* held, std::size_t size,
                           const double* statistics, double mass, double cost) {
      for (std::size_t place = size; place < sizes_[group]; ++place) leave(group, place);
      sizes_[group] = 0;
      for (std::size_t m = 0; m < size; ++m) put(held[m], group);
      double* to = &statistics_[group * Cost::rows * width];
      for (std::size_t j = 0; j < Cost::rows * width; ++j) to[j] = statistics[j];
      masses_[group] = mass;
      costs_[group] = cost;
      codes_.bring_back(members_of(group));
    });
  }

 private:
  template <std::size_t bytes>
  struct Refresh {
    TOKUMEI_HOT static double run(SearchState* state, Index group, const StateGroup* now) {
      double* statistics = &state->statistics_[group * Cost::rows * state->width];
      const double of_numbers =
          Cost::template refresh<bytes>(*now, statistics, &state->masses_[group], state->sorted_);
      return of_numbers + state->codes_.template refresh<bytes>(state->members_of(group));
    }
  };

  template <std::size_t bytes>
  struct Joining {
    TOKUMEI_HOT static double run(const SearchState* state, Index row, Index group) {
      return state->template joining<bytes>(row, group);
    }
  };

  double squared_length(Index row) const {
    double sum = 0;
    for (std::size_t j = 0; j < columns; ++j) sum += values(row)[j] * values(row)[j];
    return sum + codes_.norm(row);
  }

  void set(Index row, Index group, Index place) {
    const std::size_t at = starts_[group] + place;
    members_[at] = row;
    group_of_[row] = group;
    place_of_[row] = place;
    if constexpr (Cost::tiled) tiles_.set(at, values(row), lengths_[row]);
    codes_.set(at, row, group);
  }

  void leave(Index group, std::size_t place) {
    if constexpr (Cost::tiled) tiles_.leave(starts_[group] + place);
    codes_.leave(starts_[group] + place, group);
  }

  void touch(Index group) {
    if (ledger_.knows(group)) return;
    ledger_.write(group, members(group), sizes_[group], centre(group), Cost::rows * width,
                  masses_[group], costs_[group]);
    codes_.keep(members_of(group));
  }

  StateRecords records_;
  std::vector<double> lengths_;
  std::vector<Index> group_of_, place_of_, members_, sizes_;
  std::vector<std::size_t> starts_;
  MemberTiles tiles_;
  typename Cost::Codes codes_;
  std::vector<double> statistics_, masses_, costs_;
  std::vector<Index> free_;

  UndoLog ledger_;
  std::vector<double> sorted_;
  mutable std::vector<std::size_t> named_;
  mutable GroupRules::Room room_;
};

}  // namespace tokumei::refine
