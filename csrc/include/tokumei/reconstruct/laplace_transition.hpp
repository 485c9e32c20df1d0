// Cells transition by noise that falls exponentially on both sides, in O(cells).
//
// What leaves input cell c upwards (a share up[c]) reaches the next output cell above; of what
// reaches output cell r a share caught[r] stays there and a share decay[r] goes on. Downwards it is
// the same from cell to cell the other way. The rest, stay[c], is released inside c itself, which
// is output cell c + below. So one pass up and one pass down, each carrying one number, give
//
//   forward:  e[r] = sum over c of T[r, c] p[c]        backward:  u[c] = sum over r of T[r, c] w[r]
//
// where T is the exact matrix of Laplace noise: continuous or on a lattice, cells of any width, the
// two end cells open (caught = 1, decay = 0). All terms are products of numbers that are not
// negative: nothing cancels.
//
// Each cell may hold a row of numbers (cell_rows.hpp), which are treated alike.
#pragma once

#include <algorithm>
#include <cstddef>

#include "tokumei/reconstruct/cell_rows.hpp"
#include "tokumei/runtime/instruction_sets.hpp"

namespace tokumei::reconstruct {

struct LaplaceTransition {
  std::size_t inputs, outputs, below;
  const double *decay, *caught;    // of each output cell
  const double *up, *down, *stay;  // of each input cell

  // scratch: two rows.
  template <class Inner>
  TOKUMEI_HOT void forward(const double* p, double* e, double* scratch, Inner inner) const {
    RunningRow<Inner> rising(scratch, inner), falling(scratch + inner, inner);
    std::fill_n(e, outputs * inner, 0.0);
    for (std::size_t c = 0; c < inputs; ++c)
      for (std::size_t j = 0; j < inner; ++j)
        e[(c + below) * inner + j] = stay[c] * p[c * inner + j];
    const auto carry = [&](std::size_t r, RunningRow<Inner>& running, const double* leaving) {
      const std::size_t c = r - below;  // wraps below the first input
      for (std::size_t j = 0; j < inner; ++j) {
        e[r * inner + j] += running[j] * caught[r];
        const double on = running[j] * decay[r];
        running[j] = c < inputs ? on + leaving[c] * p[c * inner + j] : on;
      }
    };
    // Both passes at once, each at its own end: neither waits for the other.
    for (std::size_t r = 0; r < outputs; ++r) {
      carry(r, rising, up);
      carry(outputs - 1 - r, falling, down);
    }
  }

  template <class Inner>
  TOKUMEI_HOT void backward(const double* w, double* u, double* scratch, Inner inner) const {
    RunningRow<Inner> beneath(scratch, inner), above(scratch + inner, inner);
    for (std::size_t c = 0; c < inputs; ++c)
      for (std::size_t j = 0; j < inner; ++j)
        u[c * inner + j] = stay[c] * w[(c + below) * inner + j];
    const auto collect = [&](std::size_t r, RunningRow<Inner>& running, const double* leaving) {
      const std::size_t c = r - below;
      for (std::size_t j = 0; j < inner; ++j) {
        if (c < inputs) u[c * inner + j] += leaving[c] * running[j];
        running[j] = running[j] * decay[r] + caught[r] * w[r * inner + j];
      }
    };
    for (std::size_t r = 0; r < outputs; ++r) {
      collect(r, beneath, down);
      collect(outputs - 1 - r, above, up);
    }
  }
};

}  // namespace tokumei::reconstruct
