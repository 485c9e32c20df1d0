// The rows of one attribute in ascending order of their values, ties by row.
//
// A radix sort of the values' bits: stable, so the order is the same on every machine. O(n) time,
// about 20 ns a row; 32 bytes a row while it runs. Needs finite data.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "tokumei/runtime/views.hpp"

namespace tokumei::pairs {

struct KeyedRow {
  std::uint64_t key;
  std::size_t row;
};

// A number that grows with x; the two zeros share one.
inline std::uint64_t key_of(double x) {
  const auto bits = std::bit_cast<std::uint64_t>(x + 0.0);
  constexpr std::uint64_t sign = std::uint64_t{1} << 63;
  return (bits & sign) != 0 ? ~bits : bits | sign;
}

inline std::vector<std::size_t> sorted_rows(Column<double> x) {
  constexpr unsigned digit_bits = 11, digits = 6;
  constexpr std::size_t buckets = std::size_t{1} << digit_bits;
  std::vector<KeyedRow> from(x.size()), into(x.size());
  std::vector<std::array<std::size_t, buckets>> counts(digits);
  for (std::size_t row = 0; row < x.size(); ++row) {
    from[row] = {key_of(x[row]), row};
    for (unsigned digit = 0; digit < digits; ++digit)
      ++counts[digit][from[row].key >> (digit * digit_bits) & (buckets - 1)];
  }
  for (unsigned digit = 0; digit < digits && x.size() > 1; ++digit) {
    const unsigned shift = digit * digit_bits;
    auto& places = counts[digit];
    if (places[from[0].key >> shift & (buckets - 1)] == x.size()) continue;
    std::size_t before = 0;
    for (auto& place : places) before += std::exchange(place, before);
    for (const auto& keyed : from) into[places[keyed.key >> shift & (buckets - 1)]++] = keyed;
    from.swap(into);
  }
  std::vector<std::size_t> rows(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) rows[i] = from[i].row;
  return rows;
}

}  // namespace tokumei::pairs
