// Cells that hold one number each, or a row of numbers side by side (a table seen along one axis).
//
// Kernels over cells are written once for rows of `inner` numbers and compiled twice: with
// One, where the loop over a row vanishes and running sums stay in registers, and with Many.
#pragma once

#include <algorithm>
#include <cstddef>
#include <type_traits>

#include "tokumei/runtime/instruction_sets.hpp"

namespace tokumei::reconstruct {

using One = std::integral_constant<std::size_t, 1>;
using Many = std::size_t;

// A row of running sums that starts at 0: one number in a register, or `inner` in borrowed memory.
template <class Inner>
class RunningRow;

template <>
class RunningRow<One> {
 public:
  TOKUMEI_HOT RunningRow(double*, One) {}
  TOKUMEI_HOT double& operator[](std::size_t) { return value_; }

 private:
  double value_ = 0.0;
};

template <>
class RunningRow<Many> {
 public:
  TOKUMEI_HOT RunningRow(double* memory, Many inner) : values_(memory) {
    std::fill_n(memory, inner, 0.0);
  }
  TOKUMEI_HOT double& operator[](std::size_t j) { return values_[j]; }

 private:
  double* values_;
};

}  // namespace tokumei::reconstruct
