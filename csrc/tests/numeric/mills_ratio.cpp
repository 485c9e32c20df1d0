// The tail of the normal distribution against its definition.
#include "tokumei/numeric/mills_ratio.hpp"

#include <cmath>
#include <vector>

#include "check.hpp"
#include "data.hpp"

using namespace tokumei::numeric;

namespace {

struct Tail {
  double ratio, mean, square;
};

template <std::size_t bytes>
struct Tails {
  TOKUMEI_HOT static void run(double distance, Tail* out) {
    using V = Lanes<double, bytes>;
    const auto tail = mills_tail(broadcast<V>(distance));
    *out = {(tail.d / tail.f)[0], (tail.q / tail.d)[0], (tail.p / tail.d)[0]};
  }
};

Tail tail_at(double c) {
  Tail first{};
  for (const auto isa : levels()) {
    Tail found{};
    dispatch_lanes<Tails>(isa, c, &found);
    if (isa == InstructionSet::baseline) first = found;
    CHECK(found.ratio == first.ratio && found.mean == first.mean && found.square == first.square);
  }
  return first;
}

bool near(double found, long double exact) {
  return std::abs(found - exact) <= 2e-15L * std::abs(exact);
}

TEST(the_tail_is_that_of_its_definition) {
  for (double c = 0; c < 12; c += 0.125) {
    const auto tail = tail_at(c);
    // (1 - Phi(c)) / phi(c), while neither underflows.
    const long double ratio = std::sqrt(std::acos(-1.0L) / 2) *
                              std::exp(static_cast<long double>(c) * c / 2) *
                              std::erfc(static_cast<long double>(c) / std::sqrt(2.0L));
    CHECK(near(tail.ratio, ratio));
  }
}

TEST(the_moments_are_those_of_the_definition) {
  for (const double c : {0.0, 0.5, 1.0, 2.0, 4.0}) {
    // Integrals of u^n phi(c + u) / phi(c) by Simpson's rule.
    long double moments[3] = {};
    constexpr int steps = 40'000;
    constexpr long double width = 14.0L / steps;
    for (int i = 0; i <= steps; ++i) {
      const long double u = i * width, weight = i == 0 || i == steps ? 1 : i % 2 == 1 ? 4 : 2;
      const long double density = weight * std::exp(-u * (c + u / 2));
      for (int power = 0; power < 3; ++power)
        moments[power] += density * (power == 0 ? 1 : power == 1 ? u : u * u);
    }
    const auto tail = tail_at(c);
    CHECK(std::abs(tail.mean - moments[1] / moments[0]) < 1e-13);
    CHECK(std::abs(tail.square - moments[2] / moments[0]) < 1e-13);
  }
}

TEST(far_out_the_tail_is_exponential) {
  for (const double c : {1e8, 1e15, 1e20}) {
    const auto tail = tail_at(c);
    CHECK(near(tail.ratio * c, 1) && near(tail.mean * c, 1) && near(tail.square * c * c, 2));
  }
  CHECK(tail_at(1e300).ratio == tail_at(1e20).ratio);
}

}  // namespace
