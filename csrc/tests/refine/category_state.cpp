// What codes add to costs and changes, against groups written out as points.
#include "tokumei/refine/category_state.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "check.hpp"
#include "data.hpp"
#include "tokumei/refine/category_tally.hpp"
#include "tokumei/refine/matched_members.hpp"
#include "tokumei/refine/tallied_costs.hpp"

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

// Weighted squares of a column from its points: a coordinate for each category.
double plain_squares(const Records& x, std::size_t j, const std::vector<StateIndex>& members,
                     const std::vector<double>& weights) {
  double sum = 0.0, mass = 0.0;
  for (const auto a : members) mass += weights[a];
  for (std::int32_t code = 0; code < 40; ++code) {
    double there = 0.0;
    for (const auto a : members) there += x.codes(a, j) == code ? weights[a] : 0.0;
    const double mean = there / mass;
    for (const auto a : members) {
      const double by = (x.codes(a, j) == code ? 1.0 : 0.0) - mean;
      sum += weights[a] * by * by;
    }
  }
  return sum;
}

// Absolute differences from the median likewise.
double plain_deviations(const Records& x, std::size_t j, const std::vector<StateIndex>& members) {
  double sum = 0.0;
  for (std::int32_t code = 0; code < 40; ++code) {
    double there = 0.0;
    for (const auto a : members) there += x.codes(a, j) == code ? 1.0 : 0.0;
    sum += std::min(there, static_cast<double>(members.size()) - there);
  }
  return sum;
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
    CategoryState state(x, rows, 48, 2, data.weights);
    std::vector<StateIndex> a, b;
    for (StateIndex row = 0; row < 23; ++row)
      (random.below(2 + static_cast<std::size_t>(round) % 5) > 0 ? a : b).push_back(row);
    if (a.size() < 2 || b.size() < 2) continue;
    for (std::size_t place = 0; place < 48; ++place) state.leave(place, place < 24 ? 0 : 1);
    for (std::size_t m = 0; m < a.size(); ++m) state.set(m, a[m], 0);
    for (std::size_t m = 0; m < b.size(); ++m) state.set(24 + m, b[m], 1);
    const double cost_a = state.refresh<16>(0, a.data(), a.size(), 0);
    const double cost_b = state.refresh<16>(1, b.data(), b.size(), 24);
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
    MatchedMembers found;
    const auto check_with = [&](std::size_t first_of_a) {
      for (std::size_t m = 0; m < b.size(); ++m) {
        const double with_a = found.with(state, b[m]);
        CHECK(near(with_a, state.matched<16>(b[m], first_of_a, a.size())));
        using Tile = Lanes<double, 16, lane_count>;
        const auto tile = found.with_tile<Tile>(state, 24 + m / lane_count * lane_count);
        CHECK(tile[m % lane_count] == with_a);
      }
    };
    const MembersOf own{0, a.data(), a.size(), 0};
    for (int again = 0; again < 2; ++again) {
      found.ask(state, own);
      check_with(0);
    }
    // A group that changes is counted anew; one brought back is as it was.
    state.begin();
    state.keep(0, a.data(), a.size());
    const auto version = state.version(0);
    state.set(0, 23, 0);
    CHECK(state.version(0) != version);
    auto changed = a;
    changed[0] = 23;
    found.ask(state, {0, changed.data(), changed.size(), 0});
    check_with(0);
    state.set(0, a[0], 0);
    state.begin_to_bring_back();
    state.bring_back(0, a.data(), a.size(), 0);
    CHECK(state.version(0) == version);
    found.ask(state, own);
    check_with(0);
  }
}

template <std::size_t bytes>
struct Refreshed {
  TOKUMEI_HOT static double run(CategoryState* state, const StateIndex* members, std::size_t size) {
    return state->refresh<bytes>(0, members, size, 0);
  }
};

TEST(members_compared_and_members_counted_have_the_same_bits) {
  Random random(12);
  for (const std::size_t size : {2, 8, 9, 16, 17, 24}) {
    const auto data = make_mixed(random, 24, 4, 0);
    const Records x = data.records();
    std::vector<std::size_t> rows(24);
    std::iota(rows.begin(), rows.end(), std::size_t{0});
    CategoryState state(x, rows, 24, 1, data.weights);
    std::vector<StateIndex> members;
    for (StateIndex m = 0; m < size; ++m) {
      state.set(m, m, 0);
      members.push_back(m);
    }
    double cost = 0.0;
    std::vector<double> own(size, 0.0);
    for (std::size_t j = 0; j < x.codes.columns(); ++j) {
      double present = 0.0, squares = 0.0;
      for (std::size_t m = 0; m < size; ++m) {
        double alike = 0.0;
        for (std::size_t i = 0; i < size; ++i)
          alike += x.codes(m, j) >= 0 && x.codes(i, j) == x.codes(m, j) ? 1.0 : 0.0;
        present += x.codes(m, j) >= 0 ? 1.0 : 0.0;
        squares += alike;
        own[m] += data.weights[j] * alike;
      }
      cost += data.weights[j] * (present - squares / static_cast<double>(size));
    }
    for (const auto isa : levels()) {
      CHECK(dispatch_lanes<Refreshed>(isa, &state, static_cast<const StateIndex*>(members.data()),
                                      size) == cost);
      for (StateIndex m = 0; m < size; ++m) CHECK(state.own(m) == own[m]);
    }
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
  CategoryState state(x, rows, 56, 1, weights);
  CHECK(state.refresh<16>(0, members.data(), members.size(), 0) == 0.0);
  Random random(10);
  std::vector<double> of_records(49);
  for (auto& weight : of_records) weight = 0.1 + random.uniform();
  CategoryTally tally;
  tally.count(state, members.data(), members.size(), of_records.data());
  CHECK(TalliedSquares::cost(state, tally) == 0.0);
  tally.count(state, members.data(), members.size(), nullptr);
  CHECK(TalliedDeviations::cost(state, tally) == 0.0);
}

TEST(tallied_changes_are_differences_of_costs) {
  Random random(11);
  for (int round = 0; round < 200; ++round) {
    const auto data = make_mixed(random, 20, 1 + random.below(5), 0);
    const Records x = data.records();
    std::vector<std::size_t> rows(20);
    std::iota(rows.begin(), rows.end(), std::size_t{0});
    std::vector<double> weights(20, 1.0);
    const bool weighted = round % 2 == 0;
    if (weighted)
      for (auto& weight : weights) weight = 0.1 + random.uniform();
    const CategoryState state(x, rows, 8, 1, data.weights);
    std::vector<StateIndex> group;
    for (StateIndex row = 0; row < 18; ++row)
      if (random.below(3) > 0) group.push_back(row);
    if (group.size() < 2) continue;
    const auto costs = [&](const std::vector<StateIndex>& members) {
      double sum = 0.0;
      for (std::size_t j = 0; j < x.codes.columns(); ++j)
        sum += data.weights[j] *
               (weighted ? plain_squares(x, j, members, weights) : plain_deviations(x, j, members));
      return sum;
    };
    CategoryTally tally;
    tally.count(state, group.data(), group.size(), weighted ? weights.data() : nullptr);
    const auto record = [&](StateIndex row) {
      return TalliedRecord{state.places(row), weights[row]};
    };
    const auto out = group[random.below(group.size())];
    auto with = group, without = group;
    with.push_back(19);
    without.erase(std::find(without.begin(), without.end(), out));
    auto replaced = without;
    replaced.push_back(19);
    const double before = costs(group);
    const auto check = [&](auto cost) {
      using Cost = decltype(cost);
      CHECK(near(Cost::cost(state, tally), before));
      CHECK(near(Cost::joining(state, tally, record(19)), costs(with) - before));
      CHECK(near(Cost::leaving(state, tally, record(out)), costs(without) - before));
      CHECK(near(Cost::replacing(state, tally, record(out), record(19)), costs(replaced) - before));
    };
    if (weighted)
      check(TalliedSquares());
    else
      check(TalliedDeviations());
  }
}
