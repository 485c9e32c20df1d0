// The grid path against its definition, and the cells and rings that it goes by.
#include "tokumei/order/grid_order.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <string>
#include <vector>

#include "check.hpp"
#include "data.hpp"
#include "orders.hpp"
#include "tokumei/order/cell_grid.hpp"
#include "tokumei/order/cell_window.hpp"
#include "tokumei/order/path_start.hpp"

using namespace tokumei::order;

namespace {

Order plain_grid_order(const Data& data, const Order& counts) {
  const CellGrid grid(data.table(), {counts.data(), counts.size()});
  const auto ring = [&](std::size_t a, std::size_t b) {
    std::int32_t largest = 0;
    for (std::size_t j = 0; j < data.columns; ++j)
      largest = std::max(largest, std::abs(grid.number(data.table()(a, j), j) -
                                           grid.number(data.table()(b, j), j)));
    return largest;
  };
  Run run;
  return plain_path(data, farthest_from_mean(data.table(), run),
                    [&](std::size_t here, std::size_t a, std::size_t b) {
                      const auto ring_a = ring(here, a), ring_b = ring(here, b);
                      return ring_a < ring_b ||
                             (ring_a == ring_b && squared(data, here, a) < squared(data, here, b));
                    });
}

TEST(the_grid_path_is_its_definition) {
  Random random(1);
  for (const std::size_t levels_of_values : {0U, 2U, 5U})
    for (const std::size_t columns : {1U, 3U, 9U}) {
      const Data data = make_data(random, 250, columns, levels_of_values);
      Order counts(columns, levels_of_values == 5 ? 40 : 2);
      counts[0] = 5;
      const auto expected = plain_grid_order(data, counts);
      for (const auto isa : levels()) {
        Order order(data.rows);
        grid_order(data.table(), {counts.data(), columns}, out(order), Run{2, isa});
        CHECK(order == expected);
      }
    }
}

TEST(copies_are_visited_one_after_the_other) {
  Data data{1000, 2, std::vector<double>(2000)};
  for (std::size_t row = 0; row < 1000; ++row) data.values[row] = row % 3 == 0 ? 1.0 : 0.0;
  Order order(1000), counts{1, 1};
  grid_order(data.table(), {counts.data(), 2}, out(order), Run{});
  // The fewer are farther from the mean: 0, 3, 6 ..., then 1, 2, 4, 5 ...
  CHECK(order.front() == 0 && order[333] == 999 && order[334] == 1 && order[335] == 2);
  CHECK(is_permutation(order));
}

using Cell = std::vector<std::int32_t>;

Cell cell_of(const CellGrid& grid, const Data& data, std::size_t row) {
  Cell cell;
  for (std::size_t j = 0; j < data.columns; ++j)
    cell.push_back(grid.number(data.table()(row, j), j));
  return cell;
}

TEST(cells_are_equal_parts_of_the_range) {
  Random random(5);
  for (int round = 0; round < 40; ++round) {
    const auto data = make_data(random, 60, 1 + random.below(9), random.below(2) * 5);
    Order counts(data.columns);
    for (auto& count : counts)
      count = static_cast<std::int64_t>(1 + random.below(1U << random.below(31)));
    const CellGrid grid(data.table(), {counts.data(), data.columns});
    for (std::size_t j = 0; j < data.columns; ++j) {
      const auto column = data.table().column(j);
      const auto [least, most] = std::minmax_element(column.begin(), column.end());
      for (const double x : column) {
        const double whole =
            std::floor((x - *least) * (static_cast<double>(counts[j]) / (*most - *least)));
        const auto last = static_cast<double>(counts[j] - 1);
        CHECK(grid.number(x, j) == (*most > *least ? std::min(last, whole) : 0.0));
      }
    }
    // Every cell that holds records is one block, its rows ascending.
    std::map<Cell, std::vector<std::size_t>> cells;
    for (std::size_t row = 0; row < data.rows; ++row)
      cells[cell_of(grid, data, row)].push_back(row);
    ProgressMonitor monitor;
    const auto blocks = grid.blocks(data.table(), monitor);
    CHECK(blocks.size() == cells.size());
    for (std::size_t b = 0; b < blocks.size(); ++b) {
      const std::vector<std::size_t> rows(&blocks.rows[blocks.borders[b]],
                                          blocks.rows.data() + blocks.borders[b + 1]);
      CHECK(rows == cells[cell_of(grid, data, rows.front())]);
    }
  }
}

TEST(a_value_is_in_the_box_of_some_rings_if_its_cell_is) {
  Random random(6);
  for (int round = 0; round < 100; ++round) {
    const auto data = troubled(random,
                               std::vector<std::string>{"plain", "ties", "offset", "equal", "tiny",
                                                        "mixed scales"}[random.below(6)],
                               40, 1 + random.below(5));
    const std::size_t d = data.columns;
    Order counts(d);
    for (auto& count : counts)
      count = static_cast<std::int64_t>(1 + random.below(random.below(2) == 0 ? 9 : 1U << 30));
    const CellGrid grid(data.table(), {counts.data(), d});
    CellWindow window(grid, d);
    const auto middle = record_of(data.table(), 0);
    const Cell here = cell_of(grid, data, 0);
    window.centre(middle.data());
    for (std::size_t row = 0; row < data.rows; ++row) {
      const auto record = record_of(data.table(), row);
      const Cell there = cell_of(grid, data, row);
      std::int32_t ring = 0;
      for (std::size_t j = 0; j < d; ++j) ring = std::max(ring, std::abs(here[j] - there[j]));
      CHECK(window.ring_of(record.data()) == ring);
      for (const std::int32_t rings : {0, 1, ring - 1, ring}) {
        if (rings < 0) continue;
        window.open(rings);
        bool inside = true;
        for (std::size_t j = 0; j < d; ++j)
          inside = inside && window.lower()[j] <= record[j] && record[j] <= window.upper()[j];
        CHECK(inside == (ring <= rings));
      }
    }
  }
}

TEST(a_side_of_the_box_is_the_last_number_of_its_cells) {
  Random random(7);
  for (int round = 0; round < 100; ++round) {
    const auto data = make_data(random, 30, 1, 0, random.below(2) == 0 ? 0.0 : 1e9);
    const Order counts{static_cast<std::int64_t>(2 + random.below(50))};
    const CellGrid grid(data.table(), {counts.data(), 1});
    for (std::int32_t m = 1; m < counts[0]; ++m) {
      const double least = grid.least_of(m, 0);
      CHECK(grid.number(least, 0) >= m);
      CHECK(grid.number(std::nextafter(least, -1e300), 0) < m);
    }
    CHECK(grid.least_of(0, 0) < -1e300 &&
          grid.least_of(static_cast<std::int32_t>(counts[0]), 0) > 1e300);
  }
}

}  // namespace
