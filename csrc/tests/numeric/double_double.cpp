// Twice the precision of a double: against sums that do not round at all.
#include "tokumei/numeric/double_double.hpp"

#include <cmath>
#include <vector>

#include "check.hpp"
#include "data.hpp"
#include "tokumei/numeric/exact_sum.hpp"

using namespace tokumei::numeric;

namespace {

TEST(sums_keep_what_rounding_left) {
  Random random(1);
  for (int round = 0; round < 200; ++round) {
    const auto data =
        make_data(random, 1 + random.below(50), 1, 0, random.below(2) == 0 ? 0.0 : 1e9);
    DoubleDouble sum;
    ExactSum exact;
    for (const double x : data.values) {
      sum.add(x);
      exact.add(x);
    }
    CHECK(sum.value() == exact.value());
    exact.subtract(sum.high);
    CHECK(std::abs(sum.low - exact.value()) <= 1e-30 * (1 + std::abs(sum.high)));
  }
}

TEST(a_mean_leaves_next_to_nothing) {
  Random random(2);
  for (int round = 0; round < 200; ++round) {
    const auto data = make_data(random, 1 + random.below(50), 1, 0, 1e9);
    DoubleDouble sum;
    for (const double x : data.values) sum.add(x);
    const DoubleDouble mean = mean_of(sum, data.rows);
    CHECK(mean.high == mean.value());
    ExactSum left;
    for (const double x : data.values) left.add(x);
    for (std::size_t i = 0; i < data.rows; ++i) {
      left.subtract(mean.high);
      left.subtract(mean.low);
    }
    CHECK(std::abs(left.value()) <= 1e-18);
  }
}

TEST(a_deviation_is_right_far_from_zero) {
  DoubleDouble sum;
  for (const double x : {1e9, 1e9, 1e9 + 1}) sum.add(x);
  const auto mean = mean_of(sum, 3);
  CHECK(std::abs(deviation(1e9, mean) + 1.0 / 3) < 1e-16);
  CHECK(std::abs(deviation(1e9 + 1, mean) - 2.0 / 3) < 1e-16);
  CHECK(DoubleDouble().value() == 0.0);
}

}  // namespace
