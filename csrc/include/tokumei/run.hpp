// How a kernel is to be run: what it may use and whom it tells. Never what it computes.
#pragma once

#include "tokumei/instructions.hpp"
#include "tokumei/watch.hpp"

namespace tokumei {

struct Run {
  unsigned n_threads = 1;
  Level level = Level::baseline;
  Watch watch{};
};

}  // namespace tokumei
