// Cells transition evenly over a window around them, and a little everywhere, in O(cells).
//
//   T[r, c] = everywhere[r] + window[r] where first[c] <= r < last[c]
//                           + fringe    in the few rows at either border of the window
//
// is the square wave, on codes or on cells of a continuous value, whose borders cut cells in parts:
// lower[c, k] belongs to row first[c] - width + k, upper[c, k] to row last[c] + k, for k < width;
// rows that do not exist have a fringe of 0. Windows move up with c: first and last never fall.
//
// Sums over windows are taken without a subtraction (so nothing cancels): of each window the part
// before a border is a sum from the border down, made once, and the part after it a sum that grows;
// where a window has left the border behind, the next border is its end. O(1) a window on average.
//
// forward: e = T p, backward: u = T' w. Each cell may hold a row of numbers (cell_rows.hpp),
// which are treated alike.
#pragma once

#include <algorithm>
#include <cstddef>

#include "tokumei/reconstruct/cell_rows.hpp"
#include "tokumei/runtime/instruction_sets.hpp"

namespace tokumei::reconstruct {

struct SquareWaveTransition {
  std::size_t inputs, outputs, width;
  const double *everywhere, *window;  // of each output cell
  const double *first, *last;         // of each input cell, whole numbers
  const double *lower, *upper;        // of each input cell, `width` numbers

  // scratch: as many rows as the longer side has, and two more.
  template <class Inner>
  TOKUMEI_HOT void forward(const double* p, double* e, double* scratch, Inner inner) const {
    RunningRow<Inner> sum(scratch, inner);
    for (std::size_t c = 0; c < inputs; ++c)
      for (std::size_t j = 0; j < inner; ++j) sum[j] += p[c * inner + j];
    for (std::size_t r = 0; r < outputs; ++r)
      for (std::size_t j = 0; j < inner; ++j) e[r * inner + j] = everywhere[r] * sum[j];
    // The windows over the inputs that hold output r: from the first whose last is above r, to the
    // last whose first is not.
    std::size_t from = 0, to = 0;
    each_window<false>(
        outputs, p, scratch, inner,
        [&](std::size_t r, std::size_t& begin, std::size_t& end) {
          while (to < inputs && whole(first[to]) <= r) ++to;
          while (from < to && whole(last[from]) <= r) ++from;
          begin = from;
          end = to;
        },
        [&](std::size_t r, RunningRow<Inner>& total) {
          for (std::size_t j = 0; j < inner; ++j) e[r * inner + j] += window[r] * total[j];
        });
    each_fringe([&](std::size_t r, std::size_t c, double share) {
      for (std::size_t j = 0; j < inner; ++j) e[r * inner + j] += share * p[c * inner + j];
    });
  }

  template <class Inner>
  TOKUMEI_HOT void backward(const double* w, double* u, double* scratch, Inner inner) const {
    RunningRow<Inner> sum(scratch, inner);
    for (std::size_t r = 0; r < outputs; ++r)
      for (std::size_t j = 0; j < inner; ++j) sum[j] += everywhere[r] * w[r * inner + j];
    for (std::size_t c = 0; c < inputs; ++c)
      for (std::size_t j = 0; j < inner; ++j) u[c * inner + j] = sum[j];
    each_window<true>(
        inputs, w, scratch, inner,
        [&](std::size_t c, std::size_t& begin, std::size_t& end) {
          begin = whole(first[c]);
          end = whole(last[c]);
        },
        [&](std::size_t c, RunningRow<Inner>& total) {
          for (std::size_t j = 0; j < inner; ++j) u[c * inner + j] += total[j];
        });
    each_fringe([&](std::size_t r, std::size_t c, double share) {
      for (std::size_t j = 0; j < inner; ++j) u[c * inner + j] += share * w[r * inner + j];
    });
  }

 private:
  TOKUMEI_HOT static std::size_t whole(double number) { return static_cast<std::size_t>(number); }

  // give(i, sum of x over the window of i), for i = 0.. and windows begin(i)..end(i) that move up;
  // x is multiplied by the heights of the outputs where it lies on them.
  template <bool with_heights, class Inner, class Bounds, class Give>
  TOKUMEI_HOT void each_window(std::size_t windows, const double* x, double* scratch, Inner inner,
                               Bounds&& bounds, Give&& give) const {
    RunningRow<Inner> fresh(scratch, inner), total(scratch + inner, inner);
    double* downwards = scratch + 2 * inner;
    const auto value = [&](std::size_t at, std::size_t j) {
      return with_heights ? window[at] * x[at * inner + j] : x[at * inner + j];
    };
    std::size_t border = 0, reached = 0;
    for (std::size_t i = 0; i < windows; ++i) {
      std::size_t begin = 0, end = 0;
      bounds(i, begin, end);
      if (begin >= end) continue;
      if (begin >= border) {
        for (std::size_t at = end; at-- > begin;)
          for (std::size_t j = 0; j < inner; ++j)
            downwards[at * inner + j] =
                at + 1 == end ? value(at, j) : downwards[(at + 1) * inner + j] + value(at, j);
        for (std::size_t j = 0; j < inner; ++j) fresh[j] = 0.0;
        border = reached = end;
      }
      for (; reached < end; ++reached)
        for (std::size_t j = 0; j < inner; ++j) fresh[j] += value(reached, j);
      for (std::size_t j = 0; j < inner; ++j) total[j] = downwards[begin * inner + j] + fresh[j];
      give(i, total);
    }
  }

  template <class Give>
  TOKUMEI_HOT void each_fringe(Give&& give) const {
    for (std::size_t c = 0; c < inputs; ++c)
      for (std::size_t k = 0; k < width; ++k) {
        const double below = lower[c * width + k], above = upper[c * width + k];
        if (below != 0.0) give(whole(first[c]) - width + k, c, below);
        if (above != 0.0) give(whole(last[c]) + k, c, above);
      }
  }
};

}  // namespace tokumei::reconstruct
