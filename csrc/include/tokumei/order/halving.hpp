// Halves of a block across several axes at once, and which of its records fall in which.
//
// A value in the middle of the block or above it belongs to the upper half. Bit t of a child's code
// says upper half on the t-th axis. Only children that hold records are made, in the order of their
// codes, and rows stay ascending in each.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "tokumei/numeric/part_rows.hpp"
#include "tokumei/numeric/radix_sort.hpp"
#include "tokumei/numeric/uninitialised_vector.hpp"
#include "tokumei/runtime/progress_monitor.hpp"
#include "tokumei/runtime/views.hpp"

namespace tokumei::order {

// Above `lower`, so that halving comes to an end between two neighbouring doubles, too.
inline double middle_of(double lower, double upper) {
  const double half = lower + (upper - lower) / 2;
  return half > lower ? half : upper;
}

struct AxisMiddle {
  std::size_t axis;
  double value;
};

struct BlockChild {
  std::uint64_t code;
  std::size_t begin, end;  // in the rows of its parent
};

struct ValueRange {
  double least, most;
};

inline bool identical(Table<double> x, std::span<const std::size_t> rows) {
  for (const std::size_t row : rows)
    for (std::size_t j = 0; j < x.columns(); ++j)
      if (x(row, j) != x(rows.front(), j)) return false;
  return true;
}

// The least and the largest value of some records on each axis.
inline std::vector<ValueRange> value_ranges(Table<double> x, std::span<const std::size_t> rows) {
  std::vector<ValueRange> ranges;
  for (std::size_t j = 0; j < x.columns(); ++j) {
    const auto column = x.column(j);
    ValueRange range{column[rows.front()], column[rows.front()]};
    for (const std::size_t row : rows) {
      range.least = std::min(range.least, column[row]);
      range.most = std::max(range.most, column[row]);
    }
    ranges.push_back(range);
  }
  return ranges;
}

// The children of a block across one axis.
inline std::vector<BlockChild> halve_rows_once(Table<double> x, std::span<std::size_t> rows,
                                               const AxisMiddle& middle) {
  UninitialisedVector<std::size_t> room(rows.size());
  const auto column = x.column(middle.axis);
  const std::size_t half =
      part_rows(rows, room.data(), [&](std::size_t row) { return column[row] >= middle.value; });
  std::vector<BlockChild> children;
  if (half > 0) children.push_back({0, 0, half});
  if (half < rows.size()) children.push_back({1, half, rows.size()});
  return children;
}

// The children of a block by its records, whose rows are brought into the order of the children.
// O(m). Throws Interrupted.
inline std::vector<BlockChild> halve_rows(Table<double> x, std::span<std::size_t> rows,
                                          std::span<const AxisMiddle> middles,
                                          ProgressMonitor& monitor) {
  monitor.tick(0.0);
  if (middles.size() == 1) return halve_rows_once(x, rows, middles.front());
  std::vector<RowKey> items(rows.size()), room(rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) items[i].row = rows[i];
  for (std::size_t t = 0; t < middles.size(); ++t) {
    const auto column = x.column(middles[t].axis);
    for (auto& item : items) item.key |= std::uint64_t{column[item.row] >= middles[t].value} << t;
  }
  sort_by_key(items, room, monitor);
  std::vector<BlockChild> children;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    rows[i] = items[i].row;
    if (i == 0 || items[i].key != items[i - 1].key) children.push_back({items[i].key, i, i});
    ++children.back().end;
  }
  return children;
}

// The same by the ranges of the values only: the one child, or none where records may part.
inline std::vector<BlockChild> halve_ranges(std::span<const ValueRange> ranges, std::size_t rows,
                                            std::span<const AxisMiddle> middles) {
  std::uint64_t code = 0;
  for (std::size_t t = 0; t < middles.size(); ++t) {
    const auto& range = ranges[middles[t].axis];
    if (range.least < middles[t].value && range.most >= middles[t].value) return {};
    code |= std::uint64_t{range.least >= middles[t].value} << t;
  }
  return {{code, 0, rows}};
}

}  // namespace tokumei::order
