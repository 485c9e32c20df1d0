// The best change of a record among those that leave both groups as the rules want them.
//
// A change that would lower the cost more than the best so far is shown to the rules, once for all
// records of its kind: O(d) a change looked at, O(size log size) one that is shown. Same bits at
// every instruction set.
#pragma once

#include <cstddef>
#include <vector>

#include "tokumei/refine/best_change.hpp"
#include "tokumei/refine/search_state.hpp"
#include "tokumei/simd/lanes.hpp"

namespace tokumei::refine {

// Whether the rules allow a group without the one record and with the other, either of which may be
// nobody. Rules tell kinds of records apart, not the records of a kind: an answer serves for all.
template <class SearchState>
class ChangesAllowed {
 public:
  // Borrows the state.
  explicit ChangesAllowed(const SearchState& state) : state_(state) {}

  // Groups are other ones than before.
  void forget() { known_.clear(); }

  bool operator()(StateIndex group, StateIndex gone, StateIndex come) {
    for (const Known& known : known_)
      if (known.group == group && alike(known.gone, gone) && alike(known.come, come))
        return known.allowed;
    after_.clear();
    for (std::size_t m = 0; m < state_.size(group); ++m)
      if (state_.members(group)[m] != gone) after_.push_back(state_.members(group)[m]);
    if (come != Change::nobody) after_.push_back(come);
    const bool allowed = state_.allows(after_.data(), after_.data() + after_.size());
    if (known_.size() < most_known) known_.push_back({group, gone, come, allowed});
    return allowed;
  }

 private:
  // Searching more would take as long as asking.
  static constexpr std::size_t most_known = 32;

  struct Known {
    StateIndex group, gone, come;
    bool allowed;
  };

  bool alike(StateIndex one, StateIndex other) const {
    if (one == other) return true;
    if (one == Change::nobody || other == Change::nobody) return false;
    return state_.rules->alike(state_.table_rows()[one], state_.table_rows()[other]);
  }

  const SearchState& state_;
  std::vector<Known> known_;
  std::vector<StateIndex> after_;
};

template <class SearchState>
struct BestAllowedChange {
  template <std::size_t bytes>
  struct Body {
    TOKUMEI_HOT static Change run(const SearchState* state, StateIndex row, NearGroups* near,
                                  ChangesAllowed<SearchState>* allowed) {
      return best_of_all<bytes>(*state, row, *near, *allowed);
    }
  };
};

template <class SearchState>
Change best_allowed_change(const SearchState& state, StateIndex row, const StateIndex* nearest,
                           std::size_t reach, NearGroups& near,
                           ChangesAllowed<SearchState>& allowed) {
  near.find(state, state.group_of(row), nearest, reach);
  allowed.forget();
  return dispatch_lanes<BestAllowedChange<SearchState>::template Body>(state.isa, &state, row,
                                                                       &near, &allowed);
}

}  // namespace tokumei::refine
