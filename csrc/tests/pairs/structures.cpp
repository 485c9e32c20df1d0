// Trees, graphs and equal rows against their plain definitions.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "check.hpp"
#include "data.hpp"
#include "tokumei/pairs/distinct.hpp"
#include "tokumei/pairs/graphs.hpp"
#include "tokumei/pairs/trees.hpp"

using namespace tokumei::pairs;

namespace {

TEST(trees_are_summed_as_defined) {
  Random random(1);
  for (int round = 0; round < 200; ++round) {
    const std::size_t nodes = 1 + random.below(30);
    std::vector<std::int64_t> parents{0}, counts, depths{0};
    for (std::size_t v = 1; v < nodes; ++v) {
      parents.push_back(static_cast<std::int64_t>(random.below(v)));
      depths.push_back(depths[static_cast<std::size_t>(parents[v])] + 1);
    }
    for (std::size_t v = 0; v < nodes; ++v)
      counts.push_back(static_cast<std::int64_t>(random.below(4)));
    double sums[3] = {};
    for (std::size_t a = 0; a < nodes; ++a)
      for (std::size_t b = 0; b < nodes; ++b) {
        std::size_t up = a, down = b;
        double edges = 0;
        while (up != down) {
          auto& deeper = depths[up] >= depths[down] ? up : down;
          deeper = static_cast<std::size_t>(parents[deeper]);
          ++edges;
        }
        const auto times = static_cast<double>(counts[a] * counts[b]);
        sums[1] += times * edges;
        sums[2] += times * edges * edges;
      }
    for (const int power : {1, 2})
      CHECK(tree_distances({parents.data(), nodes}, {counts.data(), nodes}, power) == sums[power]);
  }
}

TEST(shortest_paths_are_shortest) {
  Random random(2);
  for (int round = 0; round < 100; ++round) {
    const std::size_t nodes = 1 + random.below(12);
    const double none = std::numeric_limits<double>::infinity();
    std::vector<std::vector<double>> lengths(nodes, std::vector<double>(nodes, none));
    for (std::size_t a = 0; a < nodes; ++a)
      for (std::size_t b = 0; b < a; ++b)
        if (random.below(3) == 0)
          lengths[a][b] = lengths[b][a] = 1.0 + static_cast<double>(random.below(9));
    std::vector<std::int64_t> starts{0}, targets;
    std::vector<double> weights;
    for (std::size_t a = 0; a < nodes; ++a) {
      for (std::size_t b = 0; b < nodes; ++b)
        if (lengths[a][b] != none) {
          targets.push_back(static_cast<std::int64_t>(b));
          weights.push_back(lengths[a][b]);
        }
      starts.push_back(static_cast<std::int64_t>(targets.size()));
    }
    const Graph graph{{starts.data(), starts.size()},
                      {targets.data(), targets.size()},
                      {weights.data(), weights.size()}};
    for (std::size_t a = 0; a < nodes; ++a) lengths[a][a] = 0;
    for (std::size_t through = 0; through < nodes; ++through)
      for (std::size_t a = 0; a < nodes; ++a)
        for (std::size_t b = 0; b < nodes; ++b)
          lengths[a][b] = std::min(lengths[a][b], lengths[a][through] + lengths[through][b]);
    for (std::size_t source = 0; source < nodes; ++source) {
      std::vector<double> out(nodes);
      shortest_paths(graph, source, {out.data(), nodes});
      CHECK(out == lengths[source]);
    }
  }
}

TEST(equal_rows_share_a_number_in_order_of_occurrence) {
  Random random(3);
  for (int round = 0; round < 100; ++round) {
    const std::size_t rows = 1 + random.below(200), columns = 1 + random.below(3);
    auto data = make_data(random, rows, columns, 3);
    for (auto& value : data.values)
      if (value == 0.0 && random.below(2) == 0) value = -0.0;
    std::vector<std::int64_t> expected(rows), numbers(rows), first(rows);
    std::int64_t found = 0;
    for (std::size_t row = 0; row < rows; ++row) {
      std::size_t other = 0;
      const auto same = [&](std::size_t j) {
        return data.table()(row, j) == data.table()(other, j);
      };
      for (; other < row; ++other) {
        std::size_t j = 0;
        while (j < columns && same(j)) ++j;
        if (j == columns) break;
      }
      expected[row] = other < row ? expected[other] : found++;
    }
    CHECK(distinct_rows(data.table(), {numbers.data(), rows}, {first.data(), rows}) ==
          static_cast<std::size_t>(found));
    CHECK(numbers == expected);
    for (std::int64_t number = 0; number < found; ++number)
      CHECK(first[static_cast<std::size_t>(number)] ==
            std::find(numbers.begin(), numbers.end(), number) - numbers.begin());
    std::vector<std::uint8_t> bytes;
    for (const auto number : expected)
      for (std::size_t i = 0; i < 11; ++i)
        bytes.push_back(static_cast<std::uint8_t>(i == 10 ? number : 7));
    CHECK(distinct_bytes({bytes.data(), bytes.size()}, 11, {numbers.data(), rows},
                         {first.data(), rows}) == static_cast<std::size_t>(found));
    CHECK(numbers == expected);
  }
}

}  // namespace
