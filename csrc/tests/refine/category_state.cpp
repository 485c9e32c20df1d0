// What codes add to costs and changes, against groups written out as points.
#include "tokumei/refine/category_state.hpp"

#include <cmath>
#include <numeric>
#include <vector>

#include "check.hpp"
#include "data.hpp"

using namespace tokumei::refine;

namespace {

// Squares of a group in the columns of codes, from the distances of its pairs.
double squares(const Records& x, const std::vector<StateIndex>& members) {
  double sum = 0.0;
  for (const auto a : members)
    for (const auto b : members)
      for (std::size_t j = 0; j < x.codes.columns(); ++j) {
        const auto u = x.codes(a, j), v = x.codes(b, j);
        sum += u == v ? 0.0 : u < 0 || v < 0 ? x.weights[j] : 2 * x.weights[j];
      }
  return sum / 2 / static_cast<double>(members.size());
}

bool near(double a, double b) { return std::abs(a - b) <= 1e-12 * (1 + std::abs(b)); }

}  // namespace

TEST(codes_cost_and_change_what_distances_of_pairs_say) {
  Random random(9);
  for (int round = 0; round < 40; ++round) {
    const auto data = make_mixed(random, 24, 1 + random.below(5), 0);
    const Records x = data.records();
    std::vector<std::size_t> rows(24);
    std::iota(rows.begin(), rows.end(), std::size_t{0});
    CategoryState state(x, rows, 48, 2);
    std::vector<StateIndex> a, b;
    for (StateIndex row = 0; row < 23; ++row) (random.below(2) == 0 ? a : b).push_back(row);
    if (a.size() < 2 || b.size() < 2) continue;
    for (std::size_t place = 0; place < 48; ++place) state.leave(place);
    for (std::size_t m = 0; m < a.size(); ++m) state.set(m, a[m]);
    for (std::size_t m = 0; m < b.size(); ++m) state.set(24 + m, b[m]);
    const double cost_a = state.refresh(0, a.data(), a.size(), 0);
    const double cost_b = state.refresh(1, b.data(), b.size(), 24);
    CHECK(near(cost_a, squares(x, a)));
    CHECK(near(cost_b, squares(x, b)));
    const double size = static_cast<double>(a.size());
    const double matched = state.matched<16>(23, 0, a.size());
    auto joined = a;
    joined.push_back(23);
    CHECK(
        near(size / (size + 1) * state.to_mean(23, 0, matched, size), squares(x, joined) - cost_a));
    auto swapped_a = a, swapped_b = b;
    std::swap(swapped_a[0], swapped_b[0]);
    const double by =
        state.exchanged(a[0], b[0], state.matched<16>(a[0], 24, b.size()),
                        state.matched<16>(b[0], 0, a.size()), size, static_cast<double>(b.size()));
    CHECK(near(by, squares(x, swapped_a) + squares(x, swapped_b) - cost_a - cost_b));
    CategoryState::Held held;
    state.find_held(0, a.data(), a.size(), held);
    using V = Lanes<double, 16, lane_count>;
    const V with_a = state.matched_with<V>(held, state.chunk(24));
    for (std::size_t m = 0; m < std::min(b.size(), lane_count); ++m)
      CHECK(near(with_a[m], state.matched<16>(b[m], 0, a.size())));
  }
}

TEST(records_that_agree_cost_exactly_nothing) {
  const std::vector<double> numbers(49, 0.0), weights{0.1, 0.7};
  const std::vector<std::int32_t> codes(98, 3);
  const Records x({numbers.data(), 49, 1}, {codes.data(), 49, 2}, {weights.data(), 2});
  std::vector<std::size_t> rows(49);
  std::vector<StateIndex> members(49);
  std::iota(rows.begin(), rows.end(), std::size_t{0});
  std::iota(members.begin(), members.end(), StateIndex{0});
  CategoryState state(x, rows, 56, 1);
  CHECK(state.refresh(0, members.data(), members.size(), 0) == 0.0);
}
