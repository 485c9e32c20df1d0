// Every change looked at costs what it was said to cost, the best one is found, and what is undone
// is undone to the bit.
#include <algorithm>
#include <cmath>
#include <vector>

#include "check.hpp"
#include "data.hpp"
#include "setting.hpp"
#include "tokumei/refine/allowed_change.hpp"
#include "tokumei/refine/best_change.hpp"
#include "tokumei/refine/group_rules.hpp"
#include "tokumei/refine/local_search.hpp"
#include "tokumei/refine/member_swaps.hpp"
#include "tokumei/refine/near_records.hpp"
#include "tokumei/refine/perturbation.hpp"
#include "tokumei/refine/undo_log.hpp"

using namespace tokumei::refine;
using namespace setting;

namespace {

// All there is to a state that a change may change.
template <class Cost>
std::vector<double> picture(const SearchState<Cost>& state) {
  std::vector<double> seen;
  for (StateIndex row = 0; row < state.rows; ++row) seen.push_back(state.group_of(row));
  for (StateIndex group = 0; group < state.room(); ++group) {
    seen.push_back(static_cast<double>(state.size(group)));
    if (state.size(group) == 0) continue;
    seen.push_back(state.cost(group));
    for (std::size_t m = 0; m < state.size(group); ++m) seen.push_back(state.members(group)[m]);
    for (std::size_t j = 0; j < Cost::rows * state.width; ++j)
      seen.push_back(state.centre(group)[j]);
    if (!Cost::tiled) continue;
    for (std::size_t place = 0; place < state.size(group); ++place)
      for (std::size_t j = 0; j <= state.columns; ++j)
        seen.push_back(state.chunk(group, place / 8)[j * 8 + place % 8]);
    for (std::size_t place = state.size(group); place % 8 != 0; ++place)
      seen.push_back(state.chunk(group, place / 8)[state.columns * 8 + place % 8]);
  }
  return seen;
}

template <class Cost>
void check_changes(Random& random, InstructionSet isa) {
  Setting<Cost> setting(random, 30);
  auto state = setting.state(isa);
  const double grain = 1e-11 * (1 + state.total_cost()) * static_cast<double>(state.rows);
  const auto nearest = nearest_records(state, state.rows, [] {});
  LocalSearch search(state, nearest, state.rows);
  const auto costs_are_plain = [&] {
    bool right = true;
    for (StateIndex group = 0; group < state.room(); ++group)
      if (state.size(group) > 0)
        right = right &&
                std::abs(state.cost(group) - setting.cost(setting.rows_of(state, group))) <= grain;
    return right;
  };
  CHECK(costs_are_plain());
  for (StateIndex row = 0; row < state.rows; ++row) {
    const Change change = search.best(row);
    CHECK(std::abs(change.by - setting.least_change(state, row)) <= grain);
    if (change.group == Change::nobody) continue;
    const StateIndex from = state.group_of(row);
    const double before = state.cost(from) + state.cost(change.group);
    search.exchange(row, from, change.group, change.other);
    CHECK(std::abs(state.cost(from) + state.cost(change.group) - before - change.by) <= grain);
    CHECK(costs_are_plain());
  }
}

template <class Cost>
void check_undo(Random& random, InstructionSet isa) {
  Setting<Cost> setting(random, 40);
  auto state = setting.state(isa);
  const auto nearest = nearest_records(state, 12, [] {});
  LocalSearch search(state, nearest, 8);
  Xoshiro256 chance(random.bits());
  Perturbation perturbation(state, nearest, chance);
  for (int trial = 0; trial < 8; ++trial) {
    const auto before = picture(state);
    const double cost = state.total_cost();
    state.begin();
    const bool perturbed =
        perturbation.perturbation(static_cast<StateIndex>(random.below(state.rows)));
    if (perturbed) {
      const auto touched = state.touched();
      for (const auto group : touched) search.look_at_members(group);
      search.run([] {});
      CHECK(std::abs(state.total_cost() - cost - state.change()) <= 1e-9 * (1 + cost));
      std::size_t held = 0;
      for (StateIndex group = 0; group < state.room(); ++group) {
        held += state.size(group);
        CHECK(state.size(group) == 0 || state.size(group) >= setting.k);
        CHECK(state.size(group) <= state.most);
      }
      CHECK(held == state.rows);
    }
    if (perturbed && trial % 4 == 3) continue;
    state.undo();
    CHECK(picture(state) == before);
  }
}

TEST(the_best_change_is_found_and_costs_what_was_said) {
  Random random(11);
  for (const auto isa : levels()) {
    for (int i = 0; i < 400; ++i) check_changes<Squares>(random, isa);
    for (int i = 0; i < 240; ++i) check_changes<WeightedSquares>(random, isa);
    for (int i = 0; i < 240; ++i) check_changes<AbsoluteDeviations>(random, isa);
  }
}

// Each swap as its definition has it, the same bits whoever is compared with eight at once.
template <class State>
void swaps_are_those_one_by_one(const State& state) {
  for (StateIndex row = 0; row < state.rows; ++row) {
    const StateIndex own = state.group_of(row);
    for (StateIndex group = 0; group < state.room(); ++group) {
      if (group == own) continue;
      for (std::size_t m = 0; m < state.size(group); ++m) {
        const auto x = state.record(row), y = state.record(state.members(group)[m]);
        const double by = Squares::replacing(x, y, state.statistics(own)) +
                          Squares::replacing(y, x, state.statistics(group));
        const auto eight = MemberSwaps<narrowest>::of_chunk(
            x.values, state.chunk(group, m / lane_count), state.columns, state.statistics(own),
            state.statistics(group));
        CHECK(eight[m % lane_count] == by);
      }
    }
  }
}

TEST(swaps_with_eight_members_at_once_are_those_with_each) {
  Random random(14);
  for (int i = 0; i < 60; ++i) {
    Setting<Squares> setting(random, 40);
    swaps_are_those_one_by_one(setting.state(InstructionSet::baseline));
  }
}

// Groups of three records each, and what rules say of other ones.
struct RuledGroups {
  const GroupRules* rules;
  std::vector<std::size_t> rows;
  std::vector<StateIndex> records;

  std::size_t size(StateIndex) const { return 3; }
  const StateIndex* members(StateIndex group) const { return &records[3 * group]; }
  const std::vector<std::size_t>& table_rows() const { return rows; }
  bool allows(const StateIndex* begin, const StateIndex* end) const {
    std::vector<std::size_t> named;
    for (; begin != end; ++begin) named.push_back(rows[*begin]);
    GroupRules::Room room;
    return rules->hold(named.data(), named.size(), room);
  }
};

TEST(a_kind_of_change_is_allowed_or_not_whoever_is_asked_first) {
  Random random(15);
  std::size_t allowed_ones = 0, forbidden_ones = 0;
  for (int i = 0; i < 50; ++i) {
    std::vector<std::int64_t> codes(12);
    for (auto& code : codes) code = static_cast<std::int64_t>(random.below(4));
    GroupRules rules;
    rules.ask_distinct({codes.data(), codes.size()}, 2 + random.below(2));
    RuledGroups state{&rules, {}, {}};
    for (std::size_t row = codes.size(); row-- > 0;) state.rows.push_back(row);
    for (StateIndex record = 0; record < codes.size(); ++record) state.records.push_back(record);
    ChangesAllowed allowed(state);
    for (const bool again : {false, true})
      for (StateIndex group = 0; group < 4; ++group)
        for (std::size_t m = 0; m <= 3; ++m)
          for (StateIndex come = 0; come <= codes.size(); ++come) {
            const StateIndex gone = m < 3 ? state.members(group)[m] : Change::nobody;
            const bool nobody = come == codes.size();
            if (!nobody && come / 3 == group) continue;
            std::vector<StateIndex> after;
            for (std::size_t other = 0; other < 3; ++other)
              if (other != m) after.push_back(state.members(group)[other]);
            if (!nobody) after.push_back(come);
            const bool expected = state.allows(after.data(), after.data() + after.size());
            CHECK(allowed(group, gone, nobody ? Change::nobody : come) == expected);
            ++(expected ? allowed_ones : forbidden_ones);
            if (again && random.below(9) == 0) allowed.forget();
          }
  }
  CHECK(allowed_ones > 1000 && forbidden_ones > 1000);
}

TEST(what_is_undone_is_undone_to_the_bit) {
  Random random(12);
  for (const auto isa : levels()) {
    for (int i = 0; i < 400; ++i) check_undo<Squares>(random, isa);
    for (int i = 0; i < 240; ++i) check_undo<WeightedSquares>(random, isa);
    for (int i = 0; i < 240; ++i) check_undo<AbsoluteDeviations>(random, isa);
  }
}

TEST(a_log_restores_groups_and_names_backwards) {
  UndoLog log(5);
  const StateIndex members[] = {7, 8, 9};
  const double statistics[] = {0.5, -0.5};
  log.begin();
  CHECK(!log.knows(3) && log.touched().empty() && log.cost() == 0);
  log.write(3, members, 3, statistics, 2, 3.0, 1.25);
  log.write(1, members, 0, statistics, 2, 0.0, 0.5);
  log.name(4, true);
  log.name(1, false);
  CHECK(log.knows(3) && log.knows(1) && !log.knows(0) && log.cost() == 1.75);
  CHECK((log.touched() == std::vector<StateIndex>{3, 1}));
  std::vector<StateIndex> groups, names;
  log.each_group([&](StateIndex group, const StateIndex* held, std::size_t size, const double* at,
                     double mass, double cost) {
    groups.push_back(group);
    CHECK(size == (group == 3 ? 3 : 0) && at[0] == 0.5 && at[1] == -0.5);
    CHECK(group != 3 || (held[2] == 9 && mass == 3.0 && cost == 1.25));
  });
  log.each_name_backwards([&](StateIndex group, bool opened) {
    names.push_back(group);
    CHECK(opened == (group == 4));
  });
  CHECK((groups == std::vector<StateIndex>{3, 1}) && (names == std::vector<StateIndex>{1, 4}));
  log.begin();
  CHECK(!log.knows(3) && log.touched().empty());
}

}  // namespace
