// The normal prior of log-probabilities of cells: a random walk.
//
// Differences of order 1, 2 or 3 between neighbouring cells are normal with precision `strength`.
// What they leave open (a constant, a straight line, a parabola) has normal coefficients of
// deviation 3, and so has each atom's log-probability, which no difference ties to the cells, with
// deviation 5. The precision is strength x rough + fixed; it has full rank.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "tokumei/numeric/symmetric_systems.hpp"
#include "tokumei/runtime/run.hpp"
#include "tokumei/simd/elementary.hpp"

namespace tokumei::reconstruct {

class SmoothnessPrior {
 public:
  SmoothnessPrior(std::size_t cells, std::size_t atoms, std::size_t order, Run run)
      : cells_(cells), order_(std::min(order, cells)), size_(cells + atoms), rough_(size_ * size_),
        fixed_(size_ * size_) {
    const double free = free_deviation * free_deviation * static_cast<double>(cells);
    const std::vector<double> open = polynomials();
    add_square(open, order_, 1.0 / free, fixed_, run);
    for (std::size_t i = cells; i < size_; ++i)
      fixed_[i * size_ + i] = 1.0 / (atom_deviation * atom_deviation);
    log_determinant_ = -static_cast<double>(order_) * logarithm(free) -
                       static_cast<double>(atoms) * logarithm(atom_deviation * atom_deviation);
    if (cells_ == order_) return;
    const std::vector<double> walk = differences();
    add_square(walk, cells_ - order_, 1.0, rough_, run);
    // Of the differences' square: its pseudo-determinant has a closed form only for order 1.
    const std::size_t rows = cells_ - order_;
    std::vector<double> turned(walk.size()), square(rows * rows), ones(cells_, 1.0);
    for (std::size_t r = 0; r < rows; ++r)
      for (std::size_t c = 0; c < cells_; ++c) turned[c * rows + r] = walk[r * cells_ + c];
    weighted_square({turned.data(), turned.size()}, {ones.data(), cells_},
                    {square.data(), square.size()}, run);
    factorise({square.data(), square.size()}, rows, run);
    log_determinant_ += log_determinant({square.data(), square.size()}, rows);
  }

  std::size_t cells() const { return cells_; }

  void precision(double strength, std::vector<double>& out) const {
    out.resize(rough_.size());
    for (std::size_t i = 0; i < out.size(); ++i) out[i] = strength * rough_[i] + fixed_[i];
  }

  double log_determinant_of(double strength) const {
    return static_cast<double>(cells_ - order_) * logarithm(strength) + log_determinant_;
  }

 private:
  static constexpr double free_deviation = 3.0, atom_deviation = 5.0;

  // (cells - order) x cells: binomial coefficients of alternating sign in each row.
  std::vector<double> differences() const {
    const std::size_t rows = cells_ - order_;
    std::vector<double> found(rows * cells_, 0.0);
    for (std::size_t r = 0; r < rows; ++r) {
      double coefficient = order_ % 2 == 0 ? 1.0 : -1.0;
      for (std::size_t j = 0; j <= order_; ++j) {
        found[r * cells_ + r + j] = coefficient;
        coefficient *= -static_cast<double>(order_ - j) / static_cast<double>(j + 1);
      }
    }
    return found;
  }

  // order x cells: orthonormal polynomials of degrees below the order, by Gram and Schmidt, twice.
  std::vector<double> polynomials() const {
    std::vector<double> found(order_ * cells_);
    for (std::size_t degree = 0; degree < order_; ++degree) {
      double* row = found.data() + degree * cells_;
      for (std::size_t c = 0; c < cells_; ++c)
        row[c] = degree == 0 ? 1.0 : found[(degree - 1) * cells_ + c] * place(c);
      for (int round = 0; round < 2; ++round) {
        for (std::size_t lower = 0; lower < degree; ++lower) {
          const double* other = found.data() + lower * cells_;
          const double shared = dot(row, other);
          for (std::size_t c = 0; c < cells_; ++c) row[c] -= shared * other[c];
        }
        const double length = std::sqrt(dot(row, row));
        for (std::size_t c = 0; c < cells_; ++c) row[c] /= length;
      }
    }
    return found;
  }

  double place(std::size_t cell) const {
    if (cells_ == 1) return -1.0;
    return 2.0 * static_cast<double>(cell) / static_cast<double>(cells_ - 1) - 1.0;
  }

  double dot(const double* a, const double* b) const {
    double sum = 0.0;
    for (std::size_t c = 0; c < cells_; ++c) sum += a[c] * b[c];
    return sum;
  }

  // to += factor rows' rows, among the cells.
  void add_square(const std::vector<double>& rows, std::size_t count, double factor,
                  std::vector<double>& to, Run run) const {
    std::vector<double> square(cells_ * cells_), weights(count, 1.0);
    weighted_square({rows.data(), rows.size()}, {weights.data(), count},
                    {square.data(), square.size()}, run);
    for (std::size_t i = 0; i < cells_; ++i)
      for (std::size_t j = 0; j < cells_; ++j) to[i * size_ + j] += factor * square[i * cells_ + j];
  }

  std::size_t cells_, order_, size_;
  std::vector<double> rough_, fixed_;
  double log_determinant_;
};

}  // namespace tokumei::reconstruct
