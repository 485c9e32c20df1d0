// Records of some groups, as a state takes them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "tokumei/group/members.hpp"
#include "tokumei/refine/group_cost.hpp"
#include "tokumei/runtime/records.hpp"
#include "tokumei/simd/lanes.hpp"

namespace tokumei::refine {

struct StateRecords {
  std::vector<std::size_t> rows;  // of the table
  std::vector<StateIndex> groups;
  std::size_t columns;
  std::vector<double> values;   // row after row, filled up with zeros to whole lanes
  std::vector<double> weights;  // empty where all weigh 1
  Records table{};              // that the rows are of, for their codes
};

// Group i of the state is groups[i] of the table. Values are counted from the median of these
// records: wherever in space the state lies, and however far its outliers, most of it is near the
// origin, where products of values are exact enough to be compared.
inline StateRecords records_of(const Records& table, Column<double> weights, const Members& members,
                               const std::size_t* groups, std::size_t count) {
  const Table<double> x = table.numbers;
  StateRecords records{{}, {}, x.columns(), {}, {}, table};
  for (std::size_t i = 0; i < count; ++i)
    for (std::size_t m = members.starts[groups[i]]; m < members.starts[groups[i] + 1]; ++m) {
      records.rows.push_back(members.rows[m]);
      records.groups.push_back(static_cast<StateIndex>(i));
    }
  const std::size_t rows = records.rows.size(), width = padded(x.columns());
  records.values.resize(rows * width, 0.0);
  std::vector<double> sorted(rows);
  for (std::size_t j = 0; j < x.columns(); ++j) {
    const auto column = x.column(j);
    for (std::size_t i = 0; i < rows; ++i) sorted[i] = column[records.rows[i]];
    const auto middle = sorted.begin() + static_cast<std::ptrdiff_t>(rows / 2);
    std::nth_element(sorted.begin(), middle, sorted.end());
    const double origin = *middle;
    for (std::size_t i = 0; i < rows; ++i)
      records.values[i * width + j] = column[records.rows[i]] - origin;
  }
  if (weights.size() > 0)
    for (const std::size_t row : records.rows) records.weights.push_back(weights[row]);
  return records;
}

}  // namespace tokumei::refine
