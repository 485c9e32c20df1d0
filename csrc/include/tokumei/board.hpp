// The board on which groups are rearranged: records, their groups, centres and costs, and what it
// takes to change them and to take a change back.
//
// A board holds one block of records, small enough for a processor's cache; indices are local to
// it. Costs are sums of squares around the centre. Centre and cost of a group are always computed
// anew from its members after a change, never updated, so nothing drifts and undoing restores the
// same bits.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "tokumei/eight.hpp"
#include "tokumei/instructions.hpp"

namespace tokumei {

class Board {
 public:
  // Local index of a record or of a group. A block is small; tables are not, and use size_t.
  using Index = std::uint32_t;

  // row_values: row after row, filled up with zeros to whole lanes. labels: 0..groups-1. Groups
  // hold k to `most` records except while a change is under way.
  Board(std::vector<double> row_values, std::size_t row_width, const std::vector<Index>& labels,
        std::size_t groups, std::size_t least_size, std::size_t most_size, Level level)
      : rows(labels.size()), width(row_width), k(least_size), most(most_size),
        capacity_(most + k + 1), level_(level), values_(std::move(row_values)), group_of_(rows),
        place_of_(rows) {
    const std::size_t room = rows / k + k + 4 > groups ? rows / k + k + 4 : groups;
    members_.resize(room * capacity_);
    sizes_.resize(room);
    centres_.resize(room * width);
    costs_.resize(room);
    stamp_.resize(room);
    for (std::size_t row = 0; row < rows; ++row) put(static_cast<Index>(row), labels[row]);
    for (std::size_t group = 0; group < groups; ++group) refresh(static_cast<Index>(group));
    for (std::size_t group = room; group-- > groups;) free_.push_back(static_cast<Index>(group));
  }

  const std::size_t rows, width, k, most;

  const double* values(Index row) const { return &values_[row * width]; }
  const double* centre(Index group) const { return &centres_[group * width]; }
  const Index* members(Index group) const { return &members_[group * capacity_]; }
  std::size_t size(Index group) const { return sizes_[group]; }
  double cost(Index group) const { return costs_[group]; }
  Index group_of(Index row) const { return group_of_[row]; }
  Level level() const { return level_; }

  double total_cost() const {
    double sum = 0;
    for (std::size_t group = 0; group < sizes_.size(); ++group)
      if (sizes_[group] > 0) sum += costs_[group];
    return sum;
  }

  // --- changes; each touches the groups it changes, centres follow with `refresh` ---

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
    members_[a * capacity_ + at] = other;
    members_[b * capacity_ + there] = row;
    group_of_[row] = b;
    group_of_[other] = a;
    place_of_[row] = there;
    place_of_[other] = at;
  }

  // Removes a record from its group; it must be put somewhere before the change ends.
  void take(Index row) {
    const Index group = group_of_[row];
    touch(group);
    const Index last = members_[group * capacity_ + --sizes_[group]];
    const Index at = place_of_[row];
    members_[group * capacity_ + at] = last;
    place_of_[last] = at;
  }

  void put(Index row, Index group) {
    const Index at = sizes_[group]++;
    members_[group * capacity_ + at] = row;
    group_of_[row] = group;
    place_of_[row] = at;
  }

  // A group without members.
  Index open_group() {
    const Index group = free_.back();
    free_.pop_back();
    opened_or_closed_.push_back({group, true});
    touch(group);
    return group;
  }

  // Gives back the name of a group that has lost its last member.
  void close_group(Index group) {
    free_.push_back(group);
    opened_or_closed_.push_back({group, false});
  }

  // Centre and cost of a group, from its members.
  void refresh(Index group) {
    if (sizes_[group] == 0) {
      costs_[group] = 0;
      return;
    }
    costs_[group] =
        dispatch<Refresh>(level_, static_cast<const double*>(values_.data()), width, members(group),
                          static_cast<std::size_t>(sizes_[group]), &centres_[group * width]);
  }

  // --- a trial: begin, change, look at `change`, then either begin anew or undo ---

  void begin() {
    ++trial_;
    touched_.clear();
    saved_.clear();
    saved_members_.clear();
    saved_centres_.clear();
    opened_or_closed_.clear();
  }

  const std::vector<Index>& touched() const { return touched_; }

  // What the touched groups cost now, less what they cost at the beginning.
  double change() const {
    double before = 0, after = 0;
    for (const auto& saved : saved_) before += saved.cost;
    for (const Index group : touched_) after += costs_[group];
    return after - before;
  }

  void undo() {
    while (!opened_or_closed_.empty()) {
      const auto [group, opened] = opened_or_closed_.back();
      opened_or_closed_.pop_back();
      if (opened)
        free_.push_back(group);
      else
        free_.pop_back();
    }
    std::size_t from = 0;
    for (std::size_t i = 0; i < saved_.size(); ++i) {
      const auto& saved = saved_[i];
      sizes_[saved.group] = 0;
      for (std::size_t m = 0; m < saved.size; ++m) put(saved_members_[from++], saved.group);
      for (std::size_t j = 0; j < width; ++j)
        centres_[saved.group * width + j] = saved_centres_[i * width + j];
      costs_[saved.group] = saved.cost;
    }
  }

 private:
  // The mean of the members in the order in which they stand, and their squares around it.
  struct Refresh {
    TOKUMEI_HOT static double run(const double* values, std::size_t width, const Index* members,
                                  std::size_t size, double* centre) {
      const double share = 1.0 / static_cast<double>(size);
      Eight squares = {};
      for (std::size_t j = 0; j < width; j += lane_count) {
        Eight sum = load(values + members[0] * width + j);
        for (std::size_t m = 1; m < size; ++m) sum = sum + load(values + members[m] * width + j);
        const Eight mean = sum * share;
        store(centre + j, mean);
        for (std::size_t m = 0; m < size; ++m) {
          const Eight difference = load(values + members[m] * width + j) - mean;
          squares = squares + difference * difference;
        }
      }
      return total(squares);
    }
  };

  struct Saved {
    Index group;
    Index size;
    double cost;
  };

  struct OpenedOrClosed {
    Index group;
    bool opened;
  };

  void touch(Index group) {
    if (stamp_[group] == trial_) return;
    stamp_[group] = trial_;
    touched_.push_back(group);
    saved_.push_back({group, sizes_[group], costs_[group]});
    const Index* first = members(group);
    saved_members_.insert(saved_members_.end(), first, first + sizes_[group]);
    saved_centres_.insert(saved_centres_.end(), centre(group), centre(group) + width);
  }

  std::size_t capacity_;
  Level level_;
  std::vector<double> values_;
  std::vector<Index> group_of_, place_of_, members_, sizes_;
  std::vector<double> centres_, costs_;
  std::vector<Index> free_;

  std::uint64_t trial_ = 1;
  std::vector<std::uint64_t> stamp_;
  std::vector<Index> touched_, saved_members_;
  std::vector<Saved> saved_;
  std::vector<double> saved_centres_;
  std::vector<OpenedOrClosed> opened_or_closed_;
};

}  // namespace tokumei
