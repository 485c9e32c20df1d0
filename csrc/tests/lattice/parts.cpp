// The parts of the lattice search: levels, row numbers, what is known without looking.
#include <cstdint>
#include <map>
#include <random>
#include <vector>

#include "check.hpp"
#include "tokumei/lattice/classes.hpp"
#include "tokumei/lattice/demands.hpp"
#include "tokumei/lattice/equal_rows.hpp"
#include "tokumei/lattice/frontier.hpp"
#include "tokumei/lattice/lattice.hpp"
#include "tokumei/lattice/levels.hpp"
#include "tokumei/lattice/metric.hpp"
#include "tokumei/lattice/node_check.hpp"
#include "tokumei/lattice/row_numbers.hpp"

using namespace tokumei::lattice;

namespace {

Levels levels_of(const std::vector<std::size_t>& all) {
  Levels levels;
  for (std::size_t j = 0; j < all.size(); ++j) levels = levels.raised(j, all[j]);
  return levels;
}

std::vector<std::size_t> random_levels(std::mt19937_64& chance, std::size_t most) {
  std::vector<std::size_t> levels;
  for (std::size_t j = 0; j < 20; ++j) levels.push_back(chance() % (most + 1));
  return levels;
}

}  // namespace

TEST(levels_compare_like_lists_of_numbers) {
  std::mt19937_64 chance(1);
  for (int i = 0; i < 2000; ++i) {
    const std::size_t most = i % 2 ? 1 : highest_level;
    auto a = random_levels(chance, most), b = random_levels(chance, most);
    if (i % 3 == 0)
      for (std::size_t j = 0; j < 20; ++j) b[j] = std::max(a[j], b[j]);
    const Levels x = levels_of(a), y = levels_of(b);
    bool below = true;
    for (std::size_t j = 0; j < 20; ++j) below = below && a[j] <= b[j];
    CHECK(x.at_or_below(y) == below);
    CHECK((x < y) == (a < b));
    CHECK((x == y) == (a == b));
    CHECK(x[i % 20] == a[i % 20]);
  }
}

TEST(a_level_goes_up_and_down) {
  Levels levels = levels_of({0, 2, 127});
  levels.raise(0);
  levels.lower(1);
  CHECK(levels == levels_of({1, 1, 127}));
}

TEST(equal_rows_have_one_number_whatever_the_codes) {
  std::mt19937_64 chance(2);
  for (const std::size_t columns : {1, 3, 9, 40})
    for (const std::int64_t most : {1, 2, 7, 100000}) {
      constexpr std::size_t n = 300;
      std::vector<std::int64_t> codes(n * columns), found(n);
      for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j < columns; ++j)
          codes[j * n + i] =
              i % 3 == 2 ? codes[j * n + i / 2]
                         : static_cast<std::int64_t>(chance() % static_cast<std::uint64_t>(most));
      const std::size_t kinds = equal_rows({codes.data(), n, columns}, {found.data(), n});
      std::map<std::vector<std::int64_t>, std::int64_t> number;
      for (std::size_t i = 0; i < n; ++i) {
        std::vector<std::int64_t> row;
        for (std::size_t j = 0; j < columns; ++j) row.push_back(codes[j * n + i]);
        number.try_emplace(row, static_cast<std::int64_t>(number.size()));
        CHECK(found[i] == number[row]);
      }
      CHECK(kinds == number.size());
    }
}

TEST(what_is_known_of_a_node_is_known_of_those_below_or_above) {
  Frontier frontier;
  frontier.add_failing(levels_of({1, 2, 0}));
  frontier.add_passing(levels_of({2, 2, 1}));
  CHECK(frontier.fails(levels_of({1, 0, 0})));
  CHECK(!frontier.fails(levels_of({1, 0, 1})));
  CHECK(frontier.passes(levels_of({2, 3, 1})));
  CHECK(!frontier.passes(levels_of({1, 3, 1})));
  frontier.add_failing(levels_of({1, 2, 1}));
  frontier.add_passing(levels_of({2, 0, 0}));
  CHECK(frontier.fails(levels_of({1, 2, 0})));
  CHECK(frontier.passes(levels_of({2, 2, 1})));
  frontier.add_settled(levels_of({0, 1, 1}));
  CHECK(frontier.settled(levels_of({0, 1, 2})));
  CHECK(!frontier.settled(levels_of({2, 1, 0})));
}
