// A loop over blocks of work that a monitor can leave.
#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>

#include "tokumei/runtime/progress_monitor.hpp"
#include "tokumei/runtime/thread_team.hpp"

namespace tokumei::runtime {

// work(block) for each block, as ThreadTeam::each_block does it, but asking the monitor after every
// `batch` blocks of a thread. done: the share of all work that is behind us. Throws Interrupted.
template <class Work>
void each_watched_block(ThreadTeam& team, ProgressMonitor& monitor, std::size_t blocks,
                        std::size_t batch, Work&& work, double done = 0.0) {
  const std::size_t round = batch * team.size();
  for (std::size_t begin = 0; begin < blocks; begin += round) {
    monitor.tick(done);
    team.each_block(std::min(round, blocks - begin),
                    [&](std::size_t block) { work(begin + block); });
  }
}

}  // namespace tokumei::runtime
