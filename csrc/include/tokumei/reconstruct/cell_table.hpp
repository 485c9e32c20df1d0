// A table of cells seen through noise: every axis has its own transition, and they act one after
// the other (the Kronecker product of their matrices is never made).
//
//   forward:   e = (T1 x T2 x ...) p      from cells of the truth to cells of what is released
//   backward:  u = (T1 x T2 x ...)' w     and back
//
// Tables are row-major, the last axis side by side. Cost: the sum of the axes' products, each for
// all rows of the table along its axis. Works in buffers of its own: one thread at a time.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <utility>
#include <vector>

#include "tokumei/reconstruct/transition.hpp"
#include "tokumei/runtime/instruction_sets.hpp"
#include "tokumei/runtime/run.hpp"
#include "tokumei/runtime/views.hpp"

namespace tokumei::reconstruct {

struct CellLayout {
  CellLayout(Column<std::int64_t> axes_, Column<double> coefficients_)
      : axes(axes_), coefficients(coefficients_) {}

  Column<std::int64_t> axes;
  Column<double> coefficients;
};

class CellTable {
 public:
  explicit CellTable(CellLayout layout) : axes_(transitions_of(layout)) {
    std::size_t largest = 1, scratch = 1;
    // Going forward, the axes before the one at work already have their output cells.
    for (std::size_t axis = 0; axis <= axes_.size(); ++axis) {
      largest = std::max(largest, outer(axis) * inner(axis) * inputs_of(axis));
      if (axis < axes_.size()) scratch = std::max(scratch, axes_[axis].scratch(inner(axis)));
    }
    first_.resize(largest);
    second_.resize(largest);
    scratch_.resize(scratch);
  }

  std::size_t axes() const { return axes_.size(); }
  std::size_t inputs() const { return inner(0) * inputs_of(0); }
  std::size_t outputs() const { return outer(axes_.size()); }
  std::size_t inputs_of(std::size_t axis) const {
    return axis < axes_.size() ? axes_[axis].inputs() : 1;
  }
  // Numbers side by side in each input cell of the axis.
  std::size_t inner(std::size_t axis) const {
    std::size_t size = 1;
    for (std::size_t later = axis + 1; later < axes_.size(); ++later) size *= axes_[later].inputs();
    return size;
  }

  void forward(InstructionSet isa, const double* p, double* e) {
    apply<Forward>(isa, p, e, 0, axes_.size(), 1);
  }
  void backward(InstructionSet isa, const double* w, double* u) {
    apply<Backward>(isa, w, u, axes_.size() - 1, axes_.size(), -1);
  }

 private:
  static std::vector<Transition> transitions_of(CellLayout layout) {
    std::vector<Transition> found;
    std::size_t used = 0;
    for (std::size_t at = 0; at + 4 <= layout.axes.size(); at += 4) {
      const std::int64_t* axis = layout.axes.data() + at;
      const auto kind = static_cast<int>(axis[0]);
      const auto inputs = static_cast<std::size_t>(axis[1]),
                 outputs = static_cast<std::size_t>(axis[2]),
                 detail = static_cast<std::size_t>(axis[3]);
      const std::size_t needed = Transition::coefficients_of(kind, inputs, outputs, detail);
      if (inputs == 0 || outputs == 0 || needed > layout.coefficients.size() - used)
        throw std::invalid_argument("a transition has too few cells or coefficients");
      found.emplace_back(kind, inputs, outputs, detail, layout.coefficients.data() + used);
      used += needed;
    }
    if (found.empty() || used != layout.coefficients.size())
      throw std::invalid_argument("transitions and coefficients do not fit together");
    return found;
  }

  template <std::size_t bytes>
  struct Forward {
    TOKUMEI_HOT static void run(const Transition* transition, const double* in, double* out,
                                std::size_t outer, std::size_t inner, double* scratch) {
      transition->forward<bytes>(in, out, outer, inner, scratch);
    }
  };
  template <std::size_t bytes>
  struct Backward {
    TOKUMEI_HOT static void run(const Transition* transition, const double* in, double* out,
                                std::size_t outer, std::size_t inner, double* scratch) {
      transition->backward<bytes>(in, out, outer, inner, scratch);
    }
  };

  // Output cells of the axes before.
  std::size_t outer(std::size_t axis) const {
    std::size_t size = 1;
    for (std::size_t before = 0; before < axis; ++before) size *= axes_[before].outputs();
    return size;
  }

  template <template <std::size_t bytes> class Way>
  void apply(InstructionSet isa, const double* in, double* out, std::size_t axis, std::size_t steps,
             std::ptrdiff_t by) {
    const double* from = in;
    for (std::size_t step = 0; step < steps; ++step) {
      double* spare = from == first_.data() ? second_.data() : first_.data();
      double* to = step + 1 == steps ? out : spare;
      dispatch_lanes<Way>(isa, static_cast<const Transition*>(&axes_[axis]), from, to, outer(axis),
                          inner(axis), scratch_.data());
      from = to;
      axis += static_cast<std::size_t>(by);
    }
  }

  std::vector<Transition> axes_;
  std::vector<double> first_, second_, scratch_;
};

// One product by all the axes: e = T p where `forward`, else u = T' w.
inline void transition_cells(CellLayout layout, Column<double> in, OutColumn<double> out,
                             bool forward, Run run) {
  CellTable cells(layout);
  const std::size_t needed = forward ? cells.inputs() : cells.outputs();
  const std::size_t given = forward ? cells.outputs() : cells.inputs();
  if (in.size() != needed || out.size() != given)
    throw std::invalid_argument("cells and values do not fit together");
  if (forward)
    cells.forward(run.isa, in.data(), out.data());
  else
    cells.backward(run.isa, in.data(), out.data());
}

// The whole matrix, output cells in rows.
inline void transition_matrix(CellLayout layout, OutColumn<double> out, Run run) {
  CellTable cells(layout);
  const std::size_t inputs = cells.inputs(), outputs = cells.outputs();
  if (out.size() != inputs * outputs)
    throw std::invalid_argument("cells and values do not fit together");
  std::vector<double> unit(inputs, 0.0), column(outputs);
  for (std::size_t c = 0; c < inputs; ++c) {
    unit[c] = 1.0;
    cells.forward(run.isa, unit.data(), column.data());
    unit[c] = 0.0;
    for (std::size_t r = 0; r < outputs; ++r) out[r * inputs + c] = column[r];
  }
}

}  // namespace tokumei::reconstruct
