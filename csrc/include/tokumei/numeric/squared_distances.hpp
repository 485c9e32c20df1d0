// Squared Euclidean distances from many records to one point.
//
// |x_i - p|^2 is summed attribute by attribute, from the first to the last, starting at 0: the same
// additions in the same order at every instruction set and in the plain reference.
#pragma once

#include <cstddef>

#include "tokumei/runtime/instruction_sets.hpp"

namespace tokumei::numeric {

// out[i] = |x_i - p|^2 for `rows` records whose j-th attribute starts at columns[j] + offset.
struct SquaredDistances {
  TOKUMEI_HOT static void run(const double* const* columns, std::size_t offset, std::size_t rows,
                              std::size_t attributes, const double* point, double* out) {
    for (std::size_t i = 0; i < rows; ++i) out[i] = 0.0;
    std::size_t j = 0;
    for (; j + 4 <= attributes; j += 4) {
      const double* a = columns[j] + offset;
      const double* b = columns[j + 1] + offset;
      const double* c = columns[j + 2] + offset;
      const double* d = columns[j + 3] + offset;
      const double at_a = point[j], at_b = point[j + 1], at_c = point[j + 2], at_d = point[j + 3];
      for (std::size_t i = 0; i < rows; ++i) {
        const double by_a = a[i] - at_a, by_b = b[i] - at_b, by_c = c[i] - at_c, by_d = d[i] - at_d;
        double sum = out[i];
        sum += by_a * by_a;
        sum += by_b * by_b;
        sum += by_c * by_c;
        sum += by_d * by_d;
        out[i] = sum;
      }
    }
    for (; j < attributes; ++j) {
      const double* a = columns[j] + offset;
      const double at_a = point[j];
      for (std::size_t i = 0; i < rows; ++i) {
        const double by_a = a[i] - at_a;
        out[i] += by_a * by_a;
      }
    }
  }
};

}  // namespace tokumei::numeric
