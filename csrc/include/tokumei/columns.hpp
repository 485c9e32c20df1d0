// A loop over the attributes of a table that the watch can leave, also within an attribute.
#pragma once

#include <cstddef>

#include "tokumei/exit.hpp"
#include "tokumei/run.hpp"
#include "tokumei/team.hpp"
#include "tokumei/views.hpp"

namespace tokumei {

// work(j, pause) for each attribute j, shared among the threads. Work that takes more than
// milliseconds calls pause() now and then. Throws Interrupted.
template <class Work>
void each_column(Table<double> x, Run& run, Work&& work) {
  Exit exit(run.watch, 0.0, 1);
  exit.expect(x.columns());
  Team team(run.n_threads);
  team.each_block(x.columns(), [&](std::size_t j) {
    const auto pause = [&] { exit.pause(0.0); };
    pause();
    work(j, pause);
    exit.finish_one();
  });
}

}  // namespace tokumei
