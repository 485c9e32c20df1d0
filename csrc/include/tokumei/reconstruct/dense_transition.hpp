// Cells transition by any matrix, in O(inputs outputs).
//
// T is held row after row: T[r, c] is the probability that input cell c is released as output cell
// r. forward: e = T p, summed in eight lanes over the inputs; backward: u = T' w, row by row. Each
// cell may hold a row of numbers (cell_rows.hpp), which are treated alike.
#pragma once

#include <algorithm>
#include <cstddef>

#include "tokumei/numeric/scalar_product.hpp"
#include "tokumei/reconstruct/cell_rows.hpp"
#include "tokumei/runtime/instruction_sets.hpp"
#include "tokumei/simd/lanes.hpp"

namespace tokumei::reconstruct {

template <std::size_t bytes>
struct DenseTransition {
  std::size_t inputs, outputs;
  const double* matrix;

  template <class Inner>
  TOKUMEI_HOT void forward(const double* p, double* e, double*, Inner inner) const {
    for (std::size_t r = 0; r < outputs; ++r) {
      const double* row = matrix + r * inputs;
      if (inner == 1) {
        e[r] = ScalarProductByLanes<bytes>::run(row, p, inputs);
        continue;
      }
      std::fill_n(e + r * inner, static_cast<std::size_t>(inner), 0.0);
      for (std::size_t c = 0; c < inputs; ++c)
        for (std::size_t j = 0; j < inner; ++j) e[r * inner + j] += row[c] * p[c * inner + j];
    }
  }

  template <class Inner>
  TOKUMEI_HOT void backward(const double* w, double* u, double*, Inner inner) const {
    std::fill_n(u, inputs * inner, 0.0);
    for (std::size_t r = 0; r < outputs; ++r) {
      const double* row = matrix + r * inputs;
      for (std::size_t c = 0; c < inputs; ++c)
        for (std::size_t j = 0; j < inner; ++j) u[c * inner + j] += row[c] * w[r * inner + j];
    }
  }
};

}  // namespace tokumei::reconstruct
