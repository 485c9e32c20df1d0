// A borrowed matrix, row after row, that multiplies lists from either side: the same bits on every
// instruction set (dense_transition.hpp).
#pragma once

#include <cstddef>

#include "tokumei/reconstruct/dense_transition.hpp"
#include "tokumei/runtime/instruction_sets.hpp"

namespace tokumei::reconstruct {

class DenseMatrix {
 public:
  DenseMatrix(const double* numbers, std::size_t rows, std::size_t columns, InstructionSet isa)
      : matrix_{columns, rows, numbers}, isa_(isa) {}

  std::size_t rows() const { return matrix_.outputs; }
  std::size_t columns() const { return matrix_.inputs; }
  const double* row(std::size_t r) const { return matrix_.matrix + r * columns(); }

  // out = A in
  void times(const double* in, double* out) const { dispatch<Forward>(isa_, matrix_, in, out); }
  // out = A' in
  void transposed_times(const double* in, double* out) const {
    dispatch<Backward>(isa_, matrix_, in, out);
  }

 private:
  struct Forward {
    TOKUMEI_HOT static void run(DenseTransition matrix, const double* in, double* out) {
      matrix.forward(in, out, nullptr, One{});
    }
  };
  struct Backward {
    TOKUMEI_HOT static void run(DenseTransition matrix, const double* in, double* out) {
      matrix.backward(in, out, nullptr, One{});
    }
  };

  DenseTransition matrix_;
  InstructionSet isa_;
};

}  // namespace tokumei::reconstruct
