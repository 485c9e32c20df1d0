// How a kernel is to be run: what it may use and whom it tells. Never what it computes.
#pragma once

#include "tokumei/runtime/instruction_sets.hpp"
#include "tokumei/runtime/progress_monitor.hpp"

namespace tokumei::runtime {

struct Run {
  unsigned n_threads = 1;
  InstructionSet isa = InstructionSet::baseline;
  ProgressMonitor monitor{};
};

}  // namespace tokumei::runtime
