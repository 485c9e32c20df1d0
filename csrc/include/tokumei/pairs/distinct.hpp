// Which rows are equal (numbered_rows.hpp): records of a table of doubles, where 0.0 and -0.0 are
// equal (no NaN), or stretches of bytes of one width.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "tokumei/numeric/numbered_rows.hpp"
#include "tokumei/runtime/views.hpp"

namespace tokumei::pairs {

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
      numbers, first_rows, [] {});
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
      numbers, first_rows, [] {});
}

}  // namespace tokumei::pairs
