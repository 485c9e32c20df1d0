// The sum of a column and the sum of its squares, as doubles that add up to each exactly.
//
// Parts of two columns, added without rounding, are those of both columns together: in whatever
// order and pieces a table is read, its moments are the same to the bit. Squares are exact where
// their last bits are doubles (|x| > 1e-145 or 0).
//
// Finite numbers only. The largest part comes first; places that are left over hold 0. Throws
// std::invalid_argument for fewer places than `most_parts`.
#pragma once

#include <cstddef>
#include <stdexcept>

#include "tokumei/numeric/exact_sum.hpp"
#include "tokumei/runtime/views.hpp"

namespace tokumei::numeric {

// 2098 bits and room to grow, 53 a part.
inline constexpr std::size_t most_parts = 48;

inline void write_parts(const ExactSum& sum, OutColumn<double> parts) {
  if (parts.size() < most_parts) throw std::invalid_argument("too few places for a sum's parts");
  std::size_t place = 0;
  sum.each_part([&](double part) { parts[place++] = part; });
  while (place < parts.size()) parts[place++] = 0.0;
}

inline void exact_moments(Column<double> x, OutColumn<double> sums, OutColumn<double> squares) {
  ExactSum sum, square;
  for (const double value : x) {
    sum.add(value);
    square.add_product(value, value);
  }
  write_parts(sum, sums);
  write_parts(square, squares);
}

}  // namespace tokumei::numeric
