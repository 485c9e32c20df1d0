// A loop over the attributes of a table that the monitor can leave, also within an attribute.
#pragma once

#include <cstddef>

#include "tokumei/runtime/cancellation_token.hpp"
#include "tokumei/runtime/run.hpp"
#include "tokumei/runtime/thread_team.hpp"
#include "tokumei/runtime/views.hpp"

namespace tokumei::runtime {

// work(j, pause) for each attribute j, shared among the threads. Work that takes more than
// milliseconds calls pause() now and then. Throws Interrupted.
template <class Work>
void each_column(Table<double> x, Run& run, Work&& work) {
  CancellationToken token(run.monitor, 0.0, 1);
  token.expect(x.columns());
  ThreadTeam team(run.n_threads);
  team.each_block(x.columns(), [&](std::size_t j) {
    const auto pause = [&] { token.pause(0.0); };
    pause();
    work(j, pause);
    token.finish_one();
  });
}

}  // namespace tokumei::runtime
