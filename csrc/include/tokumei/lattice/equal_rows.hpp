// The distinct rows of a table of codes: many records are alike, and are counted once.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

#include "tokumei/lattice/row_numbers.hpp"
#include "tokumei/runtime/views.hpp"

namespace tokumei::lattice {

// The number of each record's row, equal ones alike, from 0 in the order of the first record of
// each; returns how many there are. Codes are below 2^32. O(n d) time and memory.
inline std::size_t equal_rows(Table<std::int64_t> codes, OutColumn<std::int64_t> row_of) {
  const std::size_t n = codes.rows();
  std::vector<std::vector<std::uint32_t>> narrow(codes.columns());
  std::vector<CodeColumn> columns;
  for (std::size_t j = 0; j < codes.columns(); ++j) {
    const auto column = codes.column(j);
    narrow[j].assign(column.begin(), column.end());
    const auto highest = *std::max_element(narrow[j].begin(), narrow[j].end());
    columns.push_back({narrow[j].data(), std::size_t{highest} + 1});
  }
  RowNumbers rows;
  std::vector<std::size_t> every(n), number;
  std::iota(every.begin(), every.end(), std::size_t{0});
  const std::size_t kinds = rows.number(columns, every, number);
  std::copy(number.begin(), number.end(), row_of.data());
  return kinds;
}

}  // namespace tokumei::lattice
