// Moves and swaps of single records, as long as they lower the cost.
//
// The best change of a record (see best_change.hpp) is made if it lowers the cost; then all members
// of both groups are looked at again, first come first served, until nothing improves.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "tokumei/refine/allowed_change.hpp"
#include "tokumei/refine/best_change.hpp"
#include "tokumei/refine/search_state.hpp"
#include "tokumei/runtime/instruction_sets.hpp"

namespace tokumei::refine {

// The nearest records of each record, nearest first: `count` a record, row after row.
struct Nearest {
  std::size_t count = 0;
  std::vector<StateIndex> rows;
  const StateIndex* of(StateIndex row) const { return rows.data() + row * count; }
};

template <class SearchState>
class LocalSearch {
 public:
  using Index = StateIndex;

  LocalSearch(SearchState& state, const Nearest& nearest, std::size_t reach)
      : state_(state), nearest_(nearest), reach_(reach < nearest.count ? reach : nearest.count),
        near_(state.room(), reach_, state.width), allowed_(state), waiting_(state.rows, 0),
        rounding_(rounding_of_costs(state)) {}

  void look_at(Index row) {
    if (waiting_[row]) return;
    waiting_[row] = 1;
    queue_.push_back(row);
  }

  void look_at_members(Index group) {
    const Index* members = state_.members(group);
    for (std::size_t m = 0; m < state_.size(group); ++m) look_at(members[m]);
  }

  // Empties the queue. `pause` is called now and then; it may throw, and the state stays whole.
  template <class Pause>
  void run(Pause&& pause) {
    for (std::size_t next = 0; next < queue_.size(); ++next) {
      if (next % 1024 == 1023) pause();
      const Index row = queue_[next];
      waiting_[row] = 0;
      const Index from = state_.group_of(row);
      const Change change = best(row);
      if (change.group == Change::nobody || !improves(row, from, change)) continue;
      look_at_members(from);
      look_at_members(change.group);
    }
    queue_.clear();
  }

  Change best(Index row) {
    if (state_.rules != nullptr)
      return best_allowed_change(state_, row, nearest_.of(row), reach_, near_, allowed_);
    return dispatch_lanes<BestChange<SearchState>::template Body>(
        state_.isa, static_cast<const SearchState*>(&state_), row, nearest_.of(row), reach_,
        &near_);
  }

  // Makes a change and keeps it if the two groups then cost less. What was predicted is right but
  // for rounding, and this is what rounding may not do: let two arrangements follow one another for
  // ever.
  bool improves(Index row, Index from, const Change& change) {
    const double before = state_.cost(from) + state_.cost(change.group);
    if (-change.by <= grain * before) return false;
    exchange(row, from, change.group, change.other);
    if (state_.cost(from) + state_.cost(change.group) < before - rounding_) return true;
    if (change.other == Change::nobody)
      exchange(row, change.group, from, Change::nobody);
    else
      exchange(change.other, from, change.group, row);
    return false;
  }

  void exchange(Index row, Index from, Index to, Index other) {
    if (other == Change::nobody)
      state_.move(row, to);
    else
      state_.swap(row, other);
    state_.refresh(from);
    state_.refresh(to);
  }

  // Forgets what is waiting.
  void clear() {
    for (const Index row : queue_) waiting_[row] = 0;
    queue_.clear();
  }

 private:
  // More than groups of equal records cost, whose mean is rounded: the squares of a group's
  // greatest record times (2^-42)^2. An exchange that is taken back may raise them so often.
  static double rounding_of_costs(const SearchState& state) {
    double greatest = 0.0;
    for (std::size_t row = 0; row < state.rows; ++row) {
      const Weighed x = state.record(static_cast<Index>(row));
      double squares = 0.0;
      for (std::size_t j = 0; j < state.columns; ++j) squares += x.values[j] * x.values[j];
      greatest = std::max(greatest, x.weight * squares);
    }
    return greatest * static_cast<double>(state.most) * 0x1p-84;
  }

  // Differences below the rounding of the costs are no improvement.
  static constexpr double grain = 1e-12;

  SearchState& state_;
  const Nearest& nearest_;
  std::size_t reach_;
  NearGroups near_;
  ChangesAllowed<SearchState> allowed_;
  std::vector<Index> queue_;
  std::vector<std::uint8_t> waiting_;
  double rounding_;
};

}  // namespace tokumei::refine
