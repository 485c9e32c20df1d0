// Powers, exponentials and logarithms of many lanes: as near to the truth as is stated, with the
// same bits on every instruction set.
#include "tokumei/simd/powers.hpp"

#include <cmath>
#include <limits>
#include <vector>

#include "check.hpp"
#include "data.hpp"
#include "tokumei/simd/exponential.hpp"

using namespace tokumei::simd;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

// An operation on eight lanes at a time, for every register width.
template <class Operation>
struct On {
  template <std::size_t bytes>
  struct Body {
    TOKUMEI_HOT static void run(double* x, std::size_t n, double by) {
      for (std::size_t i = 0; i < n; i += lane_count) {
        auto v = load<Lanes<double, bytes, lane_count>>(x + i);
        Operation::apply(v, by);
        store(x + i, v);
      }
    }
  };
};

#define OPERATION(name, ...)                                                                       \
  struct name {                                                                                    \
    template <class V>                                                                             \
    TOKUMEI_HOT static void apply(V& v, double by) {                                               \
      static_cast<void>(by);                                                                       \
      __VA_ARGS__;                                                                                 \
    }                                                                                              \
  };
OPERATION(Log2, take_log2(v))
OPERATION(Exp2, take_exp2(v))
OPERATION(RaiseAtLeastOnce, raise_at_least_once(v, by))
OPERATION(Halves, raise_by_halves(v, static_cast<unsigned>(by)))
OPERATION(Root, take_square_root(v))
OPERATION(InverseCubeRoot, take_inverse_cube_root(v))
OPERATION(Exp, take_exp(v))
OPERATION(Log, take_log(v))
OPERATION(Magnitude, v = magnitude(v))
#undef OPERATION

// x by the operation; alike on every instruction set.
template <class Operation>
std::vector<double> of(std::vector<double> x, double by = 0.0) {
  const std::size_t asked = x.size();
  x.resize(padded(asked), 1.0);
  std::vector<double> first;
  for (const auto isa : levels()) {
    auto out = x;
    dispatch_lanes<On<Operation>::template Body>(isa, out.data(), out.size(), by);
    if (first.empty()) first = out;
    CHECK(out == first);
  }
  first.resize(asked);
  return first;
}

// Positive numbers of all sizes between powers of 2.
std::vector<double> of_all_sizes(int least, int most) {
  Random random(5);
  std::vector<double> x;
  for (int exponent = least; exponent < most; ++exponent)
    x.push_back(std::ldexp(1 + random.uniform(), exponent));
  for (int i = -8; i <= 8; ++i) x.push_back(1.0 + i * 0x1p-52);
  return x;
}

std::vector<double> between(double least, double most, std::size_t n) {
  std::vector<double> x;
  for (std::size_t i = 0; i <= n; ++i)
    x.push_back(least + (most - least) * static_cast<double>(i) / static_cast<double>(n));
  return x;
}

template <class Truth>
bool near(const std::vector<double>& found, const std::vector<double>& x, double error,
          Truth&& truth) {
  for (std::size_t i = 0; i < x.size(); ++i) {
    const long double exact = truth(static_cast<long double>(x[i]));
    if (!(std::abs(found[i] - exact) <= error * std::abs(exact))) return false;
  }
  return true;
}

TEST(powers_of_two_and_their_logarithms_are_near_the_truth) {
  const auto x = of_all_sizes(-1022, 1023), e = between(-1021, 1022.9, 4000);
  CHECK(near(of<Log2>(x), x, 2e-15, [](long double v) { return std::log2(v); }));
  CHECK(near(of<Exp2>(e), e, 4e-15, [](long double v) { return std::exp2(v); }));
  CHECK((of<Exp2>({0.0, 1.0, -3.0, -1023.0, -2000.0}) == std::vector<double>{1, 2, 0.125, 0, 0}));
  for (const double little : of<Exp2>(between(-1023, -1022, 100)))
    CHECK(little >= 0.0 && little < 0x1p-1021);
}

TEST(exponentials_and_logarithms_are_near_the_truth) {
  const auto x = of_all_sizes(-1022, 1023), e = between(-707.9, 709, 4000);
  CHECK(near(of<Log>(x), x, 5e-16, [](long double v) { return std::log(v); }));
  CHECK(near(of<Exp>(e), e, 4e-16, [](long double v) { return std::exp(v); }));
  CHECK((of<Exp>({0.0, -0.0, -708.5, -1e300, -infinity}) == std::vector<double>{1, 1, 0, 0, 0}));
  CHECK(of<Log>({1.0})[0] == 0.0);
}

TEST(powers_are_near_the_truth) {
  const auto x = of_all_sizes(-100, 100);
  for (const double exponent : {1.0, 2.7, 3.3}) {
    const double error = 4e-15 + 400 * exponent * 2e-16;
    CHECK(near(of<RaiseAtLeastOnce>(x, exponent), x, error,
               [&](long double v) { return std::pow(v, static_cast<long double>(exponent)); }));
  }
  CHECK((of<RaiseAtLeastOnce>({0.0, 5e-324, 1.0}, 2.5) == std::vector<double>{0, 0, 1}));
}

TEST(powers_by_halves_are_products_and_one_root) {
  const auto x = of_all_sizes(-50, 50);
  for (const unsigned halves : {1U, 2U, 3U, 4U, 5U, 6U, 11U})
    CHECK(near(of<Halves>(x, halves), x, 2e-15,
               [&](long double v) { return std::pow(v, halves / 2.0L); }));
  const auto roots = of<Root>(x);
  for (std::size_t i = 0; i < x.size(); ++i) CHECK(roots[i] == std::sqrt(x[i]));
  CHECK(of<Halves>({0.0}, 3)[0] == 0.0);
}

TEST(inverse_cube_roots_are_near_the_truth) {
  const auto x = of_all_sizes(-900, 1000);
  CHECK(near(of<InverseCubeRoot>(x), x, 2e-15, [](long double v) { return 1 / std::cbrt(v); }));
}

TEST(a_magnitude_has_no_sign) {
  CHECK((of<Magnitude>({-2.5, 2.5, -infinity}) == std::vector<double>{2.5, 2.5, infinity}));
  CHECK(!std::signbit(of<Magnitude>({-0.0})[0]));
}

TEST(polynomials_are_evaluated_from_the_highest_power_on) {
  constexpr double coefficients[] = {2.0, -1.0, 0.5, 3.0, -4.0};
  const auto x = load<Lanes<double, 16>>(between(1.5, -2.0, 1).data());
  const auto sum = evaluate(coefficients, x);
  for (std::size_t i = 0; i < 2; ++i) {
    const double v = x[i];
    CHECK(sum[i] == ((2 * v - 1) * v + 0.5) * v * v + 3 * v - 4);
  }
}

}  // namespace
