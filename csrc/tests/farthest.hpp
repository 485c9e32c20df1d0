// Who is farthest from the mean of some rows, exactly: n |x - m|^2 is the sum over these rows r of
// |x - r|^2 less what all records have in common, and no product is rounded. Of equals the lowest.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "tokumei/numeric/exact_sum.hpp"
#include "tokumei/runtime/records.hpp"

// How much farther a is than b, by its sign.
inline int compare_from_mean(const tokumei::runtime::Records& records,
                             const std::vector<std::size_t>& of, std::size_t a, std::size_t b) {
  tokumei::numeric::ExactSum apart;
  for (std::size_t j = 0; j < records.numbers.columns(); ++j) {
    const double x = records.numbers(a, j), y = records.numbers(b, j);
    for (const auto row : of) {
      const double middle = records.numbers(row, j);
      apart.add_product(x, x);
      apart.add_product(-2.0 * x, middle);
      apart.add_product(-y, y);
      apart.add_product(2.0 * y, middle);
    }
  }
  for (std::size_t j = 0; j < records.codes.columns(); ++j) {
    const auto term = [&](std::size_t row, std::size_t other) {
      const auto one = std::max(records.codes(row, j), -1);
      const auto two = std::max(records.codes(other, j), -1);
      return one == two ? 0.0 : std::min(one, two) < 0 ? 1.0 : 2.0;
    };
    for (const auto row : of) apart.add_product(records.weights[j], term(a, row) - term(b, row));
  }
  return apart.sign();
}

// Among `rows`, from the mean of the rows `of`.
inline std::size_t exactly_farthest(const tokumei::runtime::Records& records,
                                    const std::vector<std::size_t>& rows,
                                    const std::vector<std::size_t>& of) {
  std::size_t best = rows.front();
  for (const auto row : rows) {
    const int farther = compare_from_mean(records, of, row, best);
    if (farther > 0 || (farther == 0 && row < best)) best = row;
  }
  return best;
}
