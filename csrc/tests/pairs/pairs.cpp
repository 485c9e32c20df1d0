// Sums of distances over all pairs: against long doubles, and bit by bit on every instruction set.
#include "tokumei/pairs/pairs.hpp"

#include <cmath>
#include <limits>
#include <vector>

#include "check.hpp"
#include "data.hpp"
#include "tokumei/pairs/euclid.hpp"
#include "tokumei/pairs/manhattan.hpp"
#include "tokumei/pairs/manhattan_1d.hpp"
#include "tokumei/pairs/sorted_rows.hpp"

using namespace tokumei::pairs;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

long double distance(Table<double> x, std::size_t i, std::size_t j, double p) {
  long double sum = 0, largest = 0;
  for (std::size_t a = 0; a < x.columns(); ++a)
    largest = std::fmax(largest, std::fabs(static_cast<long double>(x(i, a)) - x(j, a)));
  if (std::isinf(p) || largest == 0) return largest;
  for (std::size_t a = 0; a < x.columns(); ++a)
    sum += std::pow(std::fabs(static_cast<long double>(x(i, a)) - x(j, a)) / largest,
                    static_cast<long double>(p));
  return largest * std::pow(sum, 1 / static_cast<long double>(p));
}

double double_sum(Table<double> x, Column<double> counts, double p, double power) {
  long double total = 0;
  for (std::size_t i = 0; i < x.rows(); ++i)
    for (std::size_t j = 0; j < x.rows(); ++j)
      total +=
          std::pow(distance(x, i, j, p), static_cast<long double>(power)) * counts[i] * counts[j];
  return static_cast<double>(total);
}

bool close(double a, double b) { return std::abs(a - b) <= 1e-13 * std::abs(b); }

struct Weighted {
  Data data;
  std::vector<double> counts;
  Column<double> weights() const { return {counts.data(), counts.size()}; }
};

Weighted make(Random& random, std::size_t rows, std::size_t columns) {
  const double offset = random.below(2) == 0 ? 0.0 : 1e9;
  Weighted made{make_data(random, rows, columns, random.below(2) * 4, offset), {}};
  for (std::size_t row = 0; row < rows; ++row)
    made.counts.push_back(static_cast<double>(1 + random.below(3)));
  return made;
}

TEST(pairs_are_summed_as_defined_on_every_instruction_set) {
  Random random(1);
  // Without vectors everything takes its time.
  const std::vector<std::size_t> sizes = TOKUMEI_VECTOR_LANES
                                             ? std::vector<std::size_t>{1, 2, 7, 17, 70}
                                             : std::vector<std::size_t>{2, 17, 33};
  for (const std::size_t rows : sizes)
    for (const std::size_t columns : {1, 2, 5, 11})
      for (const double p : {1.0, 1.5, 2.0, 2.7, 3.0, 4.0, 40.0, infinity})
        for (const double power : {0.5, 1.0, 2.0, 3.0}) {
          const auto made = make(random, rows, columns);
          const auto table = made.data.table();
          const double expected = double_sum(table, made.weights(), p, power);
          const double first =
              sum_over_pairs(table, made.weights(), p, power, {1, InstructionSet::baseline, {}});
          CHECK(close(first, expected));
          for (const InstructionSet isa : levels())
            CHECK(sum_over_pairs(table, made.weights(), p, power, {3, isa, {}}) == first);
        }
}

// The order of additions that pairs.hpp promises, written as plain loops, for one chunk of rows.
TEST(the_order_of_the_sums_is_the_stated_one) {
  Random random(2);
  const auto data = make_data(random, 60, 3, 0);
  const auto x = data.table();
  DoubleDouble total;
  for (std::size_t i = 0; i < 60; ++i) {
    double lanes[8] = {};
    for (std::size_t j = i + 1; j < 60; ++j) {
      double sum = 0.0;
      for (std::size_t a = 0; a < 3; ++a) sum += std::abs(x(i, a) - x(j, a));
      lanes[j % 8] += sum * sum;
    }
    total.add(((lanes[0] + lanes[1]) + (lanes[2] + lanes[3])) +
              ((lanes[4] + lanes[5]) + (lanes[6] + lanes[7])));
  }
  for (const InstructionSet isa : levels())
    CHECK(sum_over_pairs(x, {}, 1.0, 2.0, {1, isa, {}}) == 2.0 * total.value());
}

TEST(several_chunks_do_not_depend_on_threads) {
  Random random(3);
  for (const std::size_t columns : {1, 3, 40}) {
    const auto data = make_data(random, 700, columns, 0);
    for (const double p : {1.0, 3.0, infinity}) {
      const double one = sum_over_pairs(data.table(), {}, p, 2.0, {1, best_instruction_set(), {}});
      for (const unsigned threads : {2U, 3U, 8U})
        CHECK(sum_over_pairs(data.table(), {}, p, 2.0, {threads, best_instruction_set(), {}}) ==
              one);
    }
  }
}

TEST(extreme_scales_neither_overflow_nor_vanish) {
  for (const double scale : {1e-150, 1e-100, 1.0, 1e100, 1e140}) {
    const std::vector<double> values{1 * scale, 2 * scale, 4 * scale, 0, 0, 3 * scale};
    const Table<double> x(values.data(), 3, 2);
    for (const double p : {1.0, 2.5, 2.7, 3.0, 60.0, infinity})
      CHECK(close(sum_over_pairs(x, {}, p, 1.5, {1, best_instruction_set(), {}}),
                  double_sum(x, {std::vector<double>(3, 1.0).data(), 3}, p, 1.5)));
  }
}

TEST(manhattan_by_splitting_is_manhattan_by_pairs) {
  Random random(4);
  for (const std::size_t rows : {1, 2, 31, 32, 33, 64, 65, 500})
    for (const std::size_t columns : {2, 3, 6})
      for (int round = 0; round < 4; ++round) {
        const auto made = make(random, rows, columns);
        const auto table = made.data.table();
        const double by_pairs =
            sum_over_pairs(table, made.weights(), 1.0, 2.0, {1, best_instruction_set(), {}});
        const double first =
            manhattan_squares(table, made.weights(), {1, InstructionSet::baseline, {}});
        CHECK(close(first, by_pairs));
        for (const InstructionSet isa : levels())
          CHECK(manhattan_squares(table, made.weights(), {3, isa, {}}) == first);
      }
  // Enough records for splits that are made one after the other.
  const auto data = make_data(random, 70'000, 2, 0);
  const double one = manhattan_squares(data.table(), {}, {1, best_instruction_set(), {}});
  CHECK(manhattan_squares(data.table(), {}, {3, InstructionSet::baseline, {}}) == one);
}

TEST(euclid_without_pairs_is_euclid_by_pairs) {
  Random random(5);
  for (const std::size_t rows : {1, 7, 8, 9, 300, 4096, 9000}) {
    const std::size_t columns = rows > 1000 ? 2 : 1 + random.below(5);
    const auto made = make(random, rows, columns);
    std::vector<double> by_row(rows * columns);
    for (std::size_t row = 0; row < rows; ++row)
      for (std::size_t j = 0; j < columns; ++j)
        by_row[row * columns + j] = made.data.table()(row, j);
    const double expected =
        sum_over_pairs(made.data.table(), {}, 2.0, 2.0, {1, best_instruction_set(), {}});
    const TableInPlace down{made.data.values.data(), rows, columns, 1, rows};
    const TableInPlace across{by_row.data(), rows, columns, columns, 1};
    const double first = euclidean_squares(down, {1, InstructionSet::baseline, {}});
    CHECK(close(first, expected));
    for (const InstructionSet isa : levels()) {
      CHECK(euclidean_squares(down, {3, isa, {}}) == first);
      CHECK(euclidean_squares(across, {2, isa, {}}) == first);
    }
  }
}

TEST(numbers_on_a_line_need_no_pairs) {
  Random random(6);
  for (int round = 0; round < 50; ++round) {
    const std::size_t rows = 1 + random.below(40);
    const auto made = make(random, rows, 1);
    const auto order = sorted_rows(made.data.table().column(0));
    std::vector<double> sorted;
    std::vector<std::int64_t> counts;
    for (const std::size_t row : order) {
      sorted.push_back(made.data.values[row]);
      counts.push_back(static_cast<std::int64_t>(made.counts[row]));
    }
    CHECK(close(sum_of_absolute_differences({sorted.data(), rows}, {counts.data(), rows}),
                double_sum(made.data.table(), made.weights(), 1.0, 1.0)));
  }
}

TEST(rows_are_sorted_with_ties_in_their_order) {
  const std::vector<double> values{3, -0.0, 1e-300, 0.0, -7, 3, -1e200, 0.0};
  const std::vector<std::size_t> expected{6, 4, 1, 3, 7, 2, 0, 5};
  CHECK(sorted_rows({values.data(), values.size()}) == expected);
  CHECK(sorted_rows({}).empty());
}

}  // namespace
