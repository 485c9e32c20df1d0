// Costs of groups and what moves and swaps change of them, by their definitions; and how records
// and members lie.
#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "check.hpp"
#include "data.hpp"
#include "setting.hpp"
#include "tokumei/refine/group_cost.hpp"
#include "tokumei/refine/member_tiles.hpp"
#include "tokumei/refine/state_records.hpp"

using namespace tokumei::refine;
using namespace setting;

namespace {

template <class Cost>
void changes_are_differences(Random& random, InstructionSet isa) {
  const Setting<Cost> here(random, 40);
  const auto state = here.state(isa);
  const double grain = 1e-11 * (1 + state.total_cost()) * static_cast<double>(state.rows);
  for (StateIndex group = 0; group < count_of(here.labels); ++group) {
    const Rows rows = here.rows_of(state, group);
    CHECK(std::abs(state.cost(group) - here.cost(rows)) <= grain);
    for (int trial = 0; trial < 4; ++trial) {
      const auto in = static_cast<StateIndex>(random.below(state.rows));
      const auto out = state.members(group)[random.below(rows.size())];
      Rows with = rows, without = rows;
      with.push_back(state.table_rows()[in]);
      without.erase(std::find(without.begin(), without.end(), state.table_rows()[out]));
      if (rows.size() > 1)
        CHECK(std::abs(Cost::leaving(state.record(out), state.statistics(group)) -
                       (here.cost(without) - here.cost(rows))) <= grain);
      if (state.group_of(in) == group) continue;
      CHECK(std::abs(Cost::joining(state.record(in), state.statistics(group)) -
                     (here.cost(with) - here.cost(rows))) <= grain);
      without.push_back(state.table_rows()[in]);
      CHECK(std::abs(Cost::replacing(state.record(out), state.record(in), state.statistics(group)) -
                     (here.cost(without) - here.cost(rows))) <= grain);
    }
  }
  const Rows two{0, here.data.rows - 1};
  const auto at = [&](std::size_t row) {
    const auto& rows = state.table_rows();
    return static_cast<StateIndex>(std::find(rows.begin(), rows.end(), row) - rows.begin());
  };
  const double apart = Cost::apart(state.values(at(two[0])), state.values(at(two[1])), state.width);
  double expected = 0.0;
  for (std::size_t j = 0; j < here.data.columns; ++j) {
    const double by = here.data.table()(two[0], j) - here.data.table()(two[1], j);
    expected += Cost::rows == 3 ? std::abs(by) : by * by;
  }
  CHECK(std::abs(apart - expected) <= 1e-12 * (1 + expected));
}

TEST(joining_leaving_and_replacing_change_what_they_say) {
  Random random(21);
  for (const auto isa : levels())
    for (int round = 0; round < 60; ++round) {
      changes_are_differences<Squares>(random, isa);
      changes_are_differences<WeightedSquares>(random, isa);
      changes_are_differences<AbsoluteDeviations>(random, isa);
    }
}

TEST(records_are_told_from_their_median_and_filled_up_with_zeros) {
  Random random(22);
  for (int round = 0; round < 40; ++round) {
    const auto data = make_data(random, 3 + random.below(20), 1 + random.below(9), 0, 1e9);
    const auto labels = any_groups(random, data.rows, 2);
    const auto members = members_of({labels.data(), data.rows}, count_of(labels));
    std::vector<double> weights(data.rows);
    for (auto& weight : weights) weight = random.uniform();
    const std::size_t last = members.groups() - 1;
    const auto records = records_of(data.table(), {weights.data(), data.rows}, members, &last, 1);
    CHECK(records.columns == data.columns && records.rows.size() == members.size(last));
    const std::size_t width = records.values.size() / records.rows.size();
    CHECK(width % 8 == 0 && width >= data.columns && width < data.columns + 8);
    for (std::size_t j = 0; j < width; ++j) {
      std::vector<double> column;
      for (const auto row : records.rows)
        column.push_back(j < data.columns ? data.table()(row, j) : 0.0);
      auto sorted = column;
      std::sort(sorted.begin(), sorted.end());
      for (std::size_t i = 0; i < column.size(); ++i)
        CHECK(records.values[i * width + j] == column[i] - sorted[sorted.size() / 2]);
    }
    for (std::size_t i = 0; i < records.rows.size(); ++i)
      CHECK(records.groups[i] == 0 && records.weights[i] == weights[records.rows[i]]);
    CHECK(records_of(data.table(), {}, members, &last, 1).weights.empty());
  }
}

TEST(members_stand_side_by_side_and_empty_places_look_no_good) {
  constexpr double infinite = std::numeric_limits<double>::infinity();
  MemberTiles tiles(2, 16);
  const double record[] = {3.0, 4.0};
  tiles.set(9, record, 25.0);
  const double* chunk = tiles.chunk(8);
  CHECK(chunk[1] == 3.0 && chunk[8 + 1] == 4.0 && chunk[16 + 1] == 25.0);
  CHECK(chunk[16] == -infinite && tiles.chunk(0)[16 + 7] == -infinite);
  tiles.leave(9);
  CHECK(chunk[16 + 1] == -infinite);
}

}  // namespace
