// Orders of records against their definitions, for every instruction set and several threads.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <numeric>
#include <vector>

#include "check.hpp"
#include "data.hpp"
#include "tokumei/order/axis_order.hpp"
#include "tokumei/order/block_listing.hpp"
#include "tokumei/order/flexdice_order.hpp"
#include "tokumei/order/grid_order.hpp"
#include "tokumei/order/hilbert_order.hpp"

using namespace tokumei::order;

namespace {

using Order = std::vector<std::int64_t>;

OutColumn<std::int64_t> out(Order& order) { return {order.data(), order.size()}; }

bool is_permutation(Order order) {
  std::sort(order.begin(), order.end());
  for (std::size_t i = 0; i < order.size(); ++i)
    if (order[i] != static_cast<std::int64_t>(i)) return false;
  return true;
}

double squared(const Data& data, std::size_t a, std::size_t b) {
  double sum = 0.0;
  for (std::size_t j = 0; j < data.columns; ++j) {
    const double by = data.table()(a, j) - data.table()(b, j);
    sum += by * by;
  }
  return sum;
}

Order plain_grid_order(const Data& data, const Order& counts) {
  const CellGrid grid(data.table(), {counts.data(), counts.size()}, whole_box_lanes(data.columns));
  const auto ring = [&](std::size_t a, std::size_t b) {
    std::int32_t largest = 0;
    for (std::size_t j = 0; j < data.columns; ++j)
      largest = std::max(largest, std::abs(grid.number(data.table()(a, j), j) -
                                           grid.number(data.table()(b, j), j)));
    return largest;
  };
  Run run;
  std::vector<std::size_t> rows(data.rows);
  std::iota(rows.begin(), rows.end(), std::size_t{0});
  Order order;
  for (std::size_t here = farthest_from_mean(data.table(), run);;) {
    order.push_back(static_cast<std::int64_t>(here));
    rows.erase(std::find(rows.begin(), rows.end(), here));
    if (rows.empty()) return order;
    here = *std::min_element(rows.begin(), rows.end(), [&](std::size_t a, std::size_t b) {
      const auto ring_a = ring(here, a), ring_b = ring(here, b);
      return ring_a < ring_b ||
             (ring_a == ring_b && squared(data, here, a) < squared(data, here, b));
    });
  }
}

TEST(test_grid) {
  Random random(1);
  for (const std::size_t levels_of_values : {0U, 2U, 5U})
    for (const std::size_t columns : {1U, 3U, 9U}) {
      const Data data = make_data(random, 250, columns, levels_of_values);
      Order counts(columns, 2);
      counts[0] = 5;
      const auto expected = plain_grid_order(data, counts);
      for (const auto isa : levels()) {
        Order order(data.rows);
        grid_order(data.table(), {counts.data(), columns}, out(order), Run{2, isa});
        CHECK(order == expected);
      }
    }
}

TEST(test_copies_in_one_leaf) {
  Data data{1000, 2, std::vector<double>(2000)};
  for (std::size_t row = 0; row < 1000; ++row) data.values[row] = row % 3 == 0 ? 1.0 : 0.0;
  Order order(1000), counts{1, 1};
  grid_order(data.table(), {counts.data(), 2}, out(order), Run{});
  // The fewer are farther from the mean: 0, 3, 6 ..., then 1, 2, 4, 5 ...
  CHECK(order.front() == 0 && order[333] == 999 && order[334] == 1 && order[335] == 2);
  CHECK(is_permutation(order));
}

TEST(test_flexdice) {
  Random random(2);
  for (const std::size_t columns : {1U, 4U, 20U})
    for (const std::size_t axes : {std::size_t{1}, columns}) {
      const Data data = make_data(random, 1200, columns, columns == 4 ? 6 : 0);
      const FlexDiceRule rule{20, 3, axes};
      Run run;
      const auto graph = flexdice(data.table(), rule, run);
      for (std::size_t at = 0; at < graph.above.size(); ++at) {
        const std::size_t j = at % columns, above = graph.above[at];
        if (above == BlockGraph::none) continue;
        CHECK(graph.below[above * columns + j] == at / columns);
        CHECK(graph.lower[above * columns + j] == graph.upper[at]);
      }
      const auto counts = count_blocks(data.table(), rule, Run{3, best_instruction_set()});
      CHECK(counts.blocks == graph.blocks.size());
      Order expected;
      for (const auto isa : levels())
        for (const unsigned n_threads : {1U, 3U}) {
          Order order(data.rows);
          flexdice_order(data.table(), rule, out(order), Run{n_threads, isa});
          CHECK(is_permutation(order));
          if (expected.empty()) expected = order;
          CHECK(order == expected);
        }
    }
}

TEST(test_hilbert) {
  constexpr std::size_t bits = 3, d = 3, rows = 512;
  Data data{rows, d, std::vector<double>(rows * d)};
  for (std::size_t row = 0; row < rows; ++row)
    for (std::size_t j = 0; j < d; ++j)
      data.values[j * rows + row] = static_cast<double>(row >> j * bits & 7U);
  for (const auto isa : levels()) {
    Order order(rows);
    hilbert_order(data.table(), bits, out(order), Run{2, isa});
    CHECK(is_permutation(order));
    for (std::size_t i = 1; i < rows; ++i)
      CHECK(squared(data, static_cast<std::size_t>(order[i - 1]),
                    static_cast<std::size_t>(order[i])) == 1.0);
  }
}

TEST(test_axes) {
  Random random(3);
  const Data data = make_data(random, 3000, 5, 40, -20.0);
  Order order(data.rows), expected(data.rows);
  std::iota(expected.begin(), expected.end(), std::int64_t{0});
  std::stable_sort(expected.begin(), expected.end(), [&](std::int64_t a, std::int64_t b) {
    return data.values[static_cast<std::size_t>(a)] < data.values[static_cast<std::size_t>(b)];
  });
  column_order(data.table().column(0), out(order), Run{});
  CHECK(order == expected);
  principal_order(data.table(), out(expected), Run{});
  for (const auto isa : levels()) {
    principal_order(data.table(), out(order), Run{3, isa});
    CHECK(is_permutation(order) && order == expected);
  }
}

}  // namespace
