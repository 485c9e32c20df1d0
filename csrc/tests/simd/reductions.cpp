// One number from many lanes: sums in the stated order, the least, the bits of a mask.
#include "tokumei/simd/reductions.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

#include "check.hpp"
#include "data.hpp"

using namespace tokumei::simd;

namespace {

struct Summary {
  double total, lowest, highest;
  unsigned first_lowest, above;
};

template <std::size_t bytes>
struct Summarise {
  TOKUMEI_HOT static Summary run(const double* values) {
    const auto v = load<Lanes<double, bytes, 8>>(values);
    return {total(v), lowest(v), highest(v), first_lowest(v), bits_of(v > 0.0)};
  }
};

TEST(lanes_are_combined_four_then_two_apart) {
  Random random(1);
  for (int round = 0; round < 50; ++round) {
    const auto v = make_data(random, 8, 1, random.below(2) * 3, 1e3).values;
    const double stated = ((v[0] + v[4]) + (v[2] + v[6])) + ((v[1] + v[5]) + (v[3] + v[7]));
    unsigned above = 0;
    for (unsigned i = 0; i < 8; ++i) above |= v[i] > 0.0 ? 1U << i : 0U;
    for (const auto isa : levels()) {
      const auto found = dispatch_lanes<Summarise>(isa, v.data());
      CHECK(found.total == stated);
      CHECK(found.lowest == *std::min_element(v.begin(), v.end()));
      CHECK(found.highest == *std::max_element(v.begin(), v.end()));
      CHECK(found.first_lowest == std::min_element(v.begin(), v.end()) - v.begin());
      CHECK(found.above == above);
    }
  }
}

template <class Real>
struct Bits {
  template <std::size_t bytes>
  struct Body {
    TOKUMEI_HOT static unsigned run(const Real* values) {
      return bits_of(load<Lanes<Real, bytes, 16>>(values) == Real{1});
    }
  };
};

template <class Real>
void bits_are_set_where_a_mask_holds(Random& random) {
  Real values[16];
  unsigned expected = 0;
  for (unsigned i = 0; i < 16; ++i) {
    values[i] = static_cast<Real>(random.below(3));
    expected |= values[i] == Real{1} ? 1U << i : 0U;
  }
  for (const auto isa : levels())
    CHECK(dispatch_lanes<Bits<Real>::template Body>(isa, &values[0]) == expected);
}

TEST(a_mask_has_a_bit_for_each_lane) {
  Random random(3);
  for (int round = 0; round < 50; ++round) {
    bits_are_set_where_a_mask_holds<float>(random);
    bits_are_set_where_a_mask_holds<double>(random);
    bits_are_set_where_a_mask_holds<std::int64_t>(random);
    bits_are_set_where_a_mask_holds<std::uint32_t>(random);
  }
}

}  // namespace
