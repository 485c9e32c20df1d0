// Groups as labels: one number a record, groups numbered 0.. in the order of their first record.
//
// That numbering is the one canonical form: two partitions are equal exactly if their labels are.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "tokumei/numeric/double_double.hpp"
#include "tokumei/runtime/views.hpp"

namespace tokumei::group {

// Rewrites labels in 0..n-1 into canonical form and returns the number of groups. O(n).
inline std::size_t renumber(OutColumn<std::int64_t> labels) {
  std::vector<std::int64_t> name(labels.size(), -1);
  std::int64_t groups = 0;
  for (std::size_t row = 0; row < labels.size(); ++row) {
    auto& known = name[static_cast<std::size_t>(labels[row])];
    if (known < 0) known = groups++;
    labels[row] = known;
  }
  return static_cast<std::size_t>(groups);
}

// Number of records of each group 0..groups-1.
inline std::vector<std::size_t> group_sizes(Column<std::int64_t> labels, std::size_t groups) {
  std::vector<std::size_t> sizes(groups, 0);
  for (const auto label : labels) ++sizes[static_cast<std::size_t>(label)];
  return sizes;
}

// Mean of one attribute over each group, records taken in row order; of no record, 0. Calls pause()
// now and then. O(n).
template <class Pause>
std::vector<DoubleDouble> group_means(Column<double> x, Column<std::int64_t> labels,
                                      const std::vector<std::size_t>& sizes, Pause&& pause) {
  constexpr std::size_t stretch = std::size_t{1} << 14;
  std::vector<DoubleDouble> means(sizes.size());
  for (std::size_t row = 0; row < x.size(); ++row) {
    if (row % stretch == 0) pause();
    means[static_cast<std::size_t>(labels[row])].add(x[row]);
  }
  for (std::size_t group = 0; group < sizes.size(); ++group)
    if (sizes[group] > 0) means[group] = mean_of(means[group], sizes[group]);
  return means;
}

}  // namespace tokumei::group
