// Rows in two parts, each in the order that the rows had.
//
// No branch depends on the question, so that answers of pure chance cost no more than others. O(m).
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>

#include "tokumei/rooms.hpp"

namespace tokumei::numeric {

// Brings the rows that are not `upper(row)` before those that are, and says how many there are.
// `room` is as long as `rows`.
template <class Upper>
std::size_t part_rows(std::span<std::size_t> rows, std::size_t* room, Upper&& upper) {
  std::size_t below = 0, above = 0;
  for (const std::size_t row : rows) {
    const std::size_t is_above = upper(row) ? 1 : 0;
    rows[below] = row;
    room[above] = row;
    below += 1 - is_above;
    above += is_above;
  }
  std::copy_n(room, above, rows.begin() + static_cast<std::ptrdiff_t>(below));
  return below;
}

}  // namespace tokumei::numeric
