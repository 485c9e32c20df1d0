// What lower bounds are made of, against plain comparison of everything with everything.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "check.hpp"
#include "data.hpp"
#include "tokumei/bounds/lagrangian_bound.hpp"
#include "tokumei/bounds/pricing.hpp"

using namespace tokumei::bounds;

namespace {

struct Pricing {
  std::size_t count;
  std::vector<std::int64_t> groups;
  std::vector<double> correction;
};

Pricing pricing_of(const Data& data, const std::vector<double>& duals, std::size_t k, Run run) {
  const std::size_t n = data.rows, kept = 3;
  Pricing result{0, std::vector<std::int64_t>(n * kept * (2 * k - 1)), std::vector<double>(n)};
  result.count = solve_pricing(data.table(), {duals.data(), n}, {}, {}, k, {100, kept},
                               {result.groups.data(), n * kept, 2 * k - 1},
                               {result.correction.data(), n}, run);
  return result;
}

TEST(bargains_do_not_depend_on_threads_or_instructions) {
  Random random(9);
  const auto data = make_data(random, 300, 4, 0);
  std::vector<double> duals(300);
  for (auto& value : duals) value = 0.1 + 0.2 * random.uniform();
  const auto reference = pricing_of(data, duals, 3, {});
  CHECK(reference.count > 100);
  for (const auto isa : levels())
    for (const unsigned threads : {1U, 3U, 8U}) {
      const auto same = pricing_of(data, duals, 3, {threads, isa, {}});
      CHECK(same.count == reference.count);
      CHECK(same.groups == reference.groups);
      CHECK(same.correction == reference.correction);
    }
}

TEST(shares_do_not_depend_on_threads_and_grow_with_sweeps) {
  Random random(11);
  const auto data = make_data(random, 700, 5, 0);
  double last = 0.0;
  for (const std::size_t sweeps : {1U, 5U, 25U}) {
    std::vector<double> shares(700), same(700);
    lagrangian_bound(data.table(), 4, sweeps, {shares.data(), 700}, {});
    lagrangian_bound(data.table(), 4, sweeps, {same.data(), 700}, {4, best_instruction_set(), {}});
    CHECK(shares == same);
    double sum = 0.0;
    for (const double share : shares) sum += share;
    CHECK(sum > last);
    last = sum;
  }
}

}  // namespace
