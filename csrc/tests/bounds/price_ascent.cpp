// Dual values of a pool: who is in which group, prices that are climbed to, prices that are
// settled.
#include "tokumei/bounds/price_ascent.hpp"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "check.hpp"
#include "data.hpp"
#include "tokumei/bounds/pool_columns.hpp"

using namespace tokumei::bounds;

namespace {

// Four records; {0, 1}, {2, 3}, {0, 1, 2}, {1, 2, 3}.
const std::vector<std::int64_t> groups{0, 2, 0, 1, 1, 3, 1, 2, -1, -1, 2, 3};
const std::vector<double> costs{2.0, 4.0, 3.5, 9.0};
const Table<std::int64_t> pool_table{groups.data(), 4, 3};

TEST(a_pool_knows_the_records_of_groups_and_the_groups_of_records) {
  const PoolColumns pool(pool_table, 4);
  CHECK(pool.groups() == 4 && pool.records() == 4 && pool.size(0) == 2 && pool.size(3) == 3);
  CHECK(pool.over_members(2, {1.0, 10.0, 100.0, 1000.0}) == 111.0);
  CHECK(pool.over_groups(1, {1.0, 10.0, 100.0, 1000.0}) == 1101.0);
  std::vector<std::size_t> rows, of;
  pool.each_member(3, [&](std::size_t row) { rows.push_back(row); });
  pool.each_group(2, [&](std::size_t group) { of.push_back(group); });
  CHECK((rows == std::vector<std::size_t>{1, 2, 3}) && (of == std::vector<std::size_t>{1, 2, 3}));
}

TEST(prices_climb_to_the_optimum_of_a_program_known_by_hand) {
  // {0, 1} and {2, 3} cost 6, and prices of 1, 1, 1.5, 2.5 are worth as much.
  const std::vector<double> low(4, -10.0), high(4, 10.0);
  for (const unsigned threads : {1U, 3U}) {
    std::vector<double> prices(4, 0.5), shares(4, 0.25);
    price_ascent(pool_table, {costs.data(), 4}, {low.data(), 4}, {high.data(), 4}, {20'000, 1e-7},
                 {prices.data(), 4}, {shares.data(), 4}, {threads, best_instruction_set(), {}});
    double sum = 0.0;
    for (const double price : prices) sum += price;
    CHECK(std::abs(sum - 6.0) < 1e-5);
    CHECK(std::abs(shares[0] - 1.0) < 1e-4 && std::abs(shares[1] - 1.0) < 1e-4);
  }
}

TEST(settled_prices_are_feasible_and_none_can_rise_alone) {
  Random random(3);
  const PoolColumns pool(pool_table, 4);
  for (int round = 0; round < 50; ++round) {
    std::vector<double> prices(4);
    for (auto& price : prices) price = 4 * random.uniform() - 1;
    settle_prices(pool_table, {costs.data(), 4}, {prices.data(), 4});
    for (std::size_t row = 0; row < 4; ++row) {
      double least = 1.0;
      pool.each_group(row, [&](std::size_t group) {
        least = std::min(least, costs[group] - pool.over_members(group, prices));
      });
      CHECK(std::abs(least) < 1e-12);
    }
  }
}

}  // namespace
