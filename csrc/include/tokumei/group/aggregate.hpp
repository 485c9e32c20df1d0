// Every record replaced by the representative of its group: what is published.
//
// Mean: the exact mean, rounded once but for the rarest ties; with record weights, the weighted
// mean. Median: the middle value, of an even number of records the mean of the two middle ones. All
// records of a group receive the same bits. Attributes are independent of one another and shared
// among the threads. O(n d) for means, O(n d log(group size)) for medians.
// Throws Interrupted.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "tokumei/group/labels.hpp"
#include "tokumei/numeric/double_double.hpp"
#include "tokumei/runtime/each_column.hpp"
#include "tokumei/runtime/run.hpp"
#include "tokumei/runtime/views.hpp"

namespace tokumei::group {

// target[row] = value of the row's group.
template <class Value>
void spread(Column<std::int64_t> labels, OutColumn<double> target, Value&& value) {
  for (std::size_t row = 0; row < labels.size(); ++row)
    target[row] = value(static_cast<std::size_t>(labels[row]));
}

inline void aggregate_means(Table<double> x, Column<std::int64_t> labels, std::size_t groups,
                            OutTable<double> out, Run run) {
  const auto sizes = group_sizes(labels, groups);
  each_column(x, run, [&](std::size_t j, auto&& pause) {
    const auto means = group_means(x.column(j), labels, sizes, pause);
    spread(labels, out.column(j), [&](std::size_t group) { return means[group].high; });
  });
}

// weights: one a record, not negative, with a positive sum in each group that has records.
inline void aggregate_weighted_means(Table<double> x, Column<std::int64_t> labels,
                                     Column<double> weights, std::size_t groups,
                                     OutTable<double> out, Run run) {
  std::vector<DoubleDouble> total(groups);
  for (std::size_t row = 0; row < labels.size(); ++row)
    total[static_cast<std::size_t>(labels[row])].add(weights[row]);
  const auto sizes = group_sizes(labels, groups);
  each_column(x, run, [&](std::size_t j, auto&& pause) {
    const auto column = x.column(j);
    // Around the plain mean the weighted deviations are small, and equal values stay equal.
    const auto means = group_means(column, labels, sizes, pause);
    std::vector<DoubleDouble> shift(groups);
    for (std::size_t row = 0; row < x.rows(); ++row) {
      const auto group = static_cast<std::size_t>(labels[row]);
      const double by = deviation(column[row], means[group]);
      const double product = weights[row] * by;
      shift[group].add(product);
      shift[group].add(std::fma(weights[row], by, -product));
    }
    spread(labels, out.column(j), [&](std::size_t group) {
      return means[group].high + (means[group].low + shift[group].value() / total[group].value());
    });
  });
}

inline void aggregate_medians(Table<double> x, Column<std::int64_t> labels, std::size_t groups,
                              OutTable<double> out, Run run) {
  const auto sizes = group_sizes(labels, groups);
  std::vector<std::size_t> starts(groups + 1, 0);
  for (std::size_t group = 0; group < groups; ++group)
    starts[group + 1] = starts[group] + sizes[group];
  each_column(x, run, [&](std::size_t j, auto&& pause) {
    const auto column = x.column(j);
    std::vector<double> values(x.rows());
    auto next = starts;
    for (std::size_t row = 0; row < x.rows(); ++row)
      values[next[static_cast<std::size_t>(labels[row])]++] = column[row];
    std::vector<double> medians(groups);
    for (std::size_t group = 0; group < groups; ++group) {
      if (group % 1024 == 0) pause();
      if (sizes[group] == 0) continue;
      const auto begin = values.begin() + static_cast<std::ptrdiff_t>(starts[group]);
      const auto end = values.begin() + static_cast<std::ptrdiff_t>(starts[group + 1]);
      const auto middle = begin + (end - begin) / 2;
      std::nth_element(begin, middle, end);
      medians[group] = *middle;
      if (sizes[group] % 2 == 0) {
        const double below = *std::max_element(begin, middle);
        medians[group] = (below + *middle) / 2;
      }
    }
    spread(labels, out.column(j), [&](std::size_t group) { return medians[group]; });
  });
}

}  // namespace tokumei::group
