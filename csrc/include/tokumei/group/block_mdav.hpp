// MDAV inside blocks of neighbouring records: a start for searches where MDAV of the whole would
// take too long, and the partition for those who are in a hurry.
//
// Records are cut into blocks of about `block` (see group_blocks.hpp) and each block is partitioned
// by itself (see mdav.hpp). Labels do not depend on the number of threads. O(n (block/k + log n) d)
// time, two copies of the data as memory. Needs 1 <= k <= n. Throws Interrupted.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

#include "tokumei/group/group_blocks.hpp"
#include "tokumei/group/labels.hpp"
#include "tokumei/group/local_records.hpp"
#include "tokumei/group/mdav.hpp"
#include "tokumei/group/members.hpp"
#include "tokumei/runtime/cancellation_token.hpp"
#include "tokumei/runtime/records.hpp"
#include "tokumei/runtime/run.hpp"
#include "tokumei/runtime/thread_team.hpp"

namespace tokumei::group {

inline void block_mdav(const Records& x, std::size_t k, std::size_t block,
                       OutColumn<std::int64_t> labels, Run run) {
  // Every record is a group of its own here, and a block has room for four groups at least: cut in
  // two near the middle it still has k records on either side.
  std::iota(labels.data(), labels.data() + labels.size(), std::int64_t{0});
  const auto members = members_of(labels, x.rows());
  ThreadTeam team(run.n_threads);
  CancellationToken token(run.monitor, 0.0, 1);
  const GroupBlocks blocks(x, members, std::max(block, 4 * k), 0, team, [&] { token.pause(0.0); });
  std::vector<std::vector<std::int64_t>> parts(blocks.count());
  token.expect(blocks.count());
  team.each_block(blocks.count(), [&](std::size_t number) {
    token.pause(0.0);
    const std::size_t size = blocks.size(number);
    const std::size_t* rows = blocks.groups(number);
    const LocalRecords some(x, rows, size);
    parts[number].resize(size);
    mdav(some.view(), k, {parts[number].data(), size}, Run{1, run.isa, {}});
    token.finish_one();
  });
  std::int64_t groups = 0;
  for (std::size_t number = 0; number < blocks.count(); ++number) {
    const auto& part = parts[number];
    for (std::size_t i = 0; i < part.size(); ++i)
      labels[blocks.groups(number)[i]] = groups + part[i];
    groups += *std::max_element(part.begin(), part.end()) + 1;
  }
  renumber(labels);
}

}  // namespace tokumei::group
