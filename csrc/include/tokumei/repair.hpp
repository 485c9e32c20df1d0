// Groups that rules allow, from groups that they may not: those not allowed are merged with near
// ones.
//
// The first group that is not allowed is merged with the group that costs least more squares among
// the `choice` cheapest, preferring one with which it is allowed; again, until all are. Large
// tables do this in blocks of neighbours first, and what a block cannot mend alone afterwards. The
// groups do not depend on the number of threads. Throws std::invalid_argument where the rules do
// not even allow all records as one group.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <utility>
#include <vector>

#include "tokumei/exit.hpp"
#include "tokumei/group_blocks.hpp"
#include "tokumei/group_rules.hpp"
#include "tokumei/members.hpp"
#include "tokumei/run.hpp"
#include "tokumei/team.hpp"
#include "tokumei/views.hpp"

namespace tokumei {

namespace detail {

// Groups that grow together.
class Merging {
 public:
  Merging(Table<double> x, const Members& members, const std::size_t* groups, std::size_t count,
          const GroupRules& rules)
      : x_(x), rules_(rules) {
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t* rows = members.rows.data();
      rows_.emplace_back(rows + members.starts[groups[i]], rows + members.starts[groups[i] + 1]);
      centres_.push_back(centre(rows_.back()));
    }
  }

  // Merges until all groups are allowed or one is left. pause() is called before each merger.
  template <class Pause>
  void run(Pause&& pause) {
    for (std::size_t group = 0; group < rows_.size();) {
      if (rows_[group].empty() || allows(rows_[group])) {
        ++group;
        continue;
      }
      pause();
      const std::size_t other = partner(group);
      if (other == group) return;
      const std::size_t into = std::min(group, other), from = std::max(group, other);
      rows_[into].insert(rows_[into].end(), rows_[from].begin(), rows_[from].end());
      rows_[from].clear();
      centres_[into] = centre(rows_[into]);
      group = into;
    }
  }

  // The groups with members.
  template <class Write>
  void each(Write&& write) const {
    for (const auto& rows : rows_)
      if (!rows.empty()) write(rows);
  }

 private:
  static constexpr std::size_t choice = 64;

  bool allows(const std::vector<std::size_t>& rows) {
    return rules_.hold(rows.data(), rows.size(), room_);
  }

  std::vector<double> centre(const std::vector<std::size_t>& rows) const {
    std::vector<double> mean(x_.columns());
    for (std::size_t j = 0; j < x_.columns(); ++j) {
      const double first = x_(rows[0], j);
      double sum = 0;
      for (const std::size_t row : rows) sum += x_(row, j) - first;
      mean[j] = first + sum / static_cast<double>(rows.size());
    }
    return mean;
  }

  // With whom to merge; the group itself where it is alone.
  std::size_t partner(std::size_t group) {
    ranked_.clear();
    const double a = static_cast<double>(rows_[group].size());
    for (std::size_t other = 0; other < rows_.size(); ++other) {
      if (other == group || rows_[other].empty()) continue;
      const double b = static_cast<double>(rows_[other].size());
      double apart = 0;
      for (std::size_t j = 0; j < x_.columns(); ++j) {
        const double by = centres_[group][j] - centres_[other][j];
        apart += by * by;
      }
      ranked_.push_back({a * b / (a + b) * apart, other});
    }
    if (ranked_.empty()) return group;
    const auto few = static_cast<std::ptrdiff_t>(std::min(choice, ranked_.size()));
    std::partial_sort(ranked_.begin(), ranked_.begin() + few, ranked_.end());
    for (std::ptrdiff_t i = 0; i < few; ++i) {
      const std::size_t other = ranked_[static_cast<std::size_t>(i)].second;
      together_ = rows_[group];
      together_.insert(together_.end(), rows_[other].begin(), rows_[other].end());
      if (allows(together_)) return other;
    }
    return ranked_[0].second;
  }

  Table<double> x_;
  const GroupRules& rules_;
  GroupRules::Room room_;
  std::vector<std::vector<std::size_t>> rows_;
  std::vector<std::vector<double>> centres_;
  std::vector<std::pair<double, std::size_t>> ranked_;
  std::vector<std::size_t> together_;
};

}  // namespace detail

// Rewrites labels 0..groups-1; returns the new number of groups, again numbered without gaps.
inline std::size_t repair(Table<double> x, OutColumn<std::int64_t> labels, std::size_t groups,
                          const GroupRules& rules, std::size_t block_records, Run run) {
  Team team(run.n_threads);
  for (const bool whole : {false, true}) {
    const auto members = members_of(labels, groups);
    Exit exit(run.watch, 0.0, 1);
    const auto pause = [&] { exit.pause(0.0); };
    const GroupBlocks blocks(x, members, whole ? labels.size() : block_records, 0, team, pause);
    std::vector<detail::Merging> merged;
    for (std::size_t block = 0; block < blocks.count(); ++block)
      merged.emplace_back(x, members, blocks.groups(block), blocks.size(block), rules);
    team.each_block(blocks.count(), [&](std::size_t block) { merged[block].run(pause); });
    groups = 0;
    for (const auto& block : merged)
      block.each([&](const std::vector<std::size_t>& rows) {
        for (const std::size_t row : rows) labels[row] = static_cast<std::int64_t>(groups);
        ++groups;
      });
  }
  GroupRules::Room room;
  const auto members = members_of(labels, groups);
  for (std::size_t group = 0; group < groups; ++group)
    if (!rules.hold(&members.rows[members.starts[group]], members.size(group), room))
      throw std::invalid_argument("no groups are as the rules ask");
  return groups;
}

}  // namespace tokumei
