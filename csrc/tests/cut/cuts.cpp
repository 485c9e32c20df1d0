// Cuts and the univariate optimum against every way of cutting, for every instruction set and
// several threads.
#include "tokumei/cut/cut.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <utility>
#include <vector>

#include "check.hpp"
#include "data.hpp"
#include "plain_cuts.hpp"
#include "tokumei/cut/median_path.hpp"
#include "tokumei/cut/univariate.hpp"

using namespace tokumei::cut;

namespace {

void cuts_are_the_best_there_are(std::size_t k) {
  Random random(k);
  for (int round = 0; round < 12; ++round) {
    const auto data = some_data(random, some_rows(random, k), 1 + random.below(5));
    Labels order(data.rows);
    std::iota(order.begin(), order.end(), std::int64_t{0});
    for (std::size_t i = data.rows; i-- > 1;) std::swap(order[i], order[random.below(i + 1)]);
    const auto labels = labels_of(data.rows, [&](auto out, Run run) {
      cut(data.table(), {order.data(), data.rows}, k, out, run);
    });
    CHECK(as_low(cost_of(data, order, labels, k), least_cut(data, order, k)));
  }
}

void no_partition_of_one_attribute_is_better(std::size_t k) {
  Random random(100 + k);
  for (int round = 0; round < 12; ++round) {
    const auto data = some_data(random, some_rows(random, k), 1);
    const auto order = sorted(data);
    const auto labels = labels_of(data.rows, [&](auto out, Run run) {
      univariate({data.values.data(), data.rows}, k, Cost::squares, out, run);
    });
    CHECK(as_low(cost_of(data, order, labels, k), least_cut(data, order, k)));
  }
}

// Sums of deviations from the medians, of the best cut of sorted values into groups of k to 2k-1.
double least_deviations(const std::vector<double>& sorted, std::size_t k) {
  const std::size_t n = sorted.size();
  const auto deviations = [&](std::size_t begin, std::size_t end) {
    double sum = 0.0;
    for (std::size_t i = begin; i < end; ++i)
      sum += std::abs(sorted[i] - sorted[(begin + end) / 2]);
    return sum;
  };
  if (n < 2 * k) return deviations(0, n);
  std::vector<double> least(n + 1, std::numeric_limits<double>::infinity());
  least[0] = 0.0;
  for (std::size_t end = k; end <= n; ++end)
    for (std::size_t length = k; length < 2 * k && length <= end; ++length)
      least[end] = std::min(least[end], least[end - length] + deviations(end - length, end));
  return least[n];
}

void no_partition_of_one_attribute_deviates_less(std::size_t k) {
  Random random(200 + k);
  for (int round = 0; round < 12; ++round) {
    const auto data = some_data(random, some_rows(random, k), 1);
    const auto labels = labels_of(data.rows, [&](auto out, Run run) {
      univariate({data.values.data(), data.rows}, k, Cost::absolute, out, run);
    });
    std::vector<std::vector<double>> groups(data.rows);
    for (std::size_t row = 0; row < data.rows; ++row)
      groups[static_cast<std::size_t>(labels[row])].push_back(data.values[row]);
    double cost = 0.0;
    for (auto& group : groups) {
      if (group.empty()) continue;
      CHECK(group.size() >= k);
      std::sort(group.begin(), group.end());
      for (const double value : group) cost += std::abs(value - group[group.size() / 2]);
    }
    auto sorted_values = data.values;
    std::sort(sorted_values.begin(), sorted_values.end());
    const double least = least_deviations(sorted_values, k);
    CHECK(cost <= least * (1.0 + 1e-12) + 1e-12 * std::abs(sorted_values.back()));
  }
}

TEST(cuts_and_partitions_of_one_attribute_are_the_best_there_are) {
  for (const std::size_t k : sizes_of_groups) {
    cuts_are_the_best_there_are(k);
    no_partition_of_one_attribute_is_better(k);
    no_partition_of_one_attribute_deviates_less(k);
  }
}

TEST(deviations_from_medians_survive_neighbours_far_away) {
  const std::vector<double> x{-1e12, 1.0, 1.5, 3.0, 1e9, 1e9 + 1.0, 1e9 + 4.0};
  MedianCosts costs(x.size());
  costs.sum_up(x.data(), x.size());
  CHECK(costs.cost(1, 4) == 2.0 && costs.cost(4, 7) == 4.0 && costs.cost(1, 3) == 0.5);
  CHECK(costs.cost(2, 3) == 0.0);
}

TEST(values_of_any_size_are_brought_near_one) {
  CHECK(scale_of_range(0.0, 0.0) == 1.0 && scale_of_range(-5.0, 1e9) == 1.0);
  for (const double range : {1e-300, 1e-150, 1e150, 1e300}) {
    const double scaled = range * scale_of_range(0.0, range);
    CHECK(scaled > 1e-10 && scaled < 1e10);
  }
  CHECK(scale_of_range(-1e308, 1e308) > 0.0);
  Random random(9);
  for (const double size : {1e-200, 1e200}) {
    auto data = make_data(random, 40, 1, 0);
    const auto expected = labels_of(40, [&](auto out, Run run) {
      univariate({data.values.data(), 40}, 3, Cost::squares, out, run);
    });
    for (double& value : data.values) value *= size;
    CHECK(labels_of(40, [&](auto out, Run run) {
            univariate({data.values.data(), 40}, 3, Cost::squares, out, run);
          }) == expected);
  }
}

TEST(sorted_values_have_equal_ones_on_both_sides) {
  const std::vector<double> x{3.0, 1.0, 2.0};
  const std::vector<std::uint64_t> order{1, 2, 0};
  ThreadTeam team(1);
  ProgressMonitor monitor;
  SortedValues values({x.data(), 3}, order.data(), 1.0, 2, team, monitor);
  const double* read = values.from(-2)[0];
  CHECK((std::vector<double>(read, read + 7) == std::vector<double>{1, 1, 1, 2, 3, 3, 3}));
  CHECK(values.attributes() == 1 && values.from(1)[0][0] == 2.0);
}

TEST(fewer_than_two_groups_are_one) {
  const std::vector<double> x{3.0, 1.0, 2.0};
  Labels labels(3, -1);
  const Labels order{2, 0, 1};
  cut(tokumei::runtime::Table<double>(x.data(), 3, 1), {order.data(), 3}, 2, {labels.data(), 3},
      Run{});
  CHECK((labels == Labels{0, 0, 0}));
}

}  // namespace
