// Symmetric systems of a few hundred unknowns: weighted products, Cholesky factors, solutions.
//
//   weighted_square   A' diag(w) A, of A with rows x columns numbers, row after row
//   factorise         S = U' U with U upper triangular, in place; what lies below the diagonal is
//                     left as it was
//   log_determinant   of S, from U
//   solve_factorised  U' U x = b, or only U x = b, in place
//
// All matrices are row-major, S and U whole squares. Inner loops add multiples of rows to rows:
// they vectorise without changing the order of a sum, so all instruction sets give the same bits,
// and no library's threads get in the way of small matrices. O(rows columns^2), O(n^3 / 6), O(n^2).
// Throws std::invalid_argument where S is not positive definite to working precision.
#pragma once

#include <cmath>
#include <cstddef>
#include <stdexcept>

#include "tokumei/runtime/instruction_sets.hpp"
#include "tokumei/runtime/run.hpp"
#include "tokumei/runtime/views.hpp"
#include "tokumei/simd/elementary.hpp"

namespace tokumei::numeric {

// to[j] += factor from[j] for begin <= j < end.
TOKUMEI_HOT void add_row(double* to, const double* from, double factor, std::size_t begin,
                         std::size_t end) {
  for (std::size_t j = begin; j < end; ++j) to[j] += factor * from[j];
}

struct WeightedSquare {
  TOKUMEI_HOT static void run(const double* a, const double* w, std::size_t rows,
                              std::size_t columns, double* out) {
    for (std::size_t i = 0; i < columns * columns; ++i) out[i] = 0.0;
    // Four rows of A at a time: each row of the result is read and written a quarter as often.
    std::size_t r = 0;
    for (; r + 4 <= rows; r += 4) {
      const double *b = a + r * columns, *c = b + columns, *d = c + columns, *e = d + columns;
      for (std::size_t i = 0; i < columns; ++i) {
        const double p = w[r] * b[i], q = w[r + 1] * c[i], s = w[r + 2] * d[i], t = w[r + 3] * e[i];
        double* row = out + i * columns;
        for (std::size_t j = i; j < columns; ++j)
          row[j] += (p * b[j] + q * c[j]) + (s * d[j] + t * e[j]);
      }
    }
    for (; r < rows; ++r) {
      const double* b = a + r * columns;
      for (std::size_t i = 0; i < columns; ++i)
        add_row(out + i * columns, b, w[r] * b[i], i, columns);
    }
    for (std::size_t i = 0; i < columns; ++i)
      for (std::size_t j = 0; j < i; ++j) out[i * columns + j] = out[j * columns + i];
  }
};

struct Factorise {
  // Whether all pivots are positive.
  TOKUMEI_HOT static bool run(double* s, std::size_t n) {
    for (std::size_t k = 0; k < n; ++k) {
      double* row = s + k * n;
      if (!(row[k] > 0.0)) return false;
      const double inverse = 1.0 / std::sqrt(row[k]);
      for (std::size_t j = k; j < n; ++j) row[j] *= inverse;
      for (std::size_t i = k + 1; i < n; ++i) add_row(s + i * n, row, -row[i], i, n);
    }
    return true;
  }
};

struct SolveFactorised {
  TOKUMEI_HOT static void run(const double* u, std::size_t n, double* x, bool both) {
    if (both)
      for (std::size_t k = 0; k < n; ++k) {
        x[k] /= u[k * n + k];
        add_row(x, u + k * n, -x[k], k + 1, n);
      }
    for (std::size_t k = n; k-- > 0;) {
      double sum = x[k];
      for (std::size_t j = k + 1; j < n; ++j) sum -= u[k * n + j] * x[j];
      x[k] = sum / u[k * n + k];
    }
  }
};

inline void weighted_square(Column<double> a, Column<double> weights, OutColumn<double> out,
                            Run run) {
  const std::size_t rows = weights.size(), columns = a.size() / rows;
  if (columns * rows != a.size() || columns * columns != out.size())
    throw std::invalid_argument("matrices do not fit together");
  dispatch<WeightedSquare>(run.isa, a.data(), weights.data(), rows, columns, out.data());
}

inline void factorise(OutColumn<double> s, std::size_t n, Run run) {
  if (s.size() != n * n) throw std::invalid_argument("matrices do not fit together");
  if (!dispatch<Factorise>(run.isa, s.data(), n))
    throw std::invalid_argument("a matrix is not positive definite");
}

// Of S = U' U.
inline double log_determinant(Column<double> u, std::size_t n) {
  double sum = 0.0;
  for (std::size_t i = 0; i < n; ++i) sum += logarithm(u[i * n + i]);
  return 2.0 * sum;
}

// x: right-hand sides one after the other, then the solutions.
inline void solve_factorised(Column<double> u, std::size_t n, OutColumn<double> x, bool both,
                             Run run) {
  if (u.size() != n * n || x.size() % n != 0)
    throw std::invalid_argument("matrices do not fit together");
  for (std::size_t at = 0; at < x.size(); at += n)
    dispatch<SolveFactorised>(run.isa, u.data(), n, x.data() + at, both);
}

}  // namespace tokumei::numeric
