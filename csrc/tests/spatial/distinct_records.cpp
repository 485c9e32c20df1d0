// Records that differ against comparing every two, and who is told apart from whom.
#include "tokumei/spatial/distinct_records.hpp"

#include <cmath>
#include <cstdint>
#include <vector>

#include "check.hpp"
#include "data.hpp"
#include "tokumei/runtime/progress_monitor.hpp"

using namespace tokumei::spatial;

namespace {

bool equal(const Records& x, std::size_t a, std::size_t b) {
  for (std::size_t j = 0; j < x.numbers.columns(); ++j)
    if (x.numbers(a, j) != x.numbers(b, j)) return false;
  for (std::size_t j = 0; j < x.codes.columns(); ++j)
    if (x.codes(a, j) != x.codes(b, j) && (x.codes(a, j) >= 0 || x.codes(b, j) >= 0)) return false;
  return true;
}

}  // namespace

TEST(records_that_differ_are_those_without_an_equal_before_them) {
  Random random(21);
  ProgressMonitor monitor;
  for (int round = 0; round < 200; ++round) {
    auto data = make_mixed(random, 1 + random.below(90), random.below(3), random.below(4));
    for (auto& value : data.numbers.values)
      if (value == 0.0 && random.below(2) == 0) value = -0.0;
    for (auto& code : data.codes)
      if (code < 0) code -= static_cast<std::int32_t>(random.below(3));  // missing all the same
    const Records x = data.records();
    const DistinctRecords found(x, monitor);
    std::vector<std::size_t> rows;
    for (std::size_t row = 0; row < x.rows(); ++row) {
      std::size_t before = 0, after = row + 1;
      while (before < row && !equal(x, before, row)) ++before;
      while (after < x.rows() && !equal(x, after, row)) ++after;
      if (before == row) rows.push_back(row);
      CHECK(found.next[row] == (after < x.rows() ? after : no_row));
    }
    CHECK(found.rows == rows);
  }
}

TEST(what_is_told_apart_is_at_some_distance) {
  Random random(22);
  for (const double unit : {1.0, 1e-120, 1e-134, 1e-170, 1e-320}) {
    auto data = make_mixed(random, 60, 2, 3);
    for (auto& value : data.numbers.values) value *= unit;
    const Records x = data.records();
    CHECK(told_apart(x) == (unit > 1e-135));
  }
  // Neighbours among doubles, as near to zero as may be.
  const std::vector<double> close{0x1p-450, std::nextafter(0x1p-450, 1.0), 0.0};
  CHECK(told_apart(Table<double>{close.data(), 3, 1}));
  CHECK((close[1] - close[0]) * (close[1] - close[0]) > 0.0);
  auto data = make_mixed(random, 60, 2, 3);
  data.weights[1] = 0.0;
  CHECK(!told_apart(data.records()));
}
