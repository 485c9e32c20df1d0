// Sums of squares: within groups (SSE) and in total (SST), and the standardised table.
//
// SSE = sum_i |x_i - mean of its group|^2, SST = sum_i |x_i - mean|^2. Deviations are taken from
// means of twice the precision and their squares are summed without rounding: within 1e-12 of the
// exact value, also for data offset by 1e9, and the same bits for any number of threads and any
// order of the records (for SSE: of the groups; within a group the order of the records stays that
// of the rows). O(n d).
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "tokumei/double_double.hpp"
#include "tokumei/exact_sum.hpp"
#include "tokumei/groups.hpp"
#include "tokumei/team.hpp"
#include "tokumei/views.hpp"

namespace tokumei {

// The sum of f(row) over 0..rows-1, rounded once.
template <class Term>
double exact_sum(std::size_t rows, Term&& term) {
  ExactSum sum;
  for (std::size_t row = 0; row < rows; ++row) sum.add(term(row));
  return sum.value();
}

// The mean of one attribute; it does not depend on the order of the records.
inline DoubleDouble exact_mean(Column<double> x) {
  ExactSum sum;
  for (const double value : x) sum.add(value);
  const double count = static_cast<double>(x.size());
  const double mean = sum.value() / count;
  return {mean, sum.rest(mean, x.size()) / count};
}

inline double square(double x) { return x * x; }

namespace detail {

inline double in_column_order(const std::vector<double>& parts) {
  DoubleDouble total;
  for (const double part : parts) total.add(part);
  return total.value();
}

}  // namespace detail

// SSE of the groups.
inline double sse(Table<double> x, Column<std::int64_t> labels, std::size_t groups,
                  unsigned n_threads) {
  const auto sizes = group_sizes(labels, groups);
  std::vector<double> parts(x.columns());
  Team team(n_threads);
  team.each_block(x.columns(), [&](std::size_t j) {
    const auto column = x.column(j);
    const auto means = group_means(column, labels, sizes);
    parts[j] = exact_sum(x.rows(), [&](std::size_t row) {
      return square(deviation(column[row], means[static_cast<std::size_t>(labels[row])]));
    });
  });
  return detail::in_column_order(parts);
}

// SST, the SSE of one group that holds all records.
inline double sst(Table<double> x, unsigned n_threads) {
  std::vector<double> parts(x.columns());
  Team team(n_threads);
  team.each_block(x.columns(), [&](std::size_t j) {
    const auto column = x.column(j);
    const auto mean = exact_mean(column);
    parts[j] =
        exact_sum(x.rows(), [&](std::size_t row) { return square(deviation(column[row], mean)); });
  });
  return detail::in_column_order(parts);
}

// Mean 0 and standard deviation 1 (divisor n) for each attribute; a constant attribute becomes 0.
// Values too large or too small to be squared are scaled by a power of two first, which is exact.
inline void standardize(Table<double> x, OutTable<double> out, unsigned n_threads) {
  Team team(n_threads);
  team.each_block(x.columns(), [&](std::size_t j) {
    const auto source = x.column(j);
    const auto target = out.column(j);
    const auto [least, most] = std::minmax_element(source.begin(), source.end());
    if (*least == *most) {
      std::fill_n(target.data(), x.rows(), 0.0);
      return;
    }
    const double largest = std::max(std::abs(*least), std::abs(*most));
    const double scale = largest > 0x1p+400 ? 0x1p-600 : largest < 0x1p-400 ? 0x1p+600 : 1.0;
    for (std::size_t row = 0; row < x.rows(); ++row) target[row] = source[row] * scale;
    const auto mean = exact_mean(target);
    const double variance =
        exact_sum(x.rows(), [&](std::size_t row) { return square(deviation(target[row], mean)); }) /
        static_cast<double>(x.rows());
    const double deviation_unit = std::sqrt(variance);
    for (std::size_t row = 0; row < x.rows(); ++row)
      target[row] = deviation(target[row], mean) / deviation_unit;
  });
}

}  // namespace tokumei
