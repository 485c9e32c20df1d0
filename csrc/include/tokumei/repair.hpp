// Groups that rules allow, from groups that they may not (see mend.hpp).
//
// Large tables are mended in blocks of neighbours first, as far as these can help themselves, and
// as a whole afterwards. The groups do not depend on the number of threads. Throws
// std::invalid_argument where the rules do not even allow all records as one group.
#pragma once

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <vector>

#include "tokumei/exit.hpp"
#include "tokumei/group_blocks.hpp"
#include "tokumei/group_rules.hpp"
#include "tokumei/loose_groups.hpp"
#include "tokumei/members.hpp"
#include "tokumei/mend.hpp"
#include "tokumei/run.hpp"
#include "tokumei/team.hpp"
#include "tokumei/views.hpp"

namespace tokumei {

// Rewrites labels 0..groups-1; returns the new number of groups, again numbered without gaps.
inline std::size_t repair(Table<double> x, OutColumn<std::int64_t> labels, std::size_t groups,
                          const GroupRules& rules, std::size_t k, std::size_t block_records,
                          Run run) {
  Team team(run.n_threads);
  for (const bool whole : {false, true}) {
    const auto members = members_of(labels, groups);
    Exit exit(run.watch, 0.0, 1);
    const auto pause = [&] { exit.pause(0.0); };
    const GroupBlocks blocks(x, members, whole ? labels.size() : block_records, 0, team, pause);
    std::vector<LooseGroups> loose;
    for (std::size_t block = 0; block < blocks.count(); ++block)
      loose.emplace_back(x, members, blocks.groups(block), blocks.size(block));
    team.each_block(blocks.count(), [&](std::size_t block) {
      Mending mending(loose[block], rules, k);
      if (whole)
        mending.force(pause);
      else
        mending.help(pause);
    });
    groups = 0;
    for (const auto& block : loose)
      for (std::size_t group = 0; group < block.count(); ++group) {
        if (block.rows(group).empty()) continue;
        for (const std::size_t row : block.rows(group))
          labels[row] = static_cast<std::int64_t>(groups);
        ++groups;
      }
  }
  GroupRules::Room room;
  const auto members = members_of(labels, groups);
  for (std::size_t group = 0; group < groups; ++group)
    if (!rules.hold(&members.rows[members.starts[group]], members.size(group), room))
      throw std::invalid_argument("no groups are as the rules ask");
  return groups;
}

}  // namespace tokumei
