// The first principal axis: the direction in which records spread most.
//
// The largest eigenvector of the covariance by Jacobi's rotations (cyclic by rows), scaled to
// length 1, its component of largest size positive (of equal ones the lowest axis). Every sum has a
// fixed order: means are correctly rounded sums over n; the products of deviations are summed in 8
// lanes over blocks of 256 records, the lanes from the first to the last, the blocks exactly. So
// the axis has the same bits for any number of threads and on any processor; where the largest
// eigenvalue is not single it is still the same axis.
//
// O(n d^2 + d^3). Throws Interrupted.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

#include "tokumei/numeric/exact_sum.hpp"
#include "tokumei/order/path_start.hpp"
#include "tokumei/runtime/instruction_sets.hpp"
#include "tokumei/runtime/run.hpp"
#include "tokumei/runtime/thread_team.hpp"
#include "tokumei/runtime/views.hpp"

namespace tokumei::order {

// A point and a direction; a power of two brings deviations near 1, so that no square overflows.
struct PrincipalAxis {
  std::vector<double> mean;
  std::vector<double> direction;
  double scale = 1.0;
};

struct DotOfDeviations {
  // At most 256 rows, in 8 lanes.
  TOKUMEI_HOT static double run(const double* x, double x_mean, const double* y, double y_mean,
                                double scale, std::size_t rows) {
    double sums[8] = {};
    std::size_t i = 0;
    for (; i + 8 <= rows; i += 8)
      for (std::size_t lane = 0; lane < 8; ++lane)
        sums[lane] += (x[i + lane] - x_mean) * scale * ((y[i + lane] - y_mean) * scale);
    for (std::size_t lane = 0; i < rows; ++i, ++lane)
      sums[lane] += (x[i] - x_mean) * scale * ((y[i] - y_mean) * scale);
    double sum = 0.0;
    for (const double part : sums) sum += part;
    return sum;
  }
};

// A square matrix, row after row.
struct SquareMatrix {
  std::size_t size;
  std::vector<double> values = std::vector<double>(size * size, 0.0);
  double& operator()(std::size_t i, std::size_t j) { return values[i * size + j]; }
};

inline double largest_deviation(Table<double> x, const std::vector<double>& mean,
                                ThreadTeam& team) {
  std::vector<double> largest(x.columns(), 0.0);
  team.each_block(x.columns(), [&](std::size_t j) {
    for (const double value : x.column(j))
      largest[j] = std::max(largest[j], std::abs(value - mean[j]));
  });
  return *std::max_element(largest.begin(), largest.end());
}

// Sums of products of deviations, times scale^2.
inline SquareMatrix scatter(Table<double> x, const PrincipalAxis& axis, ThreadTeam& team,
                            Run& run) {
  constexpr std::size_t block = 256;
  SquareMatrix sums{x.columns()};
  for (std::size_t j = 0; j < x.columns(); ++j) {
    run.monitor.tick(0.0);
    team.each_block(x.columns() - j, [&](std::size_t further) {
      const std::size_t k = j + further;
      ExactSum sum;
      for (std::size_t begin = 0; begin < x.rows(); begin += block)
        sum.add(dispatch<DotOfDeviations>(run.isa, x.column(j).data() + begin, axis.mean[j],
                                          x.column(k).data() + begin, axis.mean[k], axis.scale,
                                          std::min(block, x.rows() - begin)));
      sums(j, k) = sums(k, j) = sum.value();
    });
  }
  return sums;
}

// Makes entry (p, q) of `a` zero by a rotation, which is noted in the rows of `v`.
inline void rotate(SquareMatrix& a, SquareMatrix& v, std::size_t p, std::size_t q) {
  const double half_difference = (a(q, q) - a(p, p)) / 2;
  const double length = std::sqrt(half_difference * half_difference + a(p, q) * a(p, q));
  const double tangent =
      a(p, q) / (half_difference >= 0 ? half_difference + length : half_difference - length);
  const double cosine = 1 / std::sqrt(tangent * tangent + 1);
  const double sine = tangent * cosine;
  const auto turn = [&](double& x, double& y) {
    const double old = x;
    x = cosine * old - sine * y;
    y = sine * old + cosine * y;
  };
  for (std::size_t i = 0; i < a.size; ++i) turn(a(i, p), a(i, q));
  for (std::size_t i = 0; i < a.size; ++i) turn(a(p, i), a(q, i));
  for (std::size_t i = 0; i < a.size; ++i) turn(v(p, i), v(q, i));
  a(p, q) = a(q, p) = 0.0;
}

// The eigenvector of the largest eigenvalue (of equal ones, the first on the diagonal).
inline std::vector<double> largest_eigenvector(SquareMatrix a, Run& run) {
  constexpr int most_sweeps = 60;
  const std::size_t d = a.size;
  double trace = 0.0;
  for (std::size_t j = 0; j < d; ++j) trace += a(j, j);
  SquareMatrix v{d};
  for (std::size_t j = 0; j < d; ++j) v(j, j) = 1.0;
  bool turned = true;
  for (int sweep = 0; sweep < most_sweeps && turned; ++sweep) {
    turned = false;
    for (std::size_t p = 0; p < d; ++p) {
      run.monitor.tick(0.0);
      for (std::size_t q = p + 1; q < d; ++q) {
        if (std::abs(a(p, q)) <= 0x1p-60 * trace) continue;
        rotate(a, v, p, q);
        turned = true;
      }
    }
  }
  std::size_t best = 0;
  for (std::size_t j = 1; j < d; ++j)
    if (a(j, j) > a(best, best)) best = j;
  std::vector<double> vector;
  for (std::size_t j = 0; j < d; ++j) vector.push_back(v(best, j));
  return vector;
}

inline PrincipalAxis principal_axis(Table<double> x, Run& run) {
  ThreadTeam team(run.n_threads);
  PrincipalAxis axis;
  axis.mean = mean_record(x, team, run.isa, run.monitor);
  const double largest = largest_deviation(x, axis.mean, team);
  if (largest > 0.0) axis.scale = std::ldexp(1.0, std::min(1000, -std::ilogb(largest)));
  axis.direction = largest_eigenvector(scatter(x, axis, team, run), run);
  std::size_t leading = 0;
  for (std::size_t j = 1; j < x.columns(); ++j)
    if (std::abs(axis.direction[j]) > std::abs(axis.direction[leading])) leading = j;
  if (axis.direction[leading] < 0.0)
    for (double& component : axis.direction) component = -component;
  return axis;
}

}  // namespace tokumei::order
