// Who is near whom: exactly in small tables, and with boxes as without them.
#include "tokumei/refine/near_records.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "check.hpp"
#include "data.hpp"
#include "setting.hpp"
#include "tokumei/refine/near_boxes.hpp"

using namespace tokumei::refine;
using namespace setting;

namespace {

// Of leaves and boxes, the same neighbours as without them.
void check_nearest(Random& random, InstructionSet isa) {
  Setting<Squares> setting(random, 300);
  auto state = setting.state(isa);
  const std::size_t groups = count_of(setting.labels);
  std::vector<std::size_t> borders{0};
  while (borders.back() < groups)
    borders.push_back(std::min(groups, borders.back() + 1 + random.below(9)));
  const auto boxed = nearest_in_groups(state, borders, 4, 9, [] {});
  const auto plainly = nearest_in_groups(state, {0, groups}, 4, 9, [] {});
  CHECK(boxed.rows == plainly.rows);
}

TEST(boxes_change_no_neighbour) {
  Random random(11);
  for (const auto isa : levels())
    for (int i = 0; i < 60; ++i) check_nearest(random, isa);
}

// The same where records have codes, of more boxes than a word has bits.
TEST(boxes_of_categories_change_no_neighbour) {
  Random random(14);
  for (const auto isa : levels())
    for (int round = 0; round < 20; ++round) {
      const std::size_t n = 100 + random.below(200);
      const auto data = make_mixed(random, n, 1 + random.below(6), random.below(3));
      const auto labels = any_groups(random, n, 2);
      const std::size_t groups = count_of(labels);
      const auto members = members_of({labels.data(), n}, groups);
      Rows all(groups);
      for (std::size_t group = 0; group < groups; ++group) all[group] = group;
      SearchState<SquaresOfCodes> state(records_of(data.records(), {}, members, all.data(), groups),
                                        groups, 2, 3, nullptr, isa);
      std::vector<std::size_t> borders{0};
      while (borders.back() < groups)
        borders.push_back(std::min(groups, borders.back() + 1 + random.below(2)));
      const auto boxed = nearest_in_groups(state, borders, 4, 9, [] {});
      const auto plainly = nearest_in_groups(state, {0, groups}, 4, 9, [] {});
      CHECK(boxed.rows == plainly.rows);
    }
}

TEST(the_nearest_records_are_those_of_looking_at_all) {
  Random random(12);
  for (const auto isa : levels())
    for (int round = 0; round < 40; ++round) {
      const Setting<Squares> here(random, 60);
      const auto state = here.state(isa);
      const auto nearest = nearest_records(state, 5, [] {});
      CHECK(nearest.count == std::min<std::size_t>(5, state.rows - 1));
      for (StateIndex row = 0; row < state.rows; ++row) {
        std::vector<Near> all;
        for (StateIndex other = 0; other < state.rows; ++other) {
          double sum = 0.0;
          for (std::size_t j = 0; j < state.columns; ++j) {
            const double by = state.values(other)[j] - state.values(row)[j];
            sum += by * by;
          }
          if (other != row) all.emplace_back(sum, other);
        }
        std::sort(all.begin(), all.end());
        for (std::size_t i = 0; i < nearest.count; ++i) CHECK(nearest.of(row)[i] == all[i].second);
      }
    }
}

TEST(of_many_offered_the_nearest_are_kept_in_order) {
  Random random(13);
  Closest closest;
  for (int round = 0; round < 100; ++round) {
    std::vector<Near> all;
    const std::size_t most = 1 + random.below(6);
    closest.begin(most);
    for (StateIndex i = 0; i < 30; ++i) {
      all.emplace_back(static_cast<double>(random.below(8)), i);
      if (!closest.is_beyond(all.back().first)) closest.offer(all.back().first, i);
    }
    std::sort(all.begin(), all.end());
    all.resize(most);
    CHECK(closest.kept() == all);
  }
}

}  // namespace
