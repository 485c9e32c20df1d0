// Tolls that are counted one record at a time, against counting anew.
#include "tokumei/bounds/subset_rows.hpp"

#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

#include "check.hpp"
#include "data.hpp"
#include "odd_sets.hpp"

using namespace tokumei::bounds;

namespace {

std::vector<std::size_t> shuffled(Random& random, std::size_t count) {
  std::vector<std::size_t> rows(count);
  for (std::size_t row = 0; row < count; ++row) rows[row] = row;
  for (std::size_t row = count; row > 1; --row) std::swap(rows[row - 1], rows[random.below(row)]);
  return rows;
}

TEST(a_toll_rises_by_the_sets_that_a_record_makes_most_of) {
  Random random(3);
  for (int round = 0; round < 200; ++round) {
    const std::size_t n = 5 + random.below(8);
    const OddSets odd(random, n, random.below(20));
    const auto rows = odd.rows();
    CHECK(rows.size() == odd.sets.size());
    Toll toll(rows);
    CHECK(toll.none() == odd.sets.empty());
    std::vector<std::size_t> group;
    double sum = 0.0;
    for (const std::size_t row : shuffled(random, n)) {
      sum += toll.rise(row);
      toll.add(row);
      group.push_back(row);
      CHECK(std::abs(sum - odd.toll(group)) <= rows.margin(n));
    }
    while (!group.empty()) {
      const double whole = odd.toll(group);
      toll.take(group.back());
      const double rise = toll.rise(group.back());
      group.pop_back();
      CHECK(std::abs(whole - odd.toll(group) - rise) <= rows.margin(n));
    }
  }
}

TEST(the_parts_of_records_that_join_are_no_more_than_the_toll_rises_by) {
  Random random(5);
  bool any = false;
  for (int round = 0; round < 400; ++round) {
    const std::size_t n = 6 + random.below(6), set = 1 + random.below(3);
    const OddSets odd(random, n, 1 + random.below(15));
    const auto rows = odd.rows();
    Toll toll(rows);
    auto order = shuffled(random, n);
    order.resize(set + 1 + random.below(n - set));
    const std::vector<std::size_t> begin(order.begin(), order.begin() + static_cast<long>(set));
    for (const std::size_t row : begin) toll.add(row);
    double parts = 0.0;
    for (std::size_t i = set; i < order.size(); ++i)
      parts += toll.part(order[i], order.size() - set);
    CHECK(parts <= odd.toll(order) - odd.toll(begin) + rows.margin(n));
    any |= parts > 0.1;
  }
  CHECK(any);
}

}  // namespace
