// Costs of segments of records with codes against plain counts.
#include "tokumei/cut/category_segments.hpp"

#include <cmath>
#include <cstdint>
#include <vector>

#include "check.hpp"
#include "data.hpp"

using namespace tokumei::cut;

namespace {

struct Nothing {
  void fill(std::size_t, std::size_t ends, double* out, std::size_t stride) const {
    for (std::size_t i = 0; i < 4; ++i)
      for (std::size_t e = 0; e < ends; ++e) out[i * stride + e] = 0.0;
  }
};

}  // namespace

TEST(segments_of_codes_cost_what_plain_counts_say) {
  Random random(4);
  const std::size_t n = 30, k = 4;
  const auto data = make_mixed(random, n, 3, 0);
  const Records x = data.records();
  std::vector<std::int64_t> order;
  for (std::size_t i = 0; i < n; ++i) order.push_back(static_cast<std::int64_t>((i * 7) % n));
  Nothing none;
  std::vector<double> out(k * n), again(k * n);
  CategorySegmentCosts costs(none, x, {order.data(), n}, k, InstructionSet::baseline);
  costs.fill(1, n, out.data(), n);
  // In parts, and with any instructions.
  for (const auto isa : levels()) {
    CategorySegmentCosts others(none, x, {order.data(), n}, k, isa);
    others.fill(1, 8, again.data(), n);
    others.fill(9, n - 8, again.data() + 8, n);
    CHECK(again == out);
  }
  for (std::size_t end = 1; end <= n; ++end)
    for (std::size_t length = k; length < 2 * k && length <= end; ++length) {
      double expected = 0.0;
      for (std::size_t j = 0; j < 3; ++j) {
        double present = 0.0, squares = 0.0;
        for (std::size_t a = end - length; a < end; ++a) {
          const auto code = x.codes(static_cast<std::size_t>(order[a]), j);
          present += code >= 0 ? 1.0 : 0.0;
          for (std::size_t b = end - length; b < end; ++b)
            squares += code >= 0 && code == x.codes(static_cast<std::size_t>(order[b]), j);
        }
        expected += x.weights[j] * (present - squares / static_cast<double>(length));
      }
      CHECK(out[(length - k) * n + end - 1] == expected);
    }
}
