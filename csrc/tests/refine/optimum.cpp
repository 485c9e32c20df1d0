// Tiny tables end at their optimum, and rules hold in every group.
#include "tokumei/refine/refine.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <set>
#include <vector>

#include "check.hpp"
#include "data.hpp"
#include "setting.hpp"
#include "tokumei/refine/group_rules.hpp"
#include "tokumei/refine/refine_by.hpp"

using namespace tokumei::refine;
using namespace setting;

namespace {

// The least cost of all partitions into groups of at least k, over all sets of records.
template <class Cost>
double optimum(const Setting<Cost>& setting) {
  const std::size_t rows = setting.data.rows, sets = std::size_t{1} << rows;
  constexpr double infinite = std::numeric_limits<double>::infinity();
  std::vector<double> least(sets, infinite), cost(sets, infinite);
  least[0] = 0;
  for (std::size_t set = 1; set < sets; ++set) {
    Rows members;
    for (std::size_t i = 0; i < rows; ++i)
      if (set >> i & 1) members.push_back(i);
    if (members.size() >= setting.k) cost[set] = setting.cost(members);
  }
  for (std::size_t set = 1; set < sets; ++set) {
    const std::size_t first = set & (~set + 1);
    for (std::size_t part = set; part > 0; part = (part - 1) & set)
      if (part & first) least[set] = std::min(least[set], cost[part] + least[set ^ part]);
  }
  return least[sets - 1];
}

template <class Cost>
void check_optimum(Random& random, InstructionSet isa) {
  const Setting<Cost> setting(random, 12);
  auto labels = setting.labels;
  RefineOptions options;
  options.k = setting.k;
  options.most = 2 * setting.k - 1;
  options.schedule = {300, 0.5, 0.01};
  options.weights = {setting.weights.data(), setting.weights.size()};
  refine<Cost>(setting.data.table(), {labels.data(), labels.size()}, count_of(labels), options,
               Run{1, isa, {}});
  double reached = 0;
  for (std::size_t group = 0; group < count_of(labels); ++group) {
    Rows rows;
    for (std::size_t i = 0; i < labels.size(); ++i)
      if (labels[i] == static_cast<std::int64_t>(group)) rows.push_back(i);
    reached += setting.cost(rows);
  }
  CHECK(reached <= optimum(setting) + 1e-9);
}

// Rules by their definitions.
struct PlainRules {
  std::vector<std::int64_t> sensitive, households;
  std::size_t values, distinct, families;
  double apart;
  bool ordered;

  bool hold(const Rows& rows) const {
    std::set<std::int64_t> seen, homes;
    std::vector<double> here(values), all(values);
    for (const auto row : rows) {
      seen.insert(sensitive[row]);
      homes.insert(households[row]);
      here[static_cast<std::size_t>(sensitive[row])] += 1.0 / static_cast<double>(rows.size());
    }
    for (const auto code : sensitive)
      all[static_cast<std::size_t>(code)] += 1.0 / static_cast<double>(sensitive.size());
    double sum = 0, moved = 0, half = 0;
    for (std::size_t value = 0; value < values; ++value) {
      half += std::abs(here[value] - all[value]) / 2;
      sum += here[value] - all[value];
      moved += std::abs(sum);
    }
    const double far = ordered ? (values > 1 ? moved / static_cast<double>(values - 1) : 0) : half;
    return seen.size() >= distinct && homes.size() >= families && far <= apart + 1e-9;
  }
};

template <class Cost>
void check_rules(Random& random, InstructionSet isa) {
  Setting<Cost> setting(random, 40);
  const std::size_t n = setting.data.rows;
  PlainRules plain_rules{std::vector<std::int64_t>(n),  std::vector<std::int64_t>(n), 0, 0, 0,
                         0.05 + 0.6 * random.uniform(), random.below(2) == 0};
  const std::size_t values = 1 + random.below(std::min<std::size_t>(5, n));
  for (std::size_t i = 0; i < n; ++i) {
    plain_rules.sensitive[i] = static_cast<std::int64_t>(random.below(values));
    plain_rules.households[i] = static_cast<std::int64_t>(random.below(1 + n / 2));
  }
  plain_rules.values = renumber({plain_rules.sensitive.data(), n});
  plain_rules.distinct = 1 + random.below(plain_rules.values);
  plain_rules.families = 1 + random.below(renumber({plain_rules.households.data(), n}));
  GroupRules rules;
  rules.ask_distinct({plain_rules.sensitive.data(), n}, plain_rules.distinct);
  rules.ask_distinct({plain_rules.households.data(), n}, plain_rules.families);
  rules.ask_close({plain_rules.sensitive.data(), n}, plain_rules.values, plain_rules.ordered,
                  plain_rules.apart);
  GroupRules::Room room;
  Rows some;
  for (std::size_t i = 0; i < n; ++i)
    if (random.below(3) == 0) some.push_back(i);
  if (!some.empty()) CHECK(rules.hold(some.data(), some.size(), room) == plain_rules.hold(some));

  auto labels = setting.labels;
  RefineOptions options;
  options.k = setting.k;
  options.most = 2 * setting.k - 1;
  options.schedule = {3, 0.5, 0.01};
  options.weights = {setting.weights.data(), setting.weights.size()};
  options.rules = &rules;
  refine<Cost>(setting.data.table(), {labels.data(), n}, count_of(labels), options,
               Run{1, isa, {}});
  const auto members = members_of({labels.data(), n}, count_of(labels));
  for (std::size_t group = 0; group < members.groups(); ++group) {
    const Rows rows(members.rows.begin() + static_cast<std::ptrdiff_t>(members.starts[group]),
                    members.rows.begin() + static_cast<std::ptrdiff_t>(members.starts[group + 1]));
    CHECK(rows.size() >= setting.k);
    CHECK(plain_rules.hold(rows));
  }
}

template <class Cost>
void check_all(Random& random, InstructionSet isa, int many) {
  for (int i = 0; i < 10 * many; ++i) check_rules<Cost>(random, isa);
  for (int i = 0; i < many; ++i) check_optimum<Cost>(random, isa);
}

TEST(tiny_tables_end_at_their_optimum_and_rules_hold) {
  Random random(11);
  for (const auto isa : levels()) {
    check_all<Squares>(random, isa, 25);
    check_all<WeightedSquares>(random, isa, 15);
    check_all<AbsoluteDeviations>(random, isa, 15);
  }
}

TEST(what_a_caller_asks_for_is_what_the_search_does) {
  Random random(12);
  for (int round = 0; round < 20; ++round) {
    const Setting<WeightedSquares> here(random, 40);
    const std::size_t n = here.data.rows, groups = count_of(here.labels);
    RefineOptions options;
    options.k = here.k;
    options.most = 2 * here.k - 1;
    options.schedule = {3, 0.5, 0.01};
    const auto asked = [&](bool absolute, Column<double> weights, bool by_caller) {
      auto labels = here.labels;
      const OutColumn<std::int64_t> out(labels.data(), n);
      auto full = options;
      full.weights = weights;
      RefineByOptions caller{options.k, options.most, absolute, options.schedule, options.seed};
      caller.weights = weights;
      if (by_caller)
        refine_by(here.data.table(), out, groups, caller, Run{});
      else if (absolute)
        refine<AbsoluteDeviations>(here.data.table(), out, groups, options, Run{});
      else if (weights.size() > 0)
        refine<WeightedSquares>(here.data.table(), out, groups, full, Run{});
      else
        refine<Squares>(here.data.table(), out, groups, options, Run{});
      return labels;
    };
    const Column<double> weights(here.weights.data(), n);
    CHECK(asked(false, {}, true) == asked(false, {}, false));
    CHECK(asked(true, {}, true) == asked(true, {}, false));
    CHECK(asked(false, weights, true) == asked(false, weights, false));
  }
}

}  // namespace
