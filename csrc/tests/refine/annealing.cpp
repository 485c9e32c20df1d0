// The search on one state: perturbations keep k, what is cut anew has allowed sizes, and the end is
// never above the beginning.
#include "tokumei/refine/annealing.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <vector>

#include "check.hpp"
#include "data.hpp"
#include "setting.hpp"
#include "tokumei/refine/near_records.hpp"
#include "tokumei/refine/ruin_and_recreate.hpp"

using namespace tokumei::refine;
using namespace setting;

namespace {

TEST(a_search_ends_no_higher_than_it_began_and_keeps_k) {
  Random random(41);
  for (const auto isa : levels())
    for (int round = 0; round < 40; ++round) {
      Setting<Squares> here(random, 60);
      auto state = here.state(isa);
      const double before = state.total_cost();
      const auto nearest = nearest_records(state, 12, [] {});
      auto best = arrangement(state);
      int pauses = 0;
      anneal(state, nearest, {4, 0.5, 0.01}, 7, state.rows, best, [&](double share) {
        CHECK(share >= 0 && share <= 1);
        ++pauses;
      });
      CHECK(pauses > 0 || state.rows < 2 || here.k == state.rows);
      double after = 0.0;
      const StateIndex groups = *std::max_element(best.begin(), best.end()) + 1;
      for (StateIndex group = 0; group < groups; ++group) {
        Rows rows;
        for (std::size_t row = 0; row < best.size(); ++row)
          if (best[row] == group) rows.push_back(state.table_rows()[row]);
        CHECK(rows.size() >= here.k && rows.size() < 2 * here.k);
        after += here.cost(rows);
      }
      CHECK(after <= before * (1 + 1e-12) + 1e-12);
    }
}

TEST(an_arrangement_numbers_groups_by_their_first_records) {
  Random random(42);
  for (int round = 0; round < 40; ++round) {
    Setting<Squares> here(random, 40);
    auto state = here.state(InstructionSet::baseline);
    const auto groups = arrangement(state);
    StateIndex known = 0;
    for (std::size_t row = 0; row < groups.size(); ++row) {
      CHECK(groups[row] <= known);
      known = std::max(known, groups[row] + 1);
      for (std::size_t other = 0; other < row; ++other)
        CHECK((groups[row] == groups[other]) == (state.group_of(static_cast<StateIndex>(row)) ==
                                                 state.group_of(static_cast<StateIndex>(other))));
    }
    CHECK(allowed(state));
  }
  CHECK(std::abs(std::pow(root_64(0.3), 64) - 0.3) < 1e-12 && root_64(1.0) == 1.0);
}

TEST(pooled_groups_are_cut_anew_into_groups_of_allowed_sizes) {
  Random random(43);
  for (int round = 0; round < 200; ++round) {
    Setting<Squares> here(random, 60);
    auto state = here.state(InstructionSet::baseline);
    const std::size_t groups = count_of(here.labels);
    std::vector<StateIndex> pooled;
    for (StateIndex group = 0; group < groups && pooled.size() < 3; ++group)
      pooled.push_back(group);
    Rows before;
    for (const auto group : pooled)
      for (const auto row : here.rows_of(state, group)) before.push_back(row);
    Xoshiro256 chance(random.bits());
    RuinAndRecreate cut(state, chance);
    state.begin();
    cut.anew(pooled);
    Rows after;
    for (StateIndex group = 0; group < state.room(); ++group) {
      if (state.size(group) == 0) continue;
      const auto rows = here.rows_of(state, group);
      CHECK(rows.size() >= here.k && rows.size() <= state.most);
      CHECK(std::abs(state.cost(group) - here.cost(rows)) <= 1e-9 * (1 + state.total_cost()));
      if (std::find(state.touched().begin(), state.touched().end(), group) != state.touched().end())
        after.insert(after.end(), rows.begin(), rows.end());
    }
    std::sort(before.begin(), before.end());
    std::sort(after.begin(), after.end());
    CHECK(after == before);
  }
  CHECK((RankedRow{1.0, 2} < RankedRow{1.0, 3}) && (RankedRow{0.5, 9} < RankedRow{1.0, 3}));
}

}  // namespace
