// Labels, the members behind them, and what is published of each group.
#include "tokumei/group/labels.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <vector>

#include "check.hpp"
#include "data.hpp"
#include "tokumei/group/aggregate.hpp"
#include "tokumei/group/members.hpp"

using namespace tokumei::group;

namespace {

using Labels = std::vector<std::int64_t>;

Labels some_labels(Random& random, std::size_t rows) {
  Labels labels(rows);
  const std::size_t groups = 1 + random.below(rows);
  for (auto& label : labels) label = static_cast<std::int64_t>(random.below(groups));
  return labels;
}

TEST(groups_are_numbered_by_their_first_records) {
  Random random(1);
  for (int round = 0; round < 100; ++round) {
    auto labels = some_labels(random, 1 + random.below(50));
    std::map<std::int64_t, std::int64_t> name;
    auto expected = labels;
    for (auto& label : expected)
      label = name.emplace(label, static_cast<std::int64_t>(name.size())).first->second;
    CHECK(renumber({labels.data(), labels.size()}) == name.size());
    CHECK(labels == expected);
    CHECK(renumber({labels.data(), labels.size()}) == name.size() && labels == expected);
  }
}

TEST(members_are_labels_turned_round) {
  Random random(2);
  for (int round = 0; round < 100; ++round) {
    const auto labels = some_labels(random, 1 + random.below(50));
    const std::size_t groups = labels.size();  // some of them without records
    const auto members = members_of({labels.data(), labels.size()}, groups);
    const auto sizes = group_sizes({labels.data(), labels.size()}, groups);
    CHECK(members.groups() == groups && members.rows.size() == labels.size());
    for (std::size_t group = 0; group < groups; ++group) {
      std::vector<std::size_t> expected;
      for (std::size_t row = 0; row < labels.size(); ++row)
        if (labels[row] == static_cast<std::int64_t>(group)) expected.push_back(row);
      const std::vector<std::size_t> rows(members.rows.data() + members.starts[group],
                                          members.rows.data() + members.starts[group + 1]);
      CHECK(rows == expected && members.size(group) == rows.size() && sizes[group] == rows.size());
    }
  }
}

TEST(means_of_groups_are_in_row_order_and_zero_without_records) {
  const std::vector<double> x{1e9 + 1, 5.0, 1e9 + 2};
  const Labels labels{0, 2, 0};
  int pauses = 0;
  const auto means = group_means({x.data(), 3}, {labels.data(), 3}, {2, 0, 1}, [&] { ++pauses; });
  CHECK(means[0].value() == 1e9 + 1.5 && means[1].value() == 0.0 && means[2].value() == 5.0);
  CHECK(pauses > 0);
}

TEST(every_record_is_replaced_by_what_stands_for_its_group) {
  Random random(3);
  for (int round = 0; round < 60; ++round) {
    const auto data = make_data(random, 1 + random.below(40), 1 + random.below(4),
                                random.below(2) * 5, random.below(2) == 0 ? 0.0 : 1e6);
    auto labels = some_labels(random, data.rows);
    const std::size_t groups = renumber({labels.data(), data.rows});
    std::vector<double> weights(data.rows);
    for (auto& weight : weights) weight = 0.1 + random.uniform();
    const Column<std::int64_t> view(labels.data(), data.rows);
    const auto out = [&](std::vector<double>& values) {
      values.assign(data.values.size(), -1.0);
      return OutTable<double>(values.data(), data.rows, data.columns);
    };
    for (const unsigned threads : {1U, 3U}) {
      const Run run{threads, best_instruction_set(), {}};
      std::vector<double> means, weighted, medians;
      aggregate_means(data.table(), view, groups, out(means), run);
      aggregate_weighted_means(data.table(), view, {weights.data(), data.rows}, groups,
                               out(weighted), run);
      aggregate_medians(data.table(), view, groups, out(medians), run);
      for (std::size_t j = 0; j < data.columns; ++j)
        for (std::size_t row = 0; row < data.rows; ++row) {
          std::vector<double> values;
          long double sum = 0, mass = 0, heavy = 0;
          for (std::size_t other = 0; other < data.rows; ++other) {
            if (labels[other] != labels[row]) continue;
            const double value = data.table()(other, j);
            values.push_back(value);
            sum += value;
            mass += weights[other];
            heavy += static_cast<long double>(weights[other]) * value;
          }
          std::sort(values.begin(), values.end());
          const std::size_t at = j * data.rows + row, half = values.size() / 2;
          const double median =
              values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
          const auto count = static_cast<long double>(values.size());
          CHECK(std::abs(means[at] - sum / count) <= 1e-15L * std::abs(sum / count) + 1e-18L);
          CHECK(std::abs(weighted[at] - heavy / mass) <= 1e-14L * (1 + std::abs(heavy / mass)));
          CHECK(medians[at] == median);
        }
    }
  }
}

}  // namespace
