// Groups that break rules exchange records or are merged until none does.
#include "tokumei/refine/repair.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <stdexcept>
#include <vector>

#include "check.hpp"
#include "data.hpp"
#include "setting.hpp"
#include "tokumei/refine/feasibility.hpp"
#include "tokumei/refine/grouping_state.hpp"

using namespace tokumei::refine;
using namespace setting;

namespace {

using Labels = std::vector<std::int64_t>;

GroupingState state_of(const Data& data, const Labels& labels) {
  const std::size_t groups = count_of(labels);
  Rows all(groups);
  for (std::size_t group = 0; group < groups; ++group) all[group] = group;
  return {data.table(), members_of({labels.data(), labels.size()}, groups), all.data(), groups};
}

double squares(const Data& data, const Rows& rows) { return plain(data, {}, rows, Squares()); }

TEST(counting_few_values_finds_the_distance_that_sorting_many_does) {
  Random random(23);
  for (int i = 0; i < 200; ++i) {
    const std::size_t rows = 1 + random.below(60), values = 1 + random.below(9);
    std::vector<std::int64_t> codes(rows);
    for (auto& code : codes) code = static_cast<std::int64_t>(random.below(values));
    GroupRules few, many;
    few.ask_close({codes.data(), rows}, values, false, 0.0);
    many.ask_close({codes.data(), rows}, 1000, false, 0.0);
    std::vector<std::size_t> group;
    for (std::size_t row = 0; row < rows; ++row)
      if (random.below(2) == 0) group.push_back(row);
    if (group.empty()) continue;
    GroupRules::Room room;
    CHECK(few.excess(group.data(), group.size(), room) ==
          many.excess(group.data(), group.size(), room));
  }
}

TEST(exchanges_and_mergers_add_the_squares_that_were_said) {
  Random random(31);
  for (int round = 0; round < 100; ++round) {
    const auto data = any_table(random, 4 + random.below(30), 1 + random.below(4));
    const auto labels = any_groups(random, data.rows, 2);
    auto state = state_of(data, labels);
    if (state.count() < 2) continue;
    const std::size_t group = random.below(state.count());
    const auto near = state.nearest(group, state.count());
    CHECK(near.size() == state.count() - 1 && std::is_sorted(near.begin(), near.end()));
    CHECK(state.nearest(group, 1).size() == 1);
    const double grain = 1e-9 * (1 + squares(data, Rows{0, data.rows - 1}) + 1e3);
    for (const auto& [adds, other] : near) {
      Rows both = state.rows(group);
      const Rows theirs = state.rows(other);
      both.insert(both.end(), theirs.begin(), theirs.end());
      CHECK(std::abs(squares(data, both) - squares(data, state.rows(group)) -
                     squares(data, theirs) - adds) <= grain);
    }
    const std::size_t other = near.front().second;
    const std::size_t out = state.rows(group)[0];
    const std::size_t in = random.below(2) == 0 ? GroupingState::nobody : state.rows(other)[0];
    const double before = squares(data, state.rows(group)) + squares(data, state.rows(other));
    const double by = state.cost_of(group, other, out, in);
    state.exchange(group, other, out, in);
    CHECK(std::abs(squares(data, state.rows(group)) + squares(data, state.rows(other)) - before -
                   by) <= grain);
    CHECK(std::count(state.rows(other).begin(), state.rows(other).end(), out) == 1);
    const std::size_t records = state.rows(group).size() + state.rows(other).size();
    state.merge(group, other);
    CHECK(state.rows(other).empty() && state.rows(group).size() == records);
  }
}

// Codes dealt to records by chance.
Labels some_codes(Random& random, std::size_t rows, std::size_t values) {
  Labels codes(rows);
  for (auto& code : codes) code = static_cast<std::int64_t>(random.below(values));
  renumber({codes.data(), rows});
  return codes;
}

TEST(after_repair_rules_hold_in_every_group_on_any_number_of_threads) {
  Random random(32);
  for (int round = 0; round < 60; ++round) {
    const std::size_t k = 2 + random.below(3);
    const auto data = any_table(random, 10 * k + random.below(80), 1 + random.below(3));
    const auto codes = some_codes(random, data.rows, 4);
    const auto values = static_cast<std::size_t>(*std::max_element(codes.begin(), codes.end())) + 1;
    GroupRules rules;
    rules.ask_distinct({codes.data(), data.rows}, std::min<std::size_t>(2, values));
    if (random.below(2) == 0)
      rules.ask_close({codes.data(), data.rows}, values, random.below(2) == 0, 0.3);
    const auto start = any_groups(random, data.rows, k);
    Labels first;
    for (const unsigned threads : {1U, 3U}) {
      auto labels = start;
      const std::size_t groups = repair(data.table(), {labels.data(), data.rows}, count_of(start),
                                        rules, k, 30, Run{threads, best_instruction_set(), {}});
      CHECK(groups == count_of(labels));
      const auto members = members_of({labels.data(), data.rows}, groups);
      GroupRules::Room room;
      for (std::size_t group = 0; group < groups; ++group) {
        CHECK(members.size(group) >= k);
        CHECK(rules.hold(&members.rows[members.starts[group]], members.size(group), room));
      }
      if (first.empty()) first = labels;
      CHECK(labels == first);
    }
  }
}

TEST(help_never_breaks_more_and_force_ends_with_rules_that_hold) {
  Random random(33);
  for (int round = 0; round < 40; ++round) {
    const auto data = any_table(random, 12 + random.below(40), 2);
    const auto codes = some_codes(random, data.rows, 3);
    GroupRules rules;
    rules.ask_distinct({codes.data(), data.rows}, count_of(codes) > 1 ? 2 : 1);
    auto state = state_of(data, any_groups(random, data.rows, 2));
    GroupRules::Room room;
    const auto broken = [&] {
      double sum = 0.0;
      for (std::size_t group = 0; group < state.count(); ++group)
        if (!state.rows(group).empty())
          sum += rules.excess(state.rows(group).data(), state.rows(group).size(), room);
      return sum;
    };
    const double before = broken();
    FeasibilityRepair repairing(state, rules, 2);
    int pauses = 0;
    repairing.help([&] { ++pauses; });
    CHECK(broken() <= before && (before == 0) == (pauses == 0));
    repairing.force([] {});
    CHECK(broken() == 0);
  }
}

TEST(rules_that_no_group_keeps_are_refused) {
  const Data data{4, 1, {1, 2, 3, 4}};
  const Labels codes{0, 0, 0, 0};
  GroupRules rules;
  CHECK(rules.empty());
  rules.ask_distinct({codes.data(), 4}, 2);
  CHECK(!rules.empty() && rules.alike(0, 3));
  Labels labels{0, 0, 1, 1};
  CHECK_THROWS(std::invalid_argument,
               repair(data.table(), {labels.data(), 4}, 2, rules, 2, 30, Run{}));
}

}  // namespace
