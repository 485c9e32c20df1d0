// Sums of columns by folding against sums term by term: the same number, whatever the terms.
#include "tokumei/numeric/bulk_sum.hpp"

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "check.hpp"
#include "data.hpp"

using namespace tokumei::numeric;

namespace {

double term(Random& random, const std::string& kind, std::size_t at) {
  const double value = random.uniform() * 2 - 1;
  const int exponent = static_cast<int>(random.below(2090)) - 1070;
  if (kind == "squares") return value * value;
  if (kind == "offset") return 1e9 + value;
  if (kind == "wild") return std::ldexp(value, std::min(exponent, 1000));
  if (kind == "subnormal") return value * 1e-310;
  if (kind == "large") return value * 1e304;
  if (kind == "cancelling") return at % 2 == 0 ? 1e15 : -1e15 + value;
  if (kind == "zeros") return at % 700 == 0 ? value : 0.0;
  if (kind == "one outlier") return at == 500 ? 1e200 : value * 1e-200;
  return value;
}

}  // namespace

TEST(folding_loses_no_bit_of_any_term) {
  Random random(5);
  for (const std::string kind : {"plain", "squares", "offset", "wild", "subnormal", "large",
                                 "cancelling", "zeros", "one outlier"})
    for (const std::size_t terms : {0, 1, 7, 8, 9, 1023, 1024, 1025, 5000}) {
      std::vector<double> values(terms);
      ExactSum one_by_one;
      for (std::size_t at = 0; at < terms; ++at) {
        values[at] = term(random, kind, at);
        one_by_one.add(values[at]);
      }
      for (const auto isa : levels()) {
        ExactSum sum;
        add_column(sum, {values.data(), terms}, isa);
        CHECK(sum.value() == one_by_one.value());
        // What the rounding left is the same too, to the last bit of both.
        CHECK(sum.rest(1.0, 3) == one_by_one.rest(1.0, 3));
        sum.subtract(one_by_one.value());
        ExactSum rest = one_by_one;
        rest.subtract(one_by_one.value());
        CHECK(sum.value() == rest.value());
      }
    }
  // The largest terms that are folded: the constant beside them is still a number.
  const std::vector<double> edge(3000, std::nextafter(0x1p+1000, 0.0));
  for (const auto isa : levels()) {
    ExactSum sum, one_by_one;
    add_column(sum, {edge.data(), edge.size()}, isa);
    for (const double value : edge) one_by_one.add(value);
    CHECK(sum.value() == one_by_one.value());
    CHECK(std::isfinite(sum.value()));
  }
}
