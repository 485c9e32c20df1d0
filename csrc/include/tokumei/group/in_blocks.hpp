// A method that is given blocks of neighbouring records instead of all of them: for tables of which
// the whole would take too long.
//
// Records are cut into blocks of at most about `block` (see group_blocks.hpp), and each is
// partitioned by itself: method(records, labels, run) numbers the groups of some records from 0.
// Labels do not depend on the number of threads. Two copies of the data as memory. Needs
// 1 <= k <= n and a method whose groups have k records or more. Throws Interrupted.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

#include "tokumei/group/group_blocks.hpp"
#include "tokumei/group/labels.hpp"
#include "tokumei/group/local_records.hpp"
#include "tokumei/group/members.hpp"
#include "tokumei/runtime/cancellation_token.hpp"
#include "tokumei/runtime/records.hpp"
#include "tokumei/runtime/run.hpp"
#include "tokumei/runtime/thread_team.hpp"

namespace tokumei::group {

// Asks the token shared by all threads; a monitor's question must not throw.
inline bool may_go_on(void* token, double) noexcept {
  try {
    static_cast<CancellationToken*>(token)->pause(0.0);
  } catch (...) {
    return false;
  }
  return true;
}

template <class Method>
void partition_blocks(const Records& x, std::size_t k, std::size_t block,
                      OutColumn<std::int64_t> labels, Run& run, Method&& method) {
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
    const LocalRecords some(x, blocks.groups(number), size);
    parts[number].resize(size);
    method(some.view(), OutColumn<std::int64_t>{parts[number].data(), size},
           Run{1, run.isa, {may_go_on, &token}});
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
