// Groups that rules allow, from groups that they may not (see feasibility.hpp).
//
// Large tables are repaired in blocks of neighbours first, as far as these can help themselves, and
// as a whole afterwards. The groups do not depend on the number of threads. Throws
// std::invalid_argument where the rules do not even allow all records as one group.
#pragma once

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <vector>

#include "tokumei/group/group_blocks.hpp"
#include "tokumei/group/members.hpp"
#include "tokumei/refine/feasibility.hpp"
#include "tokumei/refine/group_rules.hpp"
#include "tokumei/refine/grouping_state.hpp"
#include "tokumei/runtime/cancellation_token.hpp"
#include "tokumei/runtime/records.hpp"
#include "tokumei/runtime/run.hpp"
#include "tokumei/runtime/thread_team.hpp"
#include "tokumei/runtime/views.hpp"

namespace tokumei::refine {

// Rewrites labels 0..groups-1; returns the new number of groups, again numbered without gaps.
inline std::size_t repair(const Records& x, OutColumn<std::int64_t> labels, std::size_t groups,
                          const GroupRules& rules, std::size_t k, std::size_t block_records,
                          Run run) {
  ThreadTeam team(run.n_threads);
  for (const bool whole : {false, true}) {
    const auto members = members_of(labels, groups);
    CancellationToken token(run.monitor, 0.0, 1);
    const auto pause = [&] { token.pause(0.0); };
    const GroupBlocks blocks(x, members, whole ? labels.size() : block_records, 0, team, pause);
    std::vector<GroupingState> groupings;
    for (std::size_t block = 0; block < blocks.count(); ++block)
      groupings.emplace_back(x, members, blocks.groups(block), blocks.size(block));
    team.each_block(blocks.count(), [&](std::size_t block) {
      FeasibilityRepair repairing(groupings[block], rules, k);
      if (whole)
        repairing.force(pause);
      else
        repairing.help(pause);
    });
    groups = 0;
    for (const auto& block : groupings)
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

}  // namespace tokumei::refine
