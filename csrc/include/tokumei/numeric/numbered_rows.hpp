// Which rows are equal: a number for each row, equal rows sharing one.
//
// Numbers count from 0 in the order of first occurrence. A hash table of row numbers: O(n) time and
// 32 bytes a row.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "tokumei/runtime/views.hpp"

namespace tokumei::numeric {

inline std::uint64_t mixed(std::uint64_t hash, std::uint64_t word) {
  hash = (hash ^ word) * 0x9e3779b97f4a7c15ULL;
  return hash ^ (hash >> 29);
}

// From a hash of each row: fills `numbers` for rows 0..n-1 and the rows of first occurrence;
// returns how many there are.
// pause() is called now and then, and may throw.
template <class Equal, class Pause>
std::size_t number_rows(const std::vector<std::uint64_t>& hashes, Equal&& equal,
                        OutColumn<std::int64_t> numbers, OutColumn<std::int64_t> first_rows,
                        Pause&& pause) {
  const std::size_t mask = std::bit_ceil(2 * hashes.size() + 2) - 1;
  std::vector<std::int64_t> table(mask + 1, -1);
  std::size_t found = 0;
  for (std::size_t row = 0; row < hashes.size(); ++row) {
    if (row % 65'536 == 0) pause();
    for (std::size_t place = static_cast<std::size_t>(hashes[row] >> 7) & mask;;
         place = (place + 1) & mask) {
      auto& number = table[place];
      if (number < 0) {
        number = static_cast<std::int64_t>(found);
        first_rows[found++] = static_cast<std::int64_t>(row);
        numbers[row] = number;
        break;
      }
      const auto first = static_cast<std::size_t>(first_rows[static_cast<std::size_t>(number)]);
      if (hashes[first] == hashes[row] && equal(first, row)) {
        numbers[row] = number;
        break;
      }
    }
  }
  return found;
}

}  // namespace tokumei::numeric
