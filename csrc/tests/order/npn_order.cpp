// The nearest-point-next path against its definition, for every instruction set and several
// threads.
#include "tokumei/order/npn_order.hpp"

#include <cstdint>
#include <numeric>
#include <vector>

#include "check.hpp"
#include "data.hpp"
#include "farthest.hpp"

using namespace tokumei::order;

namespace {

double squared(const Data& data, std::size_t row, const std::vector<double>& point) {
  double sum = 0.0;
  for (std::size_t j = 0; j < data.columns; ++j) {
    const double by = data.table()(row, j) - point[j];
    sum += by * by;
  }
  return sum;
}

std::vector<std::int64_t> plain_path(const Data& data) {
  std::vector<std::size_t> all(data.rows);
  std::iota(all.begin(), all.end(), std::size_t{0});
  std::vector<double> here(data.columns);
  std::vector<char> visited(data.rows);
  std::vector<std::int64_t> path;
  while (path.size() < data.rows) {
    std::size_t next = path.empty() ? exactly_farthest(data.table(), all, all) : data.rows;
    for (std::size_t row = 0; row < data.rows && !path.empty(); ++row)
      if (!visited[row] &&
          (next == data.rows || squared(data, row, here) < squared(data, next, here)))
        next = row;
    path.push_back(static_cast<std::int64_t>(next));
    visited[next] = 1;
    for (std::size_t j = 0; j < data.columns; ++j) here[j] = data.table()(next, j);
  }
  return path;
}

void compare(const Data& data) {
  const auto expected = plain_path(data);
  for (const auto isa : levels())
    for (const unsigned threads : {1U, 3U}) {
      std::vector<std::int64_t> order(data.rows, -1);
      npn_order(data.table(), {order.data(), data.rows}, Run{threads, isa, {}});
      CHECK(order == expected);
    }
}

}  // namespace

TEST(the_path_is_its_definition_on_any_number_of_threads) {
  Random random(13);
  for (int round = 0; round < 60; ++round)
    compare(make_data(random, 1 + random.below(80), 1 + random.below(9), random.below(5),
                      random.below(2) == 0 ? 0.0 : 1e9));
  for (const std::size_t levels_of_values : {0U, 2U, 12U})
    compare(make_data(random, 4'500, 3, levels_of_values));
  // So many records that threads build the store.
  const auto data = make_data(random, 40'000, 2, 30);
  std::vector<std::int64_t> one(data.rows), many(data.rows);
  npn_order(data.table(), {one.data(), data.rows}, Run{1, best_instruction_set(), {}});
  npn_order(data.table(), {many.data(), data.rows}, Run{4, InstructionSet::baseline, {}});
  CHECK(one == many);
}

TEST(equal_records_follow_one_another_unless_others_are_as_near) {
  // Every number is there several times, and those of one pair differ by nothing when squared.
  Random random(14);
  for (const double apart : {1.0, 1e-200}) {
    Data data = make_data(random, 90, 2, 0);
    for (std::size_t row = 0; row < data.rows; ++row) {
      const std::size_t point = row * 7 % 15;
      data.values[row] =
          point < 2 ? apart * static_cast<double>(point) : static_cast<double>(3 + 2 * point);
      data.values[data.rows + row] = static_cast<double>(point / 3);
    }
    compare(data);
  }
}
