// The transition operator of one attribute, from its cells to those of what is released: T[r, c],
// the probability that a value of input cell c is released as output cell r, by the quickest way to
// multiply by it.
//
//   kind                 coefficients, one list after the other      products
//   dense                T, row after row                            O(inputs x outputs)
//   laplace              decay, caught (outputs); up, down, stay     O(cells)
//   randomised_response  replaced, kept                              O(cells)
//   square_wave          everywhere, window (outputs); first, last;  O(cells)
//                        lower, upper (inputs x width)
//
// each as the header of its name has it (dense_transition.hpp and so on). `detail`: output cells
// below the first input cell (laplace) or the width of the fringe (square_wave), else 0. `forward`
// and `backward` work along one axis of a table of `outer` x cells x `inner` numbers, row-major.
// Throws std::invalid_argument where there is no such kind or inputs are not among the outputs.
#pragma once

#include <algorithm>
#include <cstddef>
#include <stdexcept>

#include "tokumei/reconstruct/dense_transition.hpp"
#include "tokumei/reconstruct/laplace_transition.hpp"
#include "tokumei/reconstruct/randomised_response_transition.hpp"
#include "tokumei/reconstruct/square_wave_transition.hpp"

namespace tokumei::reconstruct {

enum class TransitionKind : int {
  dense = 0,
  laplace = 1,
  randomised_response = 2,
  square_wave = 3
};

class Transition {
 public:
  Transition(int kind, std::size_t inputs, std::size_t outputs, std::size_t detail,
             const double* coefficients)
      : kind_(kind_of(kind)), inputs_(inputs), outputs_(outputs), detail_(detail),
        numbers_(coefficients) {
    if (!fits())
      throw std::invalid_argument("input cells of a transition are not among its outputs");
  }

  static std::size_t coefficients_of(int kind, std::size_t inputs, std::size_t outputs,
                                     std::size_t detail) {
    switch (kind_of(kind)) {
    case TransitionKind::laplace:
      return 2 * outputs + 3 * inputs;
    case TransitionKind::randomised_response:
      return 2 * inputs;
    case TransitionKind::square_wave:
      return 2 * outputs + (2 + 2 * detail) * inputs;
    default:
      return inputs * outputs;
    }
  }

  std::size_t inputs() const { return inputs_; }
  std::size_t outputs() const { return outputs_; }
  std::size_t scratch(std::size_t inner) const {
    return (std::max({inputs_, outputs_, lane_count}) + 2) * inner;
  }

  // out = T in, along the axis.
  template <std::size_t bytes>
  TOKUMEI_HOT void forward(const double* in, double* out, std::size_t outer, std::size_t inner,
                           double* scratch) const {
    each_slice<bytes>(outer, inner,
                      [&](const auto& transition, std::size_t slice, auto row) TOKUMEI_HOT_LAMBDA {
                        transition.forward(in + slice * inputs_ * inner,
                                           out + slice * outputs_ * inner, scratch, row);
                      });
  }

  // out = T' in, along the axis.
  template <std::size_t bytes>
  TOKUMEI_HOT void backward(const double* in, double* out, std::size_t outer, std::size_t inner,
                            double* scratch) const {
    each_slice<bytes>(outer, inner,
                      [&](const auto& transition, std::size_t slice, auto row) TOKUMEI_HOT_LAMBDA {
                        transition.backward(in + slice * outputs_ * inner,
                                            out + slice * inputs_ * inner, scratch, row);
                      });
  }

 private:
  static TransitionKind kind_of(int number) {
    if (number < 0 || number > 3) throw std::invalid_argument("there is no such transition");
    return static_cast<TransitionKind>(number);
  }

  bool fits() const {
    if (kind_ == TransitionKind::laplace)
      return detail_ <= outputs_ && inputs_ <= outputs_ - detail_;
    if (kind_ == TransitionKind::randomised_response) return inputs_ == outputs_;
    return kind_ == TransitionKind::dense || windows_fit();
  }

  bool windows_fit() const {
    const SquareWaveTransition transition = as_square_wave();
    double first = 0.0, last = 0.0;
    for (std::size_t c = 0; c < inputs_; ++c) {
      if (!(first <= transition.first[c] && last <= transition.last[c] &&
            transition.first[c] <= transition.last[c] &&
            transition.last[c] <= static_cast<double>(outputs_)))
        return false;
      first = transition.first[c];
      last = transition.last[c];
      for (std::size_t k = 0; k < detail_; ++k) {
        const auto rows = static_cast<double>(detail_ - k);
        if (transition.lower[c * detail_ + k] != 0.0 && first < rows) return false;
        if (transition.upper[c * detail_ + k] != 0.0 &&
            last + static_cast<double>(k) >= static_cast<double>(outputs_))
          return false;
      }
    }
    return true;
  }

  TOKUMEI_HOT SquareWaveTransition as_square_wave() const {
    const double* at = numbers_;
    const double* rows = at + 2 * outputs_;
    const double* fringe = rows + 2 * inputs_;
    return {inputs_,
            outputs_,
            detail_,
            at,
            at + outputs_,
            rows,
            rows + inputs_,
            fringe,
            fringe + detail_ * inputs_};
  }

  template <std::size_t bytes, class Use>
  TOKUMEI_HOT void each_slice(std::size_t outer, std::size_t inner, Use&& use) const {
    const double* at = numbers_;
    const auto all = [&](const auto& transition) TOKUMEI_HOT_LAMBDA {
      for (std::size_t slice = 0; slice < outer; ++slice) {
        if (inner == 1)
          use(transition, slice, One{});
        else
          use(transition, slice, Many{inner});
      }
    };
    if (kind_ == TransitionKind::laplace) {
      const double* leaving = at + 2 * outputs_;
      all(LaplaceTransition{inputs_, outputs_, detail_, at, at + outputs_, leaving,
                            leaving + inputs_, leaving + 2 * inputs_});
    } else if (kind_ == TransitionKind::randomised_response) {
      all(RandomisedResponseTransition{inputs_, at, at + inputs_});
    } else if (kind_ == TransitionKind::square_wave) {
      all(as_square_wave());
    } else {
      all(DenseTransition<bytes>{inputs_, outputs_, at});
    }
  }

  TransitionKind kind_;
  std::size_t inputs_, outputs_, detail_;
  const double* numbers_;
};

}  // namespace tokumei::reconstruct
