// Sorting by radix against stable sorting, for values of all kinds.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <string>
#include <vector>

#include "check.hpp"
#include "data.hpp"
#include "tokumei/numeric/part_rows.hpp"
#include "tokumei/numeric/radix_sort.hpp"
#include "tokumei/numeric/sorted_order.hpp"

using namespace tokumei::numeric;

namespace {

double value_of(Random& random, const std::string& kind, std::size_t at) {
  const double value = random.uniform() * 2 - 1;
  if (kind == "ties") return static_cast<double>(random.below(3));
  if (kind == "zeros") return random.below(2) == 0 ? 0.0 : -0.0;
  if (kind == "offset") return 1e9 + value;
  if (kind == "clusters") return (at % 3 == 0 ? 1e10 : at % 3 == 1 ? 1.0 : 0.0) + value * 1e-30;
  if (kind == "heavy tails") return 1.0 / value;
  if (kind == "all sizes") return std::ldexp(value, static_cast<int>(random.below(2000)) - 1000);
  if (kind == "outlier" && at == 7) return -1e300;
  return value;
}

TEST(rows_are_in_the_order_of_their_values_and_then_their_own) {
  Random random(1);
  for (const std::string kind :
       {"plain", "ties", "zeros", "offset", "clusters", "heavy tails", "all sizes", "outlier"})
    for (const std::size_t rows : {1U, 2U, 31U, 32U, 33U, 500U, 5000U}) {
      std::vector<double> x(rows);
      for (std::size_t at = 0; at < rows; ++at) x[at] = value_of(random, kind, at);
      std::vector<std::uint64_t> expected(rows), scratch(rows);
      std::iota(expected.begin(), expected.end(), std::uint64_t{0});
      std::stable_sort(expected.begin(), expected.end(),
                       [&](std::uint64_t a, std::uint64_t b) { return x[a] < x[b]; });
      Run run;
      const auto order = sorted_order({x.data(), rows}, scratch.data(), run);
      CHECK(std::equal(expected.begin(), expected.end(), order.data()) && order.size() == rows);
    }
}

TEST(parted_rows_keep_their_order) {
  Random random(3);
  for (const std::size_t count : {0U, 1U, 2U, 100U}) {
    std::vector<std::size_t> rows(count), room(count);
    for (auto& row : rows) row = random.below(50);
    const auto upper = [](std::size_t row) { return row % 3 == 0; };
    auto expected = rows;
    const auto border = std::stable_partition(expected.begin(), expected.end(),
                                              [&](std::size_t row) { return !upper(row); });
    const auto below = part_rows(rows, room.data(), upper);
    CHECK(rows == expected && below == static_cast<std::size_t>(border - expected.begin()));
  }
}

TEST(items_are_in_the_order_of_their_keys_and_then_as_they_stood) {
  Random random(2);
  ProgressMonitor monitor;
  for (const std::size_t items : {0U, 1U, 512U, 513U, 4000U})
    for (const std::uint64_t shift : {0U, 20U, 40U, 62U}) {
      std::vector<RowKey> found(items), room(items);
      for (std::size_t row = 0; row < items; ++row) found[row] = {random.bits() >> shift, row};
      auto expected = found;
      std::stable_sort(expected.begin(), expected.end(),
                       [](const RowKey& a, const RowKey& b) { return a.key < b.key; });
      sort_by_key(found, room, monitor);
      for (std::size_t i = 0; i < items; ++i)
        CHECK(found[i].key == expected[i].key && found[i].row == expected[i].row);
    }
}

TEST(bits_of_numbers_are_ordered_as_the_numbers_are) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const std::vector<double> ascending{-infinity, -1e300, -1.5, -1.0, -5e-324,
                                      0.0,       5e-324, 1.0,  1e9,  infinity};
  for (std::size_t i = 1; i < ascending.size(); ++i)
    CHECK(ordered_bits(ascending[i - 1]) < ordered_bits(ascending[i]));
  CHECK(ordered_bits(-0.0) == ordered_bits(0.0));
}

}  // namespace
