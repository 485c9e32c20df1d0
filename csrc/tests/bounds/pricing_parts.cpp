// What the search for columns of negative reduced cost is made of, and that it misses no column of
// negative reduced cost of a tiny table.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <set>
#include <vector>

#include "check.hpp"
#include "data.hpp"
#include "odd_sets.hpp"
#include "tokumei/bounds/column_pool.hpp"
#include "tokumei/bounds/completion_bound.hpp"
#include "tokumei/bounds/distance_rows.hpp"
#include "tokumei/bounds/pricing.hpp"
#include "tokumei/bounds/pricing_index.hpp"
#include "tokumei/bounds/pricing_search.hpp"

using namespace tokumei::bounds;

namespace {

using Rows = std::vector<std::size_t>;

double apart(const Data& data, std::size_t a, std::size_t b) {
  double sum = 0.0;
  for (std::size_t j = 0; j < data.columns; ++j) {
    const double by = data.table()(a, j) - data.table()(b, j);
    sum += by * by;
  }
  return sum;
}

TEST(a_pool_keeps_the_best_and_says_what_all_ask_for) {
  ColumnPool pool(2);
  pool.enter({0.3, {4, 1, 2}});
  pool.enter({0.9, {5, 1}});
  pool.enter({0.6, {3, 2}});
  pool.enter({0.1, {0, 3}});
  std::vector<NegativeColumn> found;
  std::vector<DualCorrection> corrections;
  pool.close(found, corrections);
  CHECK(found.size() == 2 && found[0].gain == 0.9 && found[1].gain == 0.6);
  CHECK((found[0].rows == Rows{1, 5}) && (found[1].rows == Rows{2, 3}));
  const double expected[] = {0.05, 0.45, 0.3, 0.3, 0.3 / 3, 0.45};
  CHECK(corrections.size() == 6);
  for (const auto& correction : corrections)
    CHECK(std::abs(correction.amount - expected[correction.row]) < 1e-15 && !correction.on_top);
  pool.close(found, corrections);
  CHECK(found.size() == 2 && corrections.size() == 6);
}

TEST(the_least_of_some_values_are_summed_or_there_are_too_few) {
  Random random(1);
  std::vector<double> room;
  for (int round = 0; round < 100; ++round) {
    const auto values = make_data(random, 1 + random.below(20), 1, random.below(2) * 4).values;
    const std::size_t count = 1 + random.below(values.size());
    const auto least = least_of(values.data(), values.size(), count, room);
    auto sorted = values;
    std::sort(sorted.begin(), sorted.end());
    double sum = 0.0;
    for (std::size_t i = 0; i < count; ++i) sum += sorted[i];
    CHECK(least.sum == sum && least.last == sorted[count - 1]);
    CHECK(std::isinf(least_of(values.data(), 1, 2, room).sum));
  }
  const std::vector<double> duals{-2.0, 1.0};
  CHECK(pricing_margin(3, 2, {duals.data(), 2}) > 0 &&
        pricing_margin(3, 2, {duals.data(), 2}) < 1e-9);
  for (const auto isa : levels()) {
    const std::vector<double> sums{1, 2, 3}, near{0.5, 0.25, 0}, asked{1, 1, 1};
    std::vector<double> out(3);
    tokumei::runtime::dispatch<CompletionBound>(isa, sums.data(), near.data(), asked.data(), 0.5,
                                                2.0, std::size_t{3}, out.data());
    CHECK((out == std::vector<double>{-1.0, -0.75, -0.5}));
  }
}

TEST(distances_among_some_records_are_measured_once) {
  Random random(2);
  const auto data = make_data(random, 20, 5, 0);
  DistanceRows among;
  for (const Rows& rows : {Rows{3, 1, 7}, Rows{0, 19, 5, 6}}) {
    among.choose(data.table(), rows);
    for (const auto isa : levels())
      for (std::size_t i = 0; i < rows.size(); ++i) {
        const auto& from = among.from(i, isa);
        for (std::size_t other = 0; other < rows.size(); ++other) {
          CHECK(from[other] == apart(data, rows[i], rows[other]));
          CHECK(among.between(i, other) == from[other]);
        }
      }
  }
}

// Every set of k to 2k-1 records that costs less than its dual values, tolls included, by looking
// at all sets.
std::set<Rows> plain_bargains(const Data& data, const std::vector<double>& duals,
                              const OddSets& odd, std::size_t k, double margin) {
  std::set<Rows> negative_columns;
  for (std::size_t set = 0; set < std::size_t{1} << data.rows; ++set) {
    Rows rows;
    for (std::size_t row = 0; row < data.rows; ++row)
      if ((set >> row & 1U) != 0) rows.push_back(row);
    if (rows.size() < k || rows.size() >= 2 * k) continue;
    double reduced = 0.0;
    for (const auto a : rows) {
      reduced -= duals[a];
      for (const auto b : rows)
        if (a < b) reduced += apart(data, a, b) / static_cast<double>(rows.size());
    }
    reduced += odd.toll(rows);
    if (reduced < -margin) negative_columns.insert(rows);
  }
  return negative_columns;
}

TEST(no_bargain_of_a_tiny_table_is_missed) {
  Random random(4);
  for (int round = 0; round < 60; ++round) {
    const std::size_t k = 2 + random.below(2);
    const auto data = make_data(random, 2 * k + random.below(5), 1 + random.below(3), 0);
    std::vector<double> duals(data.rows);
    for (auto& dual : duals) dual = random.uniform() * 0.6;
    const auto raised = without_ties({duals.data(), data.rows});
    for (std::size_t row = 0; row < data.rows; ++row)
      CHECK(raised[row] >= duals[row] && raised[row] <= duals[row] + 2e-5);
    const OddSets odd(random, data.rows, round % 3 == 0 ? 0 : 1 + random.below(12));
    const auto subsets = odd.rows();
    const double margin = pricing_margin(data.columns, k, {duals.data(), data.rows});
    ThreadTeam team(2);
    Run run;
    const PricingIndex index(data.table(), {duals.data(), data.rows}, k, team, run);
    for (const auto isa : levels()) {
      PricingSearch search(data.table(), {duals.data(), data.rows}, {raised.data(), data.rows},
                           index, subsets, k, margin, 100'000, 1000, isa);
      std::vector<NegativeColumn> found;
      std::vector<DualCorrection> corrections;
      for (std::size_t root = 0; root < data.rows; ++root)
        search.from(root, found, corrections, [] {});
      std::set<Rows> negative_columns;
      for (const auto& column : found) CHECK(negative_columns.insert(column.rows).second);
      CHECK(negative_columns == plain_bargains(data, duals, odd, k, margin));
    }
  }
}

}  // namespace
