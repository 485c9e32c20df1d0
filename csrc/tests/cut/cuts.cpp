// Cuts and the univariate optimum against every way of cutting, for every instruction set and
// several threads.
#include "tokumei/cut/cut.hpp"

#include <cstdint>
#include <numeric>
#include <utility>

#include "check.hpp"
#include "data.hpp"
#include "plain_cuts.hpp"
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
      univariate({data.values.data(), data.rows}, k, out, run);
    });
    CHECK(as_low(cost_of(data, order, labels, k), least_cut(data, order, k)));
  }
}

TEST(cuts_and_partitions_of_one_attribute_are_the_best_there_are) {
  for (const std::size_t k : sizes_of_groups) {
    cuts_are_the_best_there_are(k);
    no_partition_of_one_attribute_is_better(k);
  }
}

}  // namespace
