// Exponentials and logarithms of lists of any length: near to the truth, the same bits on every
// instruction set and alone.
#include "tokumei/simd/elementary.hpp"

#include <cmath>
#include <cstddef>
#include <vector>

#include "check.hpp"
#include "data.hpp"

using namespace tokumei::simd;

TEST(lists_of_any_length_become_their_exponentials_and_logarithms) {
  Random random(1);
  for (std::size_t size = 0; size < 50; ++size) {
    std::vector<double> x(size);
    for (auto& value : x) value = random.uniform() * 40.0 - 30.0;
    for (const auto isa : levels()) {
      std::vector<double> y = x;
      exponentiate(isa, y.data(), size);
      for (std::size_t i = 0; i < size; ++i) {
        CHECK(y[i] == exponential(x[i]));
        CHECK(std::abs(y[i] / std::exp(x[i]) - 1.0) < 1e-15);
      }
      std::vector<double> back = y;
      take_logarithms(isa, back.data(), size);
      for (std::size_t i = 0; i < size; ++i) {
        CHECK(back[i] == logarithm(y[i]));
        CHECK(std::abs(back[i] - std::log(y[i])) < 1e-14);
      }
    }
  }
  CHECK(exponential(-1e300) == 0.0 && exponential(0.0) == 1.0 && logarithm(1.0) == 0.0);
}
