// Shortest paths over an order, by each of the ways of computing them, against trying every cut.
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <vector>

#include "check.hpp"
#include "data.hpp"
#include "plain_cuts.hpp"
#include "tokumei/cut/ordered_records.hpp"
#include "tokumei/cut/prefix_sum_path.hpp"
#include "tokumei/cut/prefix_sum_segments.hpp"
#include "tokumei/cut/prefix_sum_shape.hpp"
#include "tokumei/cut/segments.hpp"
#include "tokumei/cut/short_segments.hpp"
#include "tokumei/cut/shortest_path.hpp"
#include "tokumei/cut/totally_monotone_path.hpp"

using namespace tokumei::cut;

namespace {

Labels identity(std::size_t rows) {
  Labels order(rows);
  std::iota(order.begin(), order.end(), std::int64_t{0});
  return order;
}

// The cost of the path that `previous` describes.
long double cost_of_path(const Data& data, const Labels& order, const Labels& previous,
                         std::size_t k) {
  const auto nodes = nodes_of_path({previous.data(), previous.size()}, k);
  long double total = 0.0L;
  for (std::size_t i = 1; i < nodes.size(); ++i) {
    CHECK(nodes[i] - nodes[i - 1] >= k && nodes[i] - nodes[i - 1] < 2 * k);
    total += cost(data, order, nodes[i - 1], nodes[i]);
  }
  return total;
}

TEST(every_way_finds_a_path_as_short_as_any) {
  Random random(1);
  for (const std::size_t k : {1U, 2U, 3U, 7U, 12U, 20U})
    for (int round = 0; round < 8; ++round) {
      auto data = some_data(random, 2 * k + random.below(6 * k), 1 + random.below(5));
      const auto order = data.columns == 1 ? sorted(data) : identity(data.rows);
      const auto least = least_cut(data, order, k);
      Labels first_short, first_long, first_sorted;
      for (const auto isa : levels())
        for (const unsigned threads : {1U, 3U}) {
          Run run{threads, isa, {}};
          ThreadTeam team(threads);
          Labels previous(data.rows);
          OrderedRecords records(data.table(), {order.data(), data.rows},
                                 short_reach(k, ends_at_once(k)), team);
          ShortSegmentCosts costs(records, k, isa);
          shortest_path(data.rows, k, costs, {previous.data(), data.rows}, run);
          CHECK(as_low(cost_of_path(data, order, previous, k), least));
          if (first_short.empty()) first_short = previous;
          CHECK(previous == first_short);
          prefix_sum_path(data.table(), {order.data(), data.rows}, k, {previous.data(), data.rows},
                          team, run);
          CHECK(as_low(cost_of_path(data, order, previous, k), least));
          if (first_long.empty()) first_long = previous;
          CHECK(previous == first_long);
          if (data.columns > 1) continue;
          std::vector<double> values;
          for (const auto row : order) values.push_back(data.values[static_cast<std::size_t>(row)]);
          values.resize(data.rows + 8, values.back());
          totally_monotone_path(data.rows, k, values.data(), {previous.data(), data.rows}, run);
          CHECK(as_low(cost_of_path(data, order, previous, k), least));
          if (first_sorted.empty()) first_sorted = previous;
          CHECK(previous == first_sorted);
        }
    }
}

TEST(of_equal_paths_the_last_segment_is_the_shortest) {
  const Data data{11, 1, std::vector<double>(19, 2.5)};
  const auto order = identity(11);
  Run run;
  ThreadTeam team(1);
  Labels one(11), other(11), third(11);
  OrderedRecords records(data.table(), {order.data(), 11}, short_reach(3, ends_at_once(3)), team);
  ShortSegmentCosts costs(records, 3, run.isa);
  shortest_path(11, 3, costs, {one.data(), 11}, run);
  prefix_sum_path(data.table(), {order.data(), 11}, 3, {other.data(), 11}, team, run);
  totally_monotone_path(11, 3, data.values.data(), {third.data(), 11}, run);
  for (const auto* previous : {&one, &other, &third})
    CHECK((nodes_of_path({previous->data(), 11}, 3) == std::vector<std::size_t>{0, 5, 8, 11}));
}

TEST(short_segments_cost_what_they_are_defined_to) {
  Random random(2);
  for (const std::size_t k : {1U, 2U, 5U})
    for (const std::size_t columns : {1U, 2U, 3U, 4U, 7U}) {
      const auto data = make_data(random, 30, columns, 0, 1e6);
      const auto order = identity(30);
      ThreadTeam team(1);
      for (const auto isa : levels()) {
        OrderedRecords records(data.table(), {order.data(), 30}, short_reach(k, 30), team);
        CHECK(records.attributes() == columns);
        ShortSegmentCosts costs(records, k, isa);
        constexpr std::size_t stride = 40;
        std::vector<double> out(k * stride);
        costs.fill(1, 30, out.data(), stride);
        for (std::size_t length = k; length < 2 * k; ++length)
          for (std::size_t end = length; end <= 30; ++end) {
            const auto exact = cost(data, order, end - length, end);
            CHECK(std::abs(out[(length - k) * stride + end - 1] - exact) <= 1e-9L * (1 + exact));
          }
      }
    }
}

TEST(segments_from_prefix_sums_reach_every_end_at_its_least) {
  Random random(3);
  constexpr std::size_t k = 6, starts = 5, columns = 3;
  PrefixSumSegments segments(k, starts, columns);
  CHECK(segments.ends() % 8 == 0 && segments.blocks() * 8 == segments.ends());
  const PrefixSumShape shape{k, starts, segments.ends(), columns};
  CHECK(shape.anchor() == starts - 1 && shape.records() == segments.records());
  CHECK(shape.padded_starts() == 8);
  const auto data = make_data(random, segments.records(), columns, 0, 1e3);
  const auto order = identity(data.rows);
  const double* const attributes[] = {data.table().column(0).data(), data.table().column(1).data(),
                                      data.table().column(2).data()};
  // Room for the starts that fill up whole rows.
  std::vector<double> path(8);
  for (std::size_t start = 0; start < starts; ++start) path[start] = random.uniform();
  for (const auto isa : levels()) {
    std::vector<double> best(segments.ends(), std::numeric_limits<double>::infinity());
    Labels from(segments.ends(), -1);
    segments.sum_up(attributes, isa);
    segments.offer(path.data(), 100, best.data(), from.data(), 0, segments.blocks(), isa);
    for (std::size_t end = 0; end < segments.ends(); ++end) {
      long double least = std::numeric_limits<long double>::infinity();
      std::size_t best_start = 0;
      for (std::size_t start = 0; start < starts; ++start) {
        const std::size_t length = k + end - start;
        if (length < k || length >= 2 * k) continue;
        const auto here = path[start] + cost(data, order, start, k + end);
        if (here > least) continue;
        least = here;
        best_start = start;
      }
      if (std::isinf(least)) {
        CHECK(std::isinf(best[end]));
        continue;
      }
      CHECK(std::abs(best[end] - least) <= 1e-9L);
      CHECK(from[end] == static_cast<std::int64_t>(100 + best_start));
    }
  }
}

TEST(ordered_records_are_read_in_their_order_and_zero_outside) {
  Random random(4);
  for (const bool by_rows : {false, true}) {
    const std::size_t rows = 20'000, columns = 3, reach = 50;
    const auto data = make_data(random, rows, columns, 0);
    const tokumei::runtime::RecordTable<double> table(data.values.data(), rows, columns, by_rows);
    Labels order = identity(rows);
    for (std::size_t i = rows; i-- > 1;) std::swap(order[i], order[random.below(i + 1)]);
    ThreadTeam team(3);
    OrderedRecords records(table, {order.data(), rows}, reach, team);
    for (std::ptrdiff_t first = -20; first < 20'000; first += 1 + random.below(40)) {
      const double* const* columns_here = records.from(first);
      for (std::size_t t = 0; t < reach; ++t)
        for (std::size_t j = 0; j < columns; ++j) {
          const auto place = first + static_cast<std::ptrdiff_t>(t);
          const bool outside = place < 0 || place >= 20'000;
          const auto row =
              outside ? 0 : static_cast<std::size_t>(order[static_cast<std::size_t>(place)]);
          CHECK(columns_here[j][t] == (outside ? 0.0 : table.record(row)[j * table.column_step()]));
        }
    }
  }
}

TEST(segments_are_numbered_by_their_lowest_rows) {
  Random random(5);
  for (int round = 0; round < 50; ++round) {
    const std::size_t rows = 1 + random.below(300);
    Labels order = identity(rows);
    for (std::size_t i = rows; i-- > 1;) std::swap(order[i], order[random.below(i + 1)]);
    std::vector<std::size_t> nodes{0};
    while (nodes.back() < rows) nodes.push_back(std::min(rows, nodes.back() + 1 + random.below(9)));
    std::vector<std::size_t> group_of(rows);
    for (std::size_t g = 0; g + 1 < nodes.size(); ++g)
      for (std::size_t place = nodes[g]; place < nodes[g + 1]; ++place)
        group_of[static_cast<std::size_t>(order[place])] = g;
    Labels expected(rows), number(nodes.size(), -1);
    std::int64_t groups = 0;
    for (std::size_t row = 0; row < rows; ++row) {
      auto& own = number[group_of[row]];
      if (own < 0) own = groups++;
      expected[row] = own;
    }
    for (const unsigned threads : {1U, 3U}) {
      ThreadTeam team(threads);
      ProgressMonitor monitor;
      Labels labels(rows, -1);
      label_segments(order.data(), nodes, {labels.data(), rows}, team, monitor);
      CHECK(labels == expected);
    }
  }
}

TEST(lengths_of_paths_are_measured_from_the_shortest) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  std::vector<double> path{5, infinity, 3, 9, 4, 4, 4, 4, 4, 8, 1};
  rebase(path, 10);
  CHECK((path == std::vector<double>{2, infinity, 0, 6, 1, 1, 1, 1, 1, 5, 1}));
  std::vector<double> none(3, infinity);
  rebase(none, 3);
  CHECK(none == std::vector<double>(3, infinity));
}

}  // namespace
