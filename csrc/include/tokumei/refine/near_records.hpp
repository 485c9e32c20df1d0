// Which records of a block are near one another, for searches that look at neighbours only.
//
// Small blocks get the exact nearest records. In large tables they are looked for among the members
// of a record's own group and of the groups whose centres are nearest: groups are already places in
// space. Ties: the lower index first.
#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "tokumei/numeric/squared_distances.hpp"
#include "tokumei/refine/category_state.hpp"
#include "tokumei/refine/local_search.hpp"
#include "tokumei/refine/near_boxes.hpp"
#include "tokumei/refine/search_state.hpp"

namespace tokumei::refine {

// (distance, index), ordered by both.
using Near = std::pair<double, StateIndex>;

// The few nearest of many that are offered one by one, in order.
class Closest {
 public:
  void begin(std::size_t most) {
    most_ = most;
    kept_.clear();
  }

  void offer(double distance, StateIndex index) {
    const Near near{distance, index};
    if (kept_.size() < most_)
      kept_.emplace_back(distance, index);
    else if (distance > kept_.back().first || !(near < kept_.back()))
      return;
    std::size_t at = kept_.size() - 1;
    for (; at > 0 && near < kept_[at - 1]; --at) kept_[at] = kept_[at - 1];
    kept_[at] = near;
  }

  const std::vector<Near>& kept() const { return kept_; }

  // Whether something that is at least so far away need not be offered.
  bool is_beyond(double distance) const {
    return kept_.size() == most_ && distance > kept_.back().first;
  }

 private:
  std::size_t most_ = 0;
  std::vector<Near> kept_;
};

// The exact nearest records, at most `count` each. O(n^2 d).
template <class SearchState, class Pause>
Nearest nearest_records(const SearchState& state, std::size_t count, Pause&& pause) {
  Nearest nearest{std::min(count, state.rows - 1), {}};
  nearest.rows.reserve(state.rows * nearest.count);
  Points points(state.rows, state.columns, [&](std::size_t row, std::size_t j) {
    return state.values(static_cast<StateIndex>(row))[j];
  });
  const SlotColumns slots(state.rows, state.categories(), [&](std::size_t row) {
    return state.categories().keys(static_cast<StateIndex>(row));
  });
  Closest closest;
  for (std::size_t row = 0; row < state.rows; ++row) {
    if (row % 64 == 0) pause();
    auto& distances = points.from(row, 0, state.rows, state.isa);
    slots.add_terms(state.categories().keys(static_cast<StateIndex>(row)), 0, state.rows, state.isa,
                    distances);
    closest.begin(nearest.count);
    for (std::size_t other = 0; other < state.rows; ++other)
      if (other != row) closest.offer(distances[other], static_cast<StateIndex>(other));
    for (const auto& near : closest.kept()) nearest.rows.push_back(near.second);
  }
  return nearest;
}

// The nearest records among those of the own group and of the `reach` groups with the nearest
// centres; records that find fewer than `count` repeat their last one. Groups are 0..groups-1, and
// those between two of the borders are near one another.
template <class SearchState, class Pause>
Nearest nearest_in_groups(const SearchState& state, const std::vector<std::size_t>& borders,
                          std::size_t reach, std::size_t count, Pause&& pause) {
  const std::size_t groups = borders.back();
  Nearest nearest{std::min(count, state.rows - 1), {}};
  nearest.rows.resize(state.rows * nearest.count);
  Points centres(groups, state.columns, [&](std::size_t group, std::size_t j) {
    return state.centre(static_cast<StateIndex>(group))[j];
  });
  // Of codes a group is as its members mostly are.
  const std::size_t codes = state.categories().columns;
  std::vector<double> usual(groups * codes);
  for (std::size_t group = 0; group < groups && codes > 0; ++group) {
    const auto here = static_cast<StateIndex>(group);
    state.categories().find_usual(state.members(here), state.size(here), &usual[group * codes]);
  }
  const SlotColumns slots_of_groups(
      groups, state.categories(), [&](std::size_t group) { return usual.data() + group * codes; });
  Closest closest;
  std::vector<StateIndex> candidates;
  std::vector<double> values, point(state.columns), distances;
  std::vector<const double*> columns(state.columns);
  Boxes boxes(centres, state.columns, slots_of_groups, borders);
  std::size_t home = 0;
  for (std::size_t group = 0; group < groups; ++group) {
    if (group % 64 == 0) pause();
    while (borders[home + 1] <= group) ++home;
    closest.begin(std::min(reach + 1, groups));
    const auto look_into = [&](std::size_t box) {
      auto& apart = centres.from(group, borders[box], borders[box + 1], state.isa);
      slots_of_groups.add_terms(usual.data() + group * codes, borders[box], borders[box + 1],
                                state.isa, apart);
      for (std::size_t other = borders[box]; other < borders[box + 1]; ++other)
        closest.offer(apart[other - borders[box]], static_cast<StateIndex>(other));
    };
    look_into(home);
    const auto& from_boxes = boxes.from(centres, group, state.isa);
    for (std::size_t box = 0; box + 1 < borders.size(); ++box)
      if (box != home && !closest.is_beyond(from_boxes[box])) look_into(box);
    candidates.clear();
    for (const auto& [distance, other] : closest.kept())
      candidates.insert(candidates.end(), state.members(other),
                        state.members(other) + state.size(other));
    const StateIndex own = static_cast<StateIndex>(group);
    const std::size_t many = candidates.size();
    values.resize(many * state.columns);
    distances.resize(many);
    for (std::size_t j = 0; j < state.columns; ++j) {
      for (std::size_t i = 0; i < many; ++i) values[j * many + i] = state.values(candidates[i])[j];
      columns[j] = &values[j * many];
    }
    const SlotColumns slots(many, state.categories(),
                            [&](std::size_t i) { return state.categories().keys(candidates[i]); });
    for (std::size_t m = 0; m < state.size(own); ++m) {
      const StateIndex row = state.members(own)[m];
      std::copy_n(state.values(row), state.columns, point.data());
      squared_distances_by_attributes(state.isa, columns.data(), 0, many, state.columns,
                                      point.data(), distances.data());
      slots.add_terms(state.categories().keys(row), 0, many, state.isa, distances);
      closest.begin(nearest.count);
      for (std::size_t i = 0; i < many; ++i)
        if (candidates[i] != row) closest.offer(distances[i], candidates[i]);
      StateIndex* out = nearest.rows.data() + row * nearest.count;
      StateIndex last = row;
      for (std::size_t i = 0; i < nearest.count; ++i) {
        if (i < closest.kept().size()) last = closest.kept()[i].second;
        out[i] = last;
      }
    }
  }
  return nearest;
}

}  // namespace tokumei::refine
