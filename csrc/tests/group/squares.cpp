// Sums of squares: identities that hold for any data, far from zero too, and for any number of
// threads.
#include "tokumei/group/sums_of_squares.hpp"

#include <cmath>
#include <cstdint>
#include <vector>

#include "check.hpp"
#include "data.hpp"
#include "tokumei/group/aggregate.hpp"

using namespace tokumei::group;

namespace {

Run threads(unsigned count) { return {count, best_instruction_set(), {}}; }

bool close(double a, double b) { return std::abs(a - b) <= 1e-12 * std::abs(b); }

TEST(within_and_between_make_the_total) {
  Random random(3);
  for (int round = 0; round < 100; ++round) {
    const std::size_t rows = 2 + random.below(200), columns = 1 + random.below(6);
    const std::size_t groups = 1 + random.below(rows);
    // Whole numbers are exact at any offset, so the total may not change with it.
    const auto near = make_data(random, rows, columns, 1000);
    auto far = near;
    for (auto& value : far.values) value += 1e9;
    std::vector<std::int64_t> labels(rows);
    for (auto& label : labels) label = static_cast<std::int64_t>(random.below(groups));
    const Column<std::int64_t> view{labels.data(), rows};
    const double within = sse(near.table(), view, groups, Run{});
    const double total = sst(near.table(), Run{});
    CHECK(close(sse(far.table(), view, groups, threads(3)), within));
    CHECK(close(sst(far.table(), threads(3)), total));
    std::vector<double> means(near.values.size());
    aggregate_means(near.table(), view, groups, {means.data(), rows, columns}, threads(2));
    const double between = sst({means.data(), rows, columns}, Run{});
    CHECK(close(within + between, total));
  }
}

TEST(standardized_attributes_have_mean_zero_and_variance_one) {
  Random random(4);
  const auto data = make_data(random, 500, 3, 0, 1e9);
  std::vector<double> out(data.values.size());
  standardize(data.table(), {out.data(), data.rows, data.columns}, threads(2));
  for (std::size_t j = 0; j < data.columns; ++j) {
    const Column<double> column{out.data() + j * data.rows, data.rows};
    CHECK(std::abs(exact_mean({column.data(), column.size()}, best_instruction_set()).high) <
          1e-15);
    CHECK(close(sst({column.data(), data.rows, 1}, Run{}), 500.0));
  }
}

}  // namespace
