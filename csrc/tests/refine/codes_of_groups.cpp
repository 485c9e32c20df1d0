// What codes add to the costs of groups on a state, and to those of groups before there is one,
// against costs by their definitions.
#include "tokumei/refine/codes_of_groups.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "check.hpp"
#include "data.hpp"
#include "setting.hpp"
#include "tokumei/refine/group_categories.hpp"

using namespace tokumei::refine;
using setting::Rows;

namespace {

// A coordinate for each category, times the root of its column's weight; numbers as they are.
Data points_of(const MixedData& mixed) {
  Data points = mixed.numbers;
  for (std::size_t j = 0; j < mixed.weights.size(); ++j)
    for (std::int32_t code = 0; code < 40; ++code, ++points.columns)
      for (std::size_t row = 0; row < points.rows; ++row)
        points.values.push_back(
            mixed.codes[j * points.rows + row] == code ? std::sqrt(mixed.weights[j]) : 0.0);
  return points;
}

bool near(double a, double b) { return std::abs(a - b) <= 1e-10 * (1 + std::abs(b)); }

template <class Cost>
void changes_are_differences(Random& random, InstructionSet isa) {
  const std::size_t k = 2 + random.below(3), n = 4 * k + random.below(20);
  const auto mixed = make_mixed(random, n, 1 + random.below(4), 0);
  const Data points = points_of(mixed);
  std::vector<double> weights;
  if (Cost::weighted)
    for (std::size_t i = 0; i < n; ++i) weights.push_back(0.25 + random.uniform());
  const auto labels = setting::any_groups(random, n, k);
  const std::size_t groups = setting::count_of(labels);
  const auto members = members_of({labels.data(), n}, groups);
  Rows all(groups);
  for (std::size_t group = 0; group < groups; ++group) all[group] = group;
  SearchState<Cost> state(
      records_of(mixed.records(), {weights.data(), weights.size()}, members, all.data(), groups),
      groups, k, 2 * k - 1, nullptr, isa);
  const auto cost = [&](const Rows& rows) { return setting::plain(points, weights, rows, Cost()); };
  const auto rows_of = [&](StateIndex group) {
    Rows rows;
    for (std::size_t m = 0; m < state.size(group); ++m)
      rows.push_back(state.table_rows()[state.members(group)[m]]);
    return rows;
  };
  for (StateIndex group = 0; group < groups; ++group) {
    const Rows rows = rows_of(group);
    CHECK(near(state.cost(group), cost(rows)));
    const auto out = state.members(group)[random.below(rows.size())];
    Rows without = rows;
    without.erase(std::find(without.begin(), without.end(), state.table_rows()[out]));
    if (!without.empty()) CHECK(near(state.leaving(out), cost(without) - cost(rows)));
    const auto in = static_cast<StateIndex>(random.below(n));
    if (state.group_of(in) == group) continue;
    Rows with = rows;
    with.push_back(state.table_rows()[in]);
    CHECK(near(state.joining(in, group), cost(with) - cost(rows)));
  }
  // Taking a trial back brings costs and changes back to the bit.
  const StateIndex first = 0, other = state.members(1)[0];
  const double before = state.total_cost(), leaving = state.leaving(other);
  state.begin();
  state.swap(state.members(first)[0], other);
  state.refresh(first);
  state.refresh(1);
  CHECK(near(state.total_cost() - before, state.change()));
  state.undo();
  CHECK(state.total_cost() == before && state.leaving(other) == leaving);
}

}  // namespace

TEST(costs_of_records_with_codes_are_those_of_their_points) {
  Random random(31);
  for (const auto isa : levels())
    for (int round = 0; round < 40; ++round) {
      changes_are_differences<SquaresOfCodes>(random, isa);
      changes_are_differences<WeightedSquaresOfCodes>(random, isa);
      changes_are_differences<AbsoluteDeviationsOfCodes>(random, isa);
    }
}

TEST(categories_of_groups_know_distances_of_means_and_changes_of_squares) {
  Random random(32);
  for (int round = 0; round < 60; ++round) {
    const auto mixed = make_mixed(random, 24, 1 + random.below(5), 0);
    const Records x = mixed.records();
    Data points = points_of(mixed);
    points.values.erase(points.values.begin(),
                        points.values.begin() +
                            static_cast<std::ptrdiff_t>(24 * mixed.numbers.columns));
    points.columns -= mixed.numbers.columns;
    Rows a, b;
    for (std::size_t row = 0; row < 22; ++row) (random.below(2) == 0 ? a : b).push_back(row);
    if (a.size() < 2 || b.empty()) continue;
    const auto cost = [&](const Rows& rows) { return setting::plain(points, {}, rows, Squares()); };
    const GroupCategories mine(x, a), theirs(x, b);
    double apart = 0.0;
    for (std::size_t j = 0; j < points.columns; ++j) {
      double by = 0.0;
      for (const auto row : a) by += points.table()(row, j) / static_cast<double>(a.size());
      for (const auto row : b) by -= points.table()(row, j) / static_cast<double>(b.size());
      apart += by * by;
    }
    CHECK(near(mine.apart(theirs, x), apart));
    Rows with = a, without(a.begin() + 1, a.end()), replaced = without;
    with.push_back(23);
    replaced.push_back(23);
    CHECK(near(mine.change(x, GroupCategories::nobody, 23), cost(with) - cost(a)));
    CHECK(near(mine.change(x, a[0], GroupCategories::nobody), cost(without) - cost(a)));
    CHECK(near(mine.change(x, a[0], 23), cost(replaced) - cost(a)));
  }
}
