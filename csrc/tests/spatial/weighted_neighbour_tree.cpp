// The nearest after discounts, against plain comparison of everything with everything.
#include "tokumei/spatial/weighted_neighbour_tree.hpp"

#include <algorithm>
#include <cstddef>
#include <vector>

#include "check.hpp"
#include "data.hpp"

using namespace tokumei::spatial;

namespace {

double apart(const Data& data, std::size_t a, std::size_t b) {
  double sum = 0.0;
  for (std::size_t j = 0; j < data.columns; ++j)
    sum += (data.table()(a, j) - data.table()(b, j)) * (data.table()(a, j) - data.table()(b, j));
  return sum;
}

TEST(the_tree_finds_the_least_values_of_all) {
  Random random(7);
  for (std::size_t round = 0; round < 60; ++round) {
    const std::size_t rows = 2 + random.below(round % 10 == 0 ? 1500 : 60);
    const auto data = make_data(random, rows, 1 + random.below(6), round % 3 == 0 ? 4 : 0,
                                round % 4 == 0 ? 1e9 : 0.0);
    ThreadTeam team(2);
    ProgressMonitor monitor;
    WeightedNeighbourTree tree(data.table(), team, monitor);
    std::vector<double> discounts(rows);
    for (auto& discount : discounts) discount = random.uniform() * (round % 5 == 0 ? 50 : 0.5);
    Discounts taken_off;
    tree.discount(discounts, taken_off);
    const std::size_t count = 1 + random.below(std::min<std::size_t>(rows - 1, 12));
    for (const auto isa : levels())
      for (std::size_t place = 0; place < std::min<std::size_t>(rows, 40); ++place) {
        std::vector<double> all;
        for (std::size_t other = 0; other < rows; ++other)
          if (other != place)
            all.push_back(apart(data, tree.row(place), tree.row(other)) - discounts[other]);
        std::sort(all.begin(), all.end());
        std::vector<WeightedNeighbour> found(count);
        tree.find(place, taken_off, count, found.data(), isa);
        for (std::size_t i = 0; i < count; ++i) CHECK(found[i].value == all[i]);
        const double limit = all[random.below(all.size())];
        std::vector<WeightedNeighbour> below;
        tree.find_below(place, taken_off, limit, below, isa);
        std::vector<double> values;
        for (const auto& one : below) {
          CHECK(one.place != place);
          values.push_back(one.value);
        }
        std::sort(values.begin(), values.end());
        CHECK(std::equal(values.begin(), values.end(), all.begin(),
                         std::lower_bound(all.begin(), all.end(), limit)));
      }
  }
}

}  // namespace
