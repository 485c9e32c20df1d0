// Chance for searches: fixed by its seed, spread as it should be.
#include "tokumei/numeric/random.hpp"

#include <cmath>
#include <vector>

#include "check.hpp"

using namespace tokumei::numeric;

namespace {

TEST(words_are_mixed_as_published) {
  // The first words of SplitMix64 from the seed 0.
  CHECK(mix(0) == 0xe220a8397b1dcdafULL);
  CHECK(mix(0x9e3779b97f4a7c15ULL) == 0x6e789e6aa1b965f4ULL);
}

TEST(a_seed_fixes_all_numbers) {
  Xoshiro256 one(7), same(7), other(8);
  int alike = 0;
  for (int i = 0; i < 100; ++i) {
    const auto word = one.word();
    CHECK(word == same.word());
    alike += word == other.word();
  }
  CHECK(alike == 0);
}

TEST(numbers_below_a_bound_are_about_equally_frequent) {
  Xoshiro256 chance(1);
  for (const std::size_t bound : {1U, 2U, 3U, 10U}) {
    std::vector<int> times(bound);
    for (int i = 0; i < 10'000; ++i) {
      const std::size_t drawn = chance.below(bound);
      CHECK(drawn < bound);
      ++times[drawn];
    }
    for (const int count : times)
      CHECK(std::abs(count - 10'000.0 / static_cast<double>(bound)) < 500);
  }
}

TEST(shares_lie_below_one_and_waits_have_mean_one) {
  Xoshiro256 chance(2);
  double shares = 0, waits = 0;
  for (int i = 0; i < 20'000; ++i) {
    const double share = chance.uniform(), wait = chance.exponential();
    CHECK(share >= 0 && share < 1 && wait >= -1e-9);
    shares += share;
    waits += wait;
  }
  CHECK(std::abs(shares / 20'000 - 0.5) < 0.02);
  CHECK(std::abs(waits / 20'000 - 1.0) < 0.05);
}

TEST(a_coarse_logarithm_is_near_the_true_one) {
  for (double x = 1.0; x > 1e-17; x *= 0.937) CHECK(std::abs(coarse_log(x) - std::log(x)) < 2e-9);
  CHECK(coarse_log(1.0) == 0.0);
}

}  // namespace
