// Minimal sample uniques against a search through all sets of columns and all pairs of records.
#include "tokumei/pairs/special_uniques.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "check.hpp"
#include "data.hpp"
#include "tokumei/pairs/code_columns.hpp"
#include "tokumei/pairs/minimal_uniques.hpp"
#include "tokumei/pairs/refinement.hpp"
#include "watched.hpp"

using namespace tokumei::pairs;

namespace {

struct Coded {
  std::size_t rows, columns;
  std::vector<std::int64_t> codes;
  std::vector<std::uint8_t> several;
  Table<std::int64_t> table() const { return {codes.data(), rows, columns}; }
  Column<std::uint8_t> flags() const { return {several.data(), rows}; }
};

// Rows that differ; each column has its own number of categories.
Coded distinct_rows(Random& random, std::size_t most, std::size_t columns, bool missing) {
  std::set<std::vector<std::int64_t>> rows;
  std::vector<std::size_t> levels(columns);
  for (auto& level : levels) level = 1 + random.below(random.below(4) == 0 ? 400 : 5);
  for (std::size_t i = 0; i < most; ++i) {
    std::vector<std::int64_t> row(columns);
    for (std::size_t j = 0; j < columns; ++j)
      row[j] = static_cast<std::int64_t>(random.below(levels[j])) -
               (missing && random.below(8) == 0 ? 1 : 0);
    rows.insert(row);
  }
  Coded made{rows.size(), columns, std::vector<std::int64_t>(rows.size() * columns), {}};
  std::size_t at = 0;
  for (const auto& row : rows) {
    for (std::size_t j = 0; j < columns; ++j) made.codes[j * made.rows + at] = row[j];
    ++at;
  }
  for (std::size_t row = 0; row < made.rows; ++row) made.several.push_back(random.below(4) == 0);
  return made;
}

using Sets = std::map<std::size_t, std::set<std::uint64_t>>;  // of each row

bool alone(const Coded& data, std::size_t row, std::uint64_t set) {
  if (data.several[row] != 0) return false;
  for (std::size_t j = 0; j < data.columns; ++j)
    if ((set >> j & 1) != 0 && data.table()(row, j) < 0) return false;
  for (std::size_t other = 0; other < data.rows; ++other) {
    bool agrees = other != row;
    for (std::size_t j = 0; j < data.columns && agrees; ++j)
      agrees = (set >> j & 1) == 0 || data.table()(row, j) == data.table()(other, j);
    if (agrees) return false;
  }
  return true;
}

Sets by_all_sets(const Coded& data, std::size_t largest) {
  Sets found;
  for (std::uint64_t set = 1; set < std::uint64_t{1} << data.columns; ++set) {
    std::size_t size = 0;
    for (std::size_t j = 0; j < data.columns; ++j) size += set >> j & 1;
    if (size > largest) continue;
    for (std::size_t row = 0; row < data.rows; ++row) {
      bool minimal = alone(data, row, set);
      for (std::uint64_t part = (set - 1) & set; part != 0 && minimal; part = (part - 1) & set)
        minimal = !alone(data, row, part);
      if (minimal) found[row].insert(set);
    }
  }
  return found;
}

Sets by_search(const Coded& data, std::size_t largest) {
  Sets found;
  Run run;
  each_minimal_unique(
      data.table(), data.flags(), largest,
      [&](std::size_t row, const std::vector<std::size_t>& columns) {
        std::uint64_t set = 0;
        for (const auto j : columns) set |= std::uint64_t{1} << j;
        CHECK(found[row].insert(set).second);
      },
      run);
  return found;
}

}  // namespace

TEST(the_search_finds_the_minimal_uniques_that_all_sets_have) {
  Random random(1);
  for (int round = 0; round < 1500; ++round) {
    const auto data =
        distinct_rows(random, 1 + random.below(40), 1 + random.below(6), random.below(2) == 0);
    const std::size_t largest = 1 + random.below(7);
    CHECK(by_search(data, largest) == by_all_sets(data, largest));
  }
}

TEST(one_record_is_alone_in_each_column_that_is_not_missing) {
  const Coded one{1, 3, {4, -1, 0}, {0}}, many{1, 3, {4, -1, 0}, {1}};
  CHECK((by_search(one, 2) == Sets{{0, {1, 4}}}));
  CHECK(by_search(many, 2).empty());
}

TEST(counts_are_those_of_the_sets_that_are_visited) {
  Random random(2);
  for (int round = 0; round < 200; ++round) {
    const auto data = distinct_rows(random, 30, 1 + random.below(5), false);
    const std::size_t largest = 1 + random.below(data.columns);
    std::vector<std::int64_t> of_rows(data.rows * largest), of_columns(data.columns * largest);
    special_uniques(data.table(), data.flags(), {of_rows.data(), data.rows, largest},
                    {of_columns.data(), data.columns, largest}, Run{});
    for (const auto& [row, sets] : by_all_sets(data, largest))
      for (const auto set : sets) {
        std::size_t size = 0;
        for (std::size_t j = 0; j < data.columns; ++j) size += set >> j & 1;
        --of_rows[(size - 1) * data.rows + row];
        for (std::size_t j = 0; j < data.columns; ++j)
          if ((set >> j & 1) != 0) --of_columns[(size - 1) * data.columns + j];
      }
    const auto zero = [](std::int64_t count) { return count == 0; };
    CHECK(std::all_of(of_rows.begin(), of_rows.end(), zero));
    CHECK(std::all_of(of_columns.begin(), of_columns.end(), zero));
  }
}

TEST(columns_stand_in_the_order_of_their_categories_and_keep_their_codes) {
  std::vector<std::int64_t> codes;
  for (const std::int64_t size : {70000, 300, 2})
    for (std::int64_t row = 0; row < 70000; ++row) codes.push_back(row % size - (row == 5));
  const CodeColumns columns({codes.data(), 70000, 3});
  for (std::size_t j = 0; j < 3; ++j) {
    CHECK(columns.source(j) == 2 - j);
    columns.with(j, [&](const auto* narrow) {
      for (std::size_t row = 0; row < 70000; ++row)
        CHECK(static_cast<std::int64_t>(narrow[row]) == codes[columns.source(j) * 70000 + row] + 1);
    });
  }
}

TEST(classes_without_a_single_record_are_left_behind) {
  const std::vector<std::int64_t> codes{0, 0, 1, 1, 2, 2};
  const std::vector<std::uint8_t> several{1, 1, 0, 1, 0, 0};
  const CodeColumns columns({codes.data(), 6, 1});
  Refinement refinement(columns);
  Classes to;
  refinement.refine(all_in_one({several.data(), 6}), 0, &to, [](std::size_t) {}, [] {});
  CHECK((to.members == std::vector<std::size_t>{4, 7, 8, 10}));
  CHECK((to.starts == std::vector<std::size_t>{0, 2, 4}));
}

TEST(a_search_is_left_when_its_monitor_says_so) {
  Random random(3);
  const auto data = distinct_rows(random, 20000, 8, false);
  Asked asked;
  asked.answer = false;
  Run run{1, InstructionSet::baseline, ProgressMonitor(ask, &asked)};
  wait_a_while();
  CHECK_THROWS(Interrupted, each_minimal_unique(
                                data.table(), data.flags(), 4,
                                [](std::size_t, const std::vector<std::size_t>&) {}, run));
  CHECK(asked.times == 1);
}
