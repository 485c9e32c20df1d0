// What a trial has touched, as it was before: enough to take it back to the last bit.
//
// A group is written down once a trial, before its first change. Costs O(members) a group; nothing
// is allocated once the largest trial has been seen.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "tokumei/refine/group_cost.hpp"

namespace tokumei::refine {

class UndoLog {
 public:
  using Index = StateIndex;

  UndoLog() = default;
  explicit UndoLog(std::size_t groups) : stamps_(groups, 0) {}

  void begin() {
    ++trial_;
    touched_.clear();
    groups_.clear();
    members_.clear();
    statistics_.clear();
    names_.clear();
  }

  bool knows(Index group) const { return stamps_[group] == trial_; }

  // Writes down a group that is not yet known in this trial.
  void write(Index group, const Index* members, std::size_t size, const double* statistics,
             std::size_t width, double mass, double cost) {
    stamps_[group] = trial_;
    touched_.push_back(group);
    groups_.push_back({size, width, mass, cost});
    members_.insert(members_.end(), members, members + size);
    statistics_.insert(statistics_.end(), statistics, statistics + width);
  }

  // Writes down that the name of a group was taken into use or given back.
  void name(Index group, bool opened) { names_.push_back({group, opened}); }

  // The groups written down, in the order of their first change.
  const std::vector<Index>& touched() const { return touched_; }

  // What they cost.
  double cost() const {
    double sum = 0;
    for (const auto& group : groups_) sum += group.cost;
    return sum;
  }

  // Calls restore(group, members, size, statistics, mass, cost) for each of them.
  template <class Restore>
  void each_group(Restore&& restore) const {
    const Index* members = members_.data();
    const double* statistics = statistics_.data();
    for (std::size_t i = 0; i < groups_.size(); ++i) {
      const auto& [size, width, mass, cost] = groups_[i];
      restore(touched_[i], members, size, statistics, mass, cost);
      members += size;
      statistics += width;
    }
  }

  // Calls restore(group, opened) for each name, the last one first.
  template <class Restore>
  void each_name_backwards(Restore&& restore) const {
    for (std::size_t i = names_.size(); i-- > 0;) restore(names_[i].group, names_[i].opened);
  }

 private:
  struct Group {
    std::size_t size, width;
    double mass, cost;
  };

  struct Name {
    Index group;
    bool opened;
  };

  std::uint64_t trial_ = 1;
  std::vector<std::uint64_t> stamps_;
  std::vector<Index> touched_, members_;
  std::vector<Group> groups_;
  std::vector<double> statistics_;
  std::vector<Name> names_;
};

}  // namespace tokumei::refine
