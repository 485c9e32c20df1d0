// The kd-order: stretches of its own region of space, equal records in row order.
#include "tokumei/spatial/kd_order.hpp"

#include <algorithm>
#include <numeric>
#include <vector>

#include "check.hpp"
#include "data.hpp"

using namespace tokumei::spatial;

namespace {

std::vector<std::size_t> ordered(const Data& data, std::vector<std::size_t> rows,
                                 unsigned threads) {
  tokumei::runtime::ThreadTeam team(threads);
  tokumei::runtime::ProgressMonitor monitor;
  kd_order(data.table(), rows, team, monitor);
  return rows;
}

std::vector<std::size_t> all_rows(std::size_t count) {
  std::vector<std::size_t> rows(count);
  std::iota(rows.begin(), rows.end(), std::size_t{0});
  return rows;
}

// Whether a plane across an axis has one stretch below it and the other above, ties being parted
// by row.
bool parted(const Data& data, const std::vector<std::size_t>& one,
            const std::vector<std::size_t>& other) {
  for (std::size_t j = 0; j < data.columns; ++j) {
    const auto below = [&](std::size_t a, std::size_t b) {
      const double x = data.table()(a, j), y = data.table()(b, j);
      return x < y || (x == y && a < b);
    };
    if (below(*std::max_element(one.begin(), one.end(), below),
              *std::min_element(other.begin(), other.end(), below)))
      return true;
  }
  return false;
}

TEST(aligned_stretches_fill_regions_of_their_own) {
  Random random(1);
  for (const std::size_t rows : {1U, 16U, 17U, 100U, 700U})
    for (const std::size_t values : {0U, 3U}) {
      const auto data = make_data(random, rows, 1 + random.below(4), values);
      const auto order = ordered(data, all_rows(rows), 1);
      auto sorted = order;
      std::sort(sorted.begin(), sorted.end());
      CHECK(sorted == all_rows(rows));
      for (const std::size_t length : {16U, 256U})
        for (std::size_t a = 0; a < rows; a += length)
          for (std::size_t b = a + length; b < rows; b += length) {
            const auto stretch = [&](std::size_t begin) {
              return std::vector<std::size_t>(&order[begin],
                                              &order[begin] + std::min(length, rows - begin));
            };
            CHECK(parted(data, stretch(a), stretch(b)));
          }
    }
}

TEST(equal_records_stand_in_stretches_by_row) {
  const Data data{100, 2, std::vector<double>(200, 4.5)};
  const auto order = ordered(data, all_rows(100), 1);
  for (std::size_t stretch = 16; stretch < 100; stretch += 16)
    CHECK(*std::max_element(order.begin(), order.begin() + static_cast<long>(stretch)) ==
          stretch - 1);
}

TEST(the_order_does_not_depend_on_threads_and_may_be_of_some_rows) {
  Random random(2);
  const auto data = make_data(random, 9'000, 3, 0);
  CHECK(ordered(data, all_rows(9'000), 1) == ordered(data, all_rows(9'000), 3));
  const std::vector<std::size_t> some{7, 3, 5};
  auto order = ordered(data, some, 1);
  std::sort(order.begin(), order.end());
  CHECK((order == std::vector<std::size_t>{3, 5, 7}));
  CHECK(ordered(data, {}, 3).empty());
}

}  // namespace
