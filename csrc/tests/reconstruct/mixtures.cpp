// A normal variable under Laplace noise: derivatives are those of the density, sums are those of
// the records, nothing is NaN, and neither threads nor instruction sets change a bit.
#include <cmath>
#include <cstdint>
#include <cstring>
#include <vector>

#include "check.hpp"
#include "data.hpp"
#include "tokumei/reconstruct/mixture_pass.hpp"
#include "tokumei/reconstruct/normal_laplace_records.hpp"

using namespace tokumei::reconstruct;

namespace {

std::vector<double> seen(const std::vector<double>& y, double mean, double deviation, Run run) {
  std::vector<double> out(5 * y.size());
  normal_laplace_records({y.data(), y.size()}, mean, deviation, {out.data(), y.size(), 5}, run);
  return out;
}

std::vector<double> places(std::size_t count, double width) {
  Random random(7);
  std::vector<double> y(count);
  for (auto& value : y) value = (random.uniform() * 2 - 1) * width;
  return y;
}

TEST(derivatives_are_those_of_the_density) {
  const auto y = places(50, 8.0);
  for (const double deviation : {0.1, 1.0, 3.9, 4.1, 12.0}) {
    const double step = 1e-5;
    const auto here = seen(y, 0.5, deviation, {});
    const auto right = seen(y, 0.5 + step, deviation, {}),
               left = seen(y, 0.5 - step, deviation, {});
    const auto wide = seen(y, 0.5, deviation + step, {});
    const auto narrow = seen(y, 0.5, deviation - step, {});
    for (std::size_t i = 0; i < y.size(); ++i) {
      CHECK(std::abs((right[i] - left[i]) / (2 * step) - here[3 * y.size() + i]) < 1e-7);
      CHECK(std::abs((wide[i] - narrow[i]) / (2 * step) - here[4 * y.size() + i]) < 1e-6);
    }
  }
}

TEST(nothing_is_nan) {
  std::vector<double> y{0.0, -0.0};
  for (int power = -300; power <= 12; power += 6)
    for (const double sign : {-1.0, 1.0}) y.push_back(sign * std::pow(10.0, power));
  for (int power = -6; power <= 12; ++power)
    for (const double value : seen(y, 0.0, std::pow(10.0, power), {})) CHECK(std::isfinite(value));
  for (const double value : seen(y, 0.0, 0.0, {})) CHECK(std::isfinite(value));
}

TEST(threads_and_instructions_change_no_bit) {
  const std::vector<double> weights{0.5, 0.3, 0.0, 0.2}, means{0.0, 3.0, 1.0, -2.0};
  const std::vector<double> deviations{1.0, 6.0, 1.0, 0.0};
  for (const std::size_t rows : {1, 33, 5000}) {
    const auto y = places(rows, 30.0);
    std::vector<double> first;
    for (int isa = 0; isa <= static_cast<int>(best_instruction_set()); ++isa)
      for (const unsigned threads : {1U, 3U}) {
        std::vector<double> sums(12);
        const MixtureView mixture{{weights.data(), 4}, {means.data(), 4}, {deviations.data(), 4}};
        sums.push_back(mixture_pass({y.data(), rows}, {}, mixture, {sums.data(), 4, 3},
                                    {threads, instruction_set_of(isa), {}}));
        if (first.empty()) first = sums;
        CHECK(std::memcmp(first.data(), sums.data(), sums.size() * sizeof(double)) == 0);
        const double shares = sums[0] + sums[1] + sums[2] + sums[3];
        CHECK(std::abs(shares / static_cast<double>(rows) - 1.0) < 1e-13);
      }
  }
}

TEST(a_mixture_without_weight_is_refused) {
  const double y = 1.0, nothing = 0.0;
  double sums[3];
  CHECK_THROWS(std::invalid_argument,
               mixture_pass({&y, 1}, {}, {{&nothing, 1}, {&y, 1}, {&y, 1}}, {sums, 1, 3}, {}));
}

}  // namespace
