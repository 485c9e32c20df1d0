// Powers by tables: as near to the truth as is stated, for any exponent, with the same bits on
// every instruction set; and what tables of sixteen and longer ones are asked for.
#include "tokumei/simd/fixed_power.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "check.hpp"
#include "data.hpp"
#include "tokumei/simd/look_up.hpp"

using namespace tokumei::simd;

namespace {

template <std::size_t bytes>
struct Raise {
  TOKUMEI_HOT static void run(const FixedPower* power, double* x, std::size_t n) {
    for (std::size_t i = 0; i < n; i += lane_count) {
      auto v = load<Lanes<double, bytes, lane_count>>(x + i);
      power->raise(v);
      store(x + i, v);
    }
  }
};

// x^exponent; alike on every instruction set.
std::vector<double> raised(std::vector<double> x, double exponent) {
  const FixedPower power(exponent);
  const std::size_t asked = x.size();
  x.resize(padded(asked), 1.0);
  std::vector<double> first;
  for (const auto isa : levels()) {
    auto out = x;
    dispatch_lanes<Raise>(isa, &power, out.data(), out.size());
    if (first.empty()) first = out;
    CHECK(out == first);
  }
  first.resize(asked);
  return first;
}

// Numbers of all sizes whose powers are normal, the bounds of all centres, and what is near 1.
std::vector<double> bases(double exponent) {
  Random random(7);
  std::vector<double> x;
  const int most = static_cast<int>(1000 / std::fmax(1.0, exponent));
  for (int e = -most; e < most; ++e)
    for (int i = 0; i < 8; ++i) x.push_back(std::ldexp(1 + random.uniform(), e));
  for (int bound = 0; bound <= 32; ++bound)
    for (int i = -2; i <= 2; ++i) x.push_back((1 + bound / 32.0) * (1 + i * 0x1p-52));
  return x;
}

TEST(a_power_by_tables_is_near_the_truth) {
  for (const double exponent :
       {0x1p-40, 0.01, 0.1, 1 / 3.0, 0.37,  0.5, 0.9,  1 - 0x1p-53, 1.0,  1 + 0x1p-52, 1.001,
        1.5,     2.0,  2.3, 2.7,     2.999, 3.0, 5.55, 7.99,        17.3, 100.25}) {
    const auto x = bases(exponent), found = raised(x, exponent);
    const double error = 1e-15 + std::floor(exponent) * 2e-16;
    for (std::size_t i = 0; i < x.size(); ++i) {
      const long double exact = std::pow(static_cast<long double>(x[i]), exponent);
      CHECK(std::abs(found[i] - exact) <= error * exact);
    }
  }
}

TEST(powers_of_one_and_of_nothing_are_exact) {
  for (const double exponent : {0x1p-40, 0.01, 0.4, 1.0, 1.5, 2.7, 8.0, 1000.1})
    CHECK((raised({0.0, 1.0}, exponent) == std::vector<double>{0.0, 1.0}));
}

TEST(exponents_beyond_all_bounds_leave_nothing_or_no_number) {
  for (const double exponent : {0x1p31, 1e12, 1e300}) {
    const auto powers = raised({0.0, 0.5, 1.0}, exponent);
    CHECK((powers == std::vector<double>{0.0, 0.0, 1.0}));
    const FixedPower power(exponent);
    for (const auto isa : levels()) {
      std::vector<double> large(lane_count, 2.0);
      dispatch_lanes<Raise>(isa, &power, large.data(), large.size());
      CHECK(!std::isfinite(large[0]));
    }
  }
}

TEST(powers_of_subnormal_numbers_stay_small) {
  const std::vector<double> x{5e-324, 1e-320, 0x0.fffffffffffffp-1022};
  for (const double exponent : {1.0, 1.5, 2.7})
    for (const double power : raised(x, exponent)) CHECK(power >= 0.0 && power < 0x1p-1021);
  for (const double exponent : {0.1, 0.4, 0.9}) {
    const auto powers = raised(x, exponent);
    for (std::size_t i = 0; i < x.size(); ++i)
      CHECK(powers[i] >= 0.0 && powers[i] <= x[i] * 0x1p1022);
  }
}

TEST(a_larger_number_has_a_larger_power) {
  Random random(8);
  std::vector<double> x;
  for (int i = 0; i < 4000; ++i) x.push_back(std::ldexp(1 + random.uniform(), i % 60 - 40));
  std::sort(x.begin(), x.end());
  for (const double exponent : {0.37, 2.7}) {
    const auto powers = raised(x, exponent);
    for (std::size_t i = 1; i < x.size(); ++i)
      CHECK(powers[i] > powers[i - 1] || x[i] < x[i - 1] * (1 + 1e-14));
  }
}

template <std::size_t bytes>
struct LookUp {
  TOKUMEI_HOT static void run(const double (*sixteen)[16], const double (*more)[40],
                              const std::uint64_t* index, double* out) {
    const auto at = load<Lanes<std::uint64_t, bytes, lane_count>>(index);
    store(out, look_up(*sixteen, at));
    store(out + lane_count, look_up(*more, at));
  }
};

TEST(tables_are_looked_up_lane_by_lane) {
  double sixteen[16], more[40];
  for (int i = 0; i < 16; ++i) sixteen[i] = 100.0 + i;
  for (int i = 0; i < 40; ++i) more[i] = 1000.0 + i;
  const std::uint64_t index[lane_count] = {0, 1, 7, 8, 15, 16, 31, 39};
  for (const auto isa : levels()) {
    double out[2 * lane_count];
    dispatch_lanes<LookUp>(isa, &sixteen, &more, &index[0], &out[0]);
    for (std::size_t lane = 0; lane < lane_count; ++lane) {
      CHECK(out[lane] == sixteen[index[lane] % 16]);
      CHECK(out[lane_count + lane] == more[index[lane]]);
    }
  }
}

}  // namespace
