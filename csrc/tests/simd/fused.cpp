// Products added with one rounding: what the standard library says, on every instruction set.
#include "tokumei/simd/fused.hpp"

#include <bit>
#include <cmath>
#include <vector>

#include "check.hpp"
#include "data.hpp"

using namespace tokumei::simd;

namespace {

template <std::size_t bytes>
struct Fuse {
  TOKUMEI_HOT static void run(double* x, const double* by, const double* more, std::size_t n) {
    using V = Lanes<double, bytes, lane_count>;
    for (std::size_t i = 0; i < n; i += lane_count)
      store(x + i, fused(load<V>(x + i), load<V>(by + i), load<V>(more + i)));
  }
};

TEST(products_are_added_with_one_rounding) {
  Random random(3);
  std::vector<double> a, b, c, truth;
  std::size_t differ = 0;
  for (int i = 0; i < 4096; ++i) {
    a.push_back(random.uniform() - 0.5);
    b.push_back(random.uniform() - 0.5);
    // Of every second one the sum is what the rounding of the product leaves.
    c.push_back(i % 2 == 0 ? -(a.back() * b.back()) : random.uniform());
    truth.push_back(std::fma(a.back(), b.back(), c.back()));
    differ += truth.back() != a.back() * b.back() + c.back();
  }
  CHECK(differ > 1000);
  for (const auto isa : levels()) {
    auto found = a;
    dispatch_lanes<Fuse>(isa, found.data(), b.data(), c.data(), found.size());
    CHECK(found == truth);
  }
}

}  // namespace
