// Cells that are kept with some probability and otherwise replaced, in O(cells).
//
//   T[r, c] = replaced[r] + kept[c] where r = c
//
// is randomised response and retention-replacement: whatever the true cell was, output cell r may
// come up by chance. forward: e = T p, backward: u = T' w; nothing cancels.
// Each cell may hold a row of numbers (cell_rows.hpp), which are treated alike.
#pragma once

#include <algorithm>
#include <cstddef>

#include "tokumei/reconstruct/cell_rows.hpp"
#include "tokumei/runtime/instruction_sets.hpp"
#include "tokumei/simd/lanes.hpp"

namespace tokumei::reconstruct {

struct RandomisedResponseTransition {
  std::size_t cells;
  const double *replaced, *kept;

  // scratch: eight rows.
  template <class Inner>
  TOKUMEI_HOT void forward(const double* p, double* e, double* scratch, Inner inner) const {
    sum_cells(p, nullptr, scratch, inner);
    for (std::size_t c = 0; c < cells; ++c)
      for (std::size_t j = 0; j < inner; ++j)
        e[c * inner + j] = replaced[c] * scratch[j] + kept[c] * p[c * inner + j];
  }

  template <class Inner>
  TOKUMEI_HOT void backward(const double* w, double* u, double* scratch, Inner inner) const {
    sum_cells(w, replaced, scratch, inner);
    for (std::size_t c = 0; c < cells; ++c)
      for (std::size_t j = 0; j < inner; ++j)
        u[c * inner + j] = scratch[j] + kept[c] * w[c * inner + j];
  }

 private:
  // The sum over the cells, with factors where they are given, in eight lanes: cell c goes to lane
  // c mod 8.
  template <class Inner>
  TOKUMEI_HOT void sum_cells(const double* x, const double* factors, double* sums,
                             Inner inner) const {
    std::fill_n(sums, lane_count * inner, 0.0);
    const std::size_t whole = cells / lane_count * lane_count;
    for (std::size_t c = 0; c < whole; c += lane_count)
      for (std::size_t lane = 0; lane < lane_count; ++lane) {
        const double factor = factors != nullptr ? factors[c + lane] : 1.0;
        for (std::size_t j = 0; j < inner; ++j)
          sums[lane * inner + j] += factor * x[(c + lane) * inner + j];
      }
    for (std::size_t c = whole; c < cells; ++c) {
      const double factor = factors != nullptr ? factors[c] : 1.0;
      for (std::size_t j = 0; j < inner; ++j)
        sums[(c - whole) * inner + j] += factor * x[c * inner + j];
    }
    for (std::size_t half = lane_count / 2; half > 0; half /= 2)
      for (std::size_t j = 0; j < half * inner; ++j) sums[j] += sums[j + half * inner];
  }
};

}  // namespace tokumei::reconstruct
