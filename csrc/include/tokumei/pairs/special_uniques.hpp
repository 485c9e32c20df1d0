// How many minimal sample uniques each record has of every size, and each column takes part in:
// what the scores of SUDA weigh.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "tokumei/pairs/minimal_uniques.hpp"
#include "tokumei/runtime/run.hpp"
#include "tokumei/runtime/views.hpp"

namespace tokumei::pairs {

// of_rows(row, s) and of_columns(j, s), which come as zeros, count the minimal uniques of s + 1
// columns that the row has and that the column is part of; both have as many columns as sizes are
// looked for. `codes` and `several` as for each_minimal_unique, whose cost and exceptions hold.
inline void special_uniques(Table<std::int64_t> codes, Column<std::uint8_t> several,
                            OutTable<std::int64_t> of_rows, OutTable<std::int64_t> of_columns,
                            Run run) {
  each_minimal_unique(
      codes, several, of_rows.columns(),
      [&](std::size_t row, const std::vector<std::size_t>& columns) {
        const std::size_t size = columns.size() - 1;
        ++of_rows.column(size)[row];
        for (const auto j : columns) ++of_columns.column(size)[j];
      },
      run);
}

}  // namespace tokumei::pairs
