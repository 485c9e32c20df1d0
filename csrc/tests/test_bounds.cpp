// What lower bounds are made of, against plain comparison of everything with everything.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "check.hpp"
#include "data.hpp"
#include "tokumei/bounds/lagrangian_bound.hpp"
#include "tokumei/bounds/nearest_sums.hpp"
#include "tokumei/bounds/pricing.hpp"
#include "tokumei/spatial/weighted_neighbour_tree.hpp"

using namespace tokumei::spatial;
using namespace tokumei::bounds;

namespace {

double apart(const Data& data, std::size_t a, std::size_t b) {
  double sum = 0.0;
  for (std::size_t j = 0; j < data.columns; ++j)
    sum += (data.table()(a, j) - data.table()(b, j)) * (data.table()(a, j) - data.table()(b, j));
  return sum;
}

void the_tree_finds_the_least_values_of_all() {
  Random random(7);
  for (std::size_t round = 0; round < 60; ++round) {
    const std::size_t rows = 2 + random.below(round % 10 == 0 ? 1500 : 60);
    const auto data = make_data(random, rows, 1 + random.below(6), round % 3 == 0 ? 4 : 0,
                                round % 4 == 0 ? 1e9 : 0.0);
    ThreadTeam team(2);
    ProgressMonitor watch;
    WeightedNeighbourTree tree(data.table(), team, watch);
    std::vector<double> discounts(rows);
    for (auto& discount : discounts) discount = random.uniform() * (round % 5 == 0 ? 50 : 0.5);
    tree.set_discounts(discounts);
    const std::size_t count = 1 + random.below(std::min<std::size_t>(rows - 1, 12));
    for (const auto isa : levels())
      for (std::size_t place = 0; place < std::min<std::size_t>(rows, 40); ++place) {
        std::vector<double> all;
        for (std::size_t other = 0; other < rows; ++other)
          if (other != place)
            all.push_back(apart(data, tree.row(place), tree.row(other)) - discounts[other]);
        std::sort(all.begin(), all.end());
        std::vector<WeightedNeighbour> found(count);
        tree.find(place, count, found.data(), isa);
        for (std::size_t i = 0; i < count; ++i) CHECK(found[i].value == all[i]);
      }
  }
}

struct Priced {
  std::size_t count;
  std::vector<std::int64_t> groups;
  std::vector<double> relief;
};

Priced priced(const Data& data, const std::vector<double>& prices, std::size_t k, Run run) {
  const std::size_t n = data.rows, kept = 3;
  std::vector<double> sums(n * (2 * k - 1));
  half_nearest_sums(data.table(), {sums.data(), n, 2 * k - 1}, run);
  Priced result{0, std::vector<std::int64_t>(n * kept * (2 * k - 1)), std::vector<double>(n)};
  result.count =
      price(data.table(), {sums.data(), n, 2 * k - 1}, {prices.data(), n}, k, {100, kept},
            {result.groups.data(), n * kept, 2 * k - 1}, {result.relief.data(), n}, run);
  return result;
}

void bargains_do_not_depend_on_threads_or_instructions() {
  Random random(9);
  const auto data = make_data(random, 300, 4, 0);
  std::vector<double> prices(300);
  for (auto& value : prices) value = 0.1 + 0.2 * random.uniform();
  const auto reference = priced(data, prices, 3, {});
  CHECK(reference.count > 100);
  for (const auto isa : levels())
    for (const unsigned threads : {1U, 3U, 8U}) {
      const auto same = priced(data, prices, 3, {threads, isa, {}});
      CHECK(same.count == reference.count);
      CHECK(same.groups == reference.groups);
      CHECK(same.relief == reference.relief);
    }
}

void shares_do_not_depend_on_threads_and_grow_with_sweeps() {
  Random random(11);
  const auto data = make_data(random, 700, 5, 0);
  double last = 0.0;
  for (const std::size_t sweeps : {1U, 5U, 25U}) {
    std::vector<double> shares(700), same(700);
    lagrangian_bound(data.table(), 4, sweeps, {shares.data(), 700}, {});
    lagrangian_bound(data.table(), 4, sweeps, {same.data(), 700}, {4, best_instruction_set(), {}});
    CHECK(shares == same);
    double sum = 0.0;
    for (const double share : shares) sum += share;
    CHECK(sum > last);
    last = sum;
  }
}

}  // namespace

int main() {
  the_tree_finds_the_least_values_of_all();
  bargains_do_not_depend_on_threads_or_instructions();
  shares_do_not_depend_on_threads_and_grow_with_sweeps();
  return check::result();
}
