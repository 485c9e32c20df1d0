// Sums of squares: within groups (SSE) and in total (SST), and the standardised table.
//
// SSE = sum_i |x_i - mean of its group|^2, SST = sum_i |x_i - mean|^2. Deviations are taken from
// means of twice the precision and their squares are summed without rounding: within 1e-12 of the
// exact value, also for data offset by 1e9, and the same bits for any number of threads and any
// order of the records (for SSE: of the groups; within a group the order of the records stays that
// of the rows). O(n d). Throws Interrupted.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "tokumei/group/labels.hpp"
#include "tokumei/numeric/bulk_sum.hpp"
#include "tokumei/numeric/double_double.hpp"
#include "tokumei/numeric/exact_sum.hpp"
#include "tokumei/runtime/each_column.hpp"
#include "tokumei/runtime/instruction_sets.hpp"
#include "tokumei/runtime/run.hpp"
#include "tokumei/runtime/views.hpp"
#include "tokumei/simd/lanes.hpp"
#include "tokumei/simd/reductions.hpp"

namespace tokumei::group {

// The mean of one attribute; it does not depend on the order of the records.
inline DoubleDouble exact_mean(Column<double> x, InstructionSet isa) {
  ExactSum sum;
  add_column(sum, x, isa);
  const double count = static_cast<double>(x.size());
  const double mean = sum.value() / count;
  return {mean, sum.rest(mean, x.size()) / count};
}

inline double square(double x) { return x * x; }

// out[i] = ((x[i] - high) - low)^2
struct SquaredDeviations {
  TOKUMEI_HOT static void run(const double* x, std::size_t count, double high, double low,
                              double* out) {
    for (std::size_t i = 0; i < count; ++i) {
      const double by = (x[i] - high) - low;
      out[i] = by * by;
    }
  }
};

// out[i] = ((x[i] - high) - low) / unit
struct Standardized {
  TOKUMEI_HOT static void run(const double* x, std::size_t count, double high, double low,
                              double unit, double* out) {
    for (std::size_t i = 0; i < count; ++i) out[i] = ((x[i] - high) - low) / unit;
  }
};

struct Range {
  double least, most;
};

// The least and the most of a column that is not empty.
template <std::size_t bytes>
struct RangeOf {
  TOKUMEI_HOT static Range run(const double* x, std::size_t count) {
    using V = Lanes<double, bytes, lane_count>;
    V least = broadcast<V>(x[0]), most = least;
    std::size_t i = 0;
    for (; i + lane_count <= count; i += lane_count) {
      least = smaller(load<V>(x + i), least);
      most = larger(load<V>(x + i), most);
    }
    Range range{lowest(least), highest(most)};
    for (; i < count; ++i) range = {smaller(x[i], range.least), larger(x[i], range.most)};
    return range;
  }
};

// The sum of squared deviations from a mean, rounded once.
inline double sum_of_squares(Column<double> x, const DoubleDouble& mean, InstructionSet isa) {
  ExactSum sum;
  add_terms(sum, x.size(), isa, [&](std::size_t begin, std::size_t count, double* out) {
    dispatch<SquaredDeviations>(isa, x.data() + begin, count, mean.high, mean.low, out);
  });
  return sum.value();
}

inline double in_column_order(const std::vector<double>& parts) {
  DoubleDouble total;
  for (const double part : parts) total.add(part);
  return total.value();
}

// SSE of the groups.
inline double sse(Table<double> x, Column<std::int64_t> labels, std::size_t groups, Run run) {
  const auto sizes = group_sizes(labels, groups);
  std::vector<double> parts(x.columns());
  each_column(x, run, [&](std::size_t j, auto&& pause) {
    const auto column = x.column(j);
    const auto means = group_means(column, labels, sizes, pause);
    ExactSum sum;
    add_terms(sum, x.rows(), run.isa, [&](std::size_t begin, std::size_t count, double* out) {
      pause();
      for (std::size_t i = 0; i < count; ++i) {
        const auto group = static_cast<std::size_t>(labels[begin + i]);
        out[i] = square(deviation(column[begin + i], means[group]));
      }
    });
    parts[j] = sum.value();
  });
  return in_column_order(parts);
}

// SST, the SSE of one group that holds all records.
inline double sst(Table<double> x, Run run) {
  std::vector<double> parts(x.columns());
  each_column(x, run, [&](std::size_t j, auto&&) {
    const auto column = x.column(j);
    parts[j] = sum_of_squares(column, exact_mean(column, run.isa), run.isa);
  });
  return in_column_order(parts);
}

// Mean 0 and standard deviation 1 (divisor n) for each attribute; a constant attribute becomes 0.
// Values too large or too small to be squared are scaled by a power of two first, which is exact.
inline void standardize(Table<double> x, OutTable<double> out, Run run) {
  each_column(x, run, [&](std::size_t j, auto&& pause) {
    const auto source = x.column(j);
    const auto target = out.column(j);
    const auto [least, most] = dispatch_lanes<RangeOf>(run.isa, source.data(), source.size());
    if (least == most) {
      std::fill_n(target.data(), x.rows(), 0.0);
      return;
    }
    const double largest = std::max(std::abs(least), std::abs(most));
    const double scale = largest > 0x1p+400 ? 0x1p-600 : largest < 0x1p-400 ? 0x1p+600 : 1.0;
    Column<double> scaled = source;
    if (scale != 1.0) {
      for (std::size_t row = 0; row < x.rows(); ++row) target[row] = source[row] * scale;
      scaled = {target.data(), target.size()};
    }
    pause();
    const auto mean = exact_mean(scaled, run.isa);
    pause();
    const double variance = sum_of_squares(scaled, mean, run.isa) / static_cast<double>(x.rows());
    pause();
    dispatch<Standardized>(run.isa, scaled.data(), scaled.size(), mean.high, mean.low,
                           std::sqrt(variance), target.data());
  });
}

}  // namespace tokumei::group
