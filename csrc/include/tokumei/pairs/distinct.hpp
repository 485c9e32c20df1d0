// Which rows are equal: a number for each row, equal rows sharing one.
//
// Numbers count from 0 in the order of first occurrence. A hash table of row numbers: O(n) time and
// 32 bytes a row. Rows are either records of a table of doubles, where 0.0 and -0.0 are equal (no
// NaN), or stretches of bytes of one width.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "tokumei/runtime/views.hpp"

namespace tokumei::pairs {

inline std::uint64_t mixed(std::uint64_t hash, std::uint64_t word) {
  hash = (hash ^ word) * 0x9e3779b97f4a7c15ULL;
  return hash ^ (hash >> 29);
}

// Fills `numbers` for rows 0..n-1 and the rows of first occurrence; returns how many there are.
template <class Equal>
std::size_t number_rows(const std::vector<std::uint64_t>& hashes, Equal&& equal,
                        OutColumn<std::int64_t> numbers, OutColumn<std::int64_t> first_rows) {
  const std::size_t mask = std::bit_ceil(2 * hashes.size() + 2) - 1;
  std::vector<std::int64_t> table(mask + 1, -1);
  std::size_t found = 0;
  for (std::size_t row = 0; row < hashes.size(); ++row) {
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

inline std::size_t distinct_rows(Table<double> x, OutColumn<std::int64_t> numbers,
                                 OutColumn<std::int64_t> first_rows) {
  std::vector<std::uint64_t> hashes(x.rows(), 0);
  for (std::size_t j = 0; j < x.columns(); ++j) {
    const auto column = x.column(j);
    for (std::size_t row = 0; row < x.rows(); ++row)
      hashes[row] = mixed(hashes[row], std::bit_cast<std::uint64_t>(column[row] + 0.0));
  }
  return number_rows(
      hashes,
      [&](std::size_t a, std::size_t b) {
        for (std::size_t j = 0; j < x.columns(); ++j)
          if (x(a, j) != x(b, j)) return false;
        return true;
      },
      numbers, first_rows);
}

// Row i is the bytes[i * width] up to bytes[(i + 1) * width].
inline std::size_t distinct_bytes(Column<std::uint8_t> bytes, std::size_t width,
                                  OutColumn<std::int64_t> numbers,
                                  OutColumn<std::int64_t> first_rows) {
  std::vector<std::uint64_t> hashes(numbers.size(), 0);
  for (std::size_t row = 0; row < hashes.size(); ++row)
    for (std::size_t i = 0; i < width; i += 8) {
      std::uint64_t word = 0;
      std::memcpy(&word, bytes.data() + row * width + i, std::min<std::size_t>(8, width - i));
      hashes[row] = mixed(hashes[row], word);
    }
  return number_rows(
      hashes,
      [&](std::size_t a, std::size_t b) {
        return std::memcmp(bytes.data() + a * width, bytes.data() + b * width, width) == 0;
      },
      numbers, first_rows);
}

}  // namespace tokumei::pairs
