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
      : rows_(rows), columns_(columns), numbers_(numbers), isa_(isa) {}

  std::size_t rows() const { return rows_; }
  std::size_t columns() const { return columns_; }
  const double* row(std::size_t r) const { return numbers_ + r * columns_; }

  // out = A in
  void times(const double* in, double* out) const { dispatch_lanes<Forward>(isa_, this, in, out); }
  // out = A' in
  void transposed_times(const double* in, double* out) const {
    dispatch_lanes<Backward>(isa_, this, in, out);
  }

 private:
  template <std::size_t bytes>
  struct Forward {
    TOKUMEI_HOT static void run(const DenseMatrix* matrix, const double* in, double* out) {
      matrix->as_transition<bytes>().forward(in, out, nullptr, One{});
    }
  };
  template <std::size_t bytes>
  struct Backward {
    TOKUMEI_HOT static void run(const DenseMatrix* matrix, const double* in, double* out) {
      matrix->as_transition<bytes>().backward(in, out, nullptr, One{});
    }
  };

  template <std::size_t bytes>
  TOKUMEI_HOT DenseTransition<bytes> as_transition() const {
    return {columns_, rows_, numbers_};
  }

  std::size_t rows_, columns_;
  const double* numbers_;
  InstructionSet isa_;
};

}  // namespace tokumei::reconstruct
