// Orders along a curve, an attribute and the principal axis, for every instruction set.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <vector>

#include "check.hpp"
#include "data.hpp"
#include "farthest.hpp"
#include "orders.hpp"
#include "tokumei/order/axis_order.hpp"
#include "tokumei/order/hilbert_order.hpp"
#include "tokumei/order/path_start.hpp"
#include "tokumei/order/principal_axis.hpp"

using namespace tokumei::order;

namespace {

TEST(the_hilbert_curve_goes_from_cell_to_neighbouring_cell) {
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

TEST(orders_of_an_axis_are_ascending_and_stable) {
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

TEST(a_path_starts_at_the_lowest_row_farthest_from_the_mean) {
  Random random(9);
  for (int round = 0; round < 60; ++round) {
    const auto data = make_data(random, 1 + random.below(300), 1 + random.below(6),
                                random.below(2) * 2, random.below(2) == 0 ? 0.0 : 1e9);
    std::vector<double> mean;
    for (std::size_t j = 0; j < data.columns; ++j)
      mean.push_back(exact_total(data.table().column(j)) / static_cast<double>(data.rows));
    std::vector<std::size_t> all(data.rows);
    std::iota(all.begin(), all.end(), std::size_t{0});
    const std::size_t farthest = exactly_farthest(data.table(), all, all);
    for (const auto isa : levels())
      for (const unsigned threads : {1U, 3U}) {
        Run run{threads, isa, {}};
        ThreadTeam team(threads);
        CHECK(mean_record(data.table(), team, isa, run.monitor) == mean);
        CHECK(farthest_from_mean(data.table(), run) == farthest);
      }
  }
}

// The variance of the records along a direction, times their number.
double spread_along(const Data& data, const PrincipalAxis& axis,
                    const std::vector<double>& direction) {
  double sum = 0.0;
  for (std::size_t row = 0; row < data.rows; ++row) {
    double along = 0.0;
    for (std::size_t j = 0; j < data.columns; ++j)
      along += (data.table()(row, j) - axis.mean[j]) * direction[j];
    sum += along * along;
  }
  return sum;
}

TEST(records_spread_along_no_direction_more_than_along_the_principal_axis) {
  Random random(10);
  for (int round = 0; round < 40; ++round) {
    auto data = make_data(random, 2 + random.below(600), 1 + random.below(6), random.below(2) * 4);
    for (std::size_t row = 0; row < data.rows; ++row) data.values[row] *= 1.5;
    Run run{1, InstructionSet::baseline, {}};
    const auto axis = principal_axis(data.table(), run);
    double length = 0.0;
    std::size_t leading = 0;
    for (std::size_t j = 0; j < data.columns; ++j) {
      length += axis.direction[j] * axis.direction[j];
      if (std::abs(axis.direction[j]) > std::abs(axis.direction[leading])) leading = j;
    }
    CHECK(std::abs(length - 1) < 1e-12 && axis.direction[leading] > 0);
    const double most = spread_along(data, axis, axis.direction);
    for (int trial = 0; trial < 20; ++trial) {
      std::vector<double> other(data.columns);
      double norm = 0.0;
      for (double& component : other) {
        component = random.uniform() - 0.5;
        norm += component * component;
      }
      for (double& component : other) component /= std::sqrt(norm);
      CHECK(spread_along(data, axis, other) <= most * (1 + 1e-12) + 1e-12);
    }
    for (const auto isa : levels()) {
      Run many{3, isa, {}};
      CHECK(principal_axis(data.table(), many).direction == axis.direction);
    }
  }
}

TEST(an_eigenvector_is_turned_by_nothing) {
  Random random(11);
  for (const std::size_t d : {1U, 2U, 5U}) {
    SquareMatrix a{d};
    for (std::size_t i = 0; i < d; ++i)
      for (std::size_t j = i; j < d; ++j)
        a(i, j) = a(j, i) = random.uniform() + (i == j ? 2.0 : 0.0);
    Run run;
    const auto v = largest_eigenvector(a, run);
    std::vector<double> image(d);
    for (std::size_t i = 0; i < d; ++i)
      for (std::size_t j = 0; j < d; ++j) image[i] += a(i, j) * v[j];
    const double value = std::inner_product(v.begin(), v.end(), image.begin(), 0.0);
    for (std::size_t i = 0; i < d; ++i) CHECK(std::abs(image[i] - value * v[i]) < 1e-12);
  }
}

}  // namespace
