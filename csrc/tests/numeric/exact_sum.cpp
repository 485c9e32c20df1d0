// Sums without rounding: order does not matter, what is added can be taken back, cancellation is
// harmless.
#include "tokumei/numeric/exact_sum.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "check.hpp"
#include "data.hpp"

using tokumei::numeric::ExactSum;

namespace {

double sum_of(const std::vector<double>& terms) {
  ExactSum sum;
  for (const double term : terms) sum.add(term);
  return sum.value();
}

std::vector<double> wild_terms(Random& random, std::size_t n) {
  std::vector<double> terms(n);
  for (auto& term : terms)
    term = std::ldexp(random.uniform() - 0.5, static_cast<int>(random.below(2000)) - 1050);
  return terms;
}

TEST(small_cases_are_exact) {
  CHECK(sum_of({}) == 0.0);
  CHECK(sum_of({0.1}) == 0.1);
  CHECK(sum_of({1e100, 1.0, -1e100}) == 1.0);
  CHECK(sum_of({1e308, 1e308, -1e308, -1e308, 5e-324}) == 5e-324);
  CHECK(sum_of({-1.0, -2.0}) == -3.0);
  CHECK(sum_of({1e308, 1e308}) == std::numeric_limits<double>::infinity());
}

TEST(rounding_is_to_nearest_even) {
  CHECK(sum_of({0x1p53, 1.0}) == 0x1p53);
  CHECK(sum_of({0x1p53 + 2, 1.0}) == 0x1p53 + 4);
  CHECK(sum_of({0x1p53, 1.0, 0x1p-1000}) == 0x1p53 + 2);
  CHECK(sum_of({0x1p53, 1.0, -0x1p-1000}) == 0x1p53);
  CHECK(sum_of({-0x1p53, -1.0, -0x1p-1000}) == -0x1p53 - 2);
}

TEST(order_and_division_do_not_matter) {
  Random random(1);
  for (int round = 0; round < 200; ++round) {
    auto terms = wild_terms(random, 50);
    const double sum = sum_of(terms);
    ExactSum left, right;
    for (std::size_t i = 0; i < terms.size(); ++i)
      (random.below(2) == 0 ? left : right).add(terms[i]);
    left.merge(right);
    CHECK(left.value() == sum);
    std::reverse(terms.begin(), terms.end());
    CHECK(sum_of(terms) == sum);
  }
}

TEST(terms_can_be_taken_back) {
  Random random(2);
  for (int round = 0; round < 200; ++round) {
    const auto kept = wild_terms(random, 20), gone = wild_terms(random, 20);
    ExactSum sum;
    for (const double term : gone) sum.add(term);
    for (const double term : kept) sum.add(term);
    for (const double term : gone) sum.subtract(term);
    CHECK(sum.value() == sum_of(kept));
  }
}

TEST(the_rest_of_a_mean_is_what_rounding_left) {
  ExactSum sum;
  for (int i = 0; i < 3; ++i) sum.add(0.1);
  sum.add(1e9);
  const double mean = sum.value() / 4.0;
  const double rest = sum.rest(mean, 4);
  ExactSum check_sum = sum;
  for (int i = 0; i < 4; ++i) check_sum.subtract(mean);
  CHECK(rest == check_sum.value());
}

}  // namespace
