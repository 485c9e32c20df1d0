// MIL leaves no move between neighbouring groups that helps.
#include "tokumei/group/mil.hpp"

#include <cstdint>
#include <utility>

#include "check.hpp"
#include "data.hpp"
#include "plain_cuts.hpp"

using namespace tokumei::group;

namespace {

void mil_leaves_no_move_that_helps(std::size_t k) {
  Random random(200 + k);
  for (int round = 0; round < 12; ++round) {
    const auto data = some_data(random, 3 * k + random.below(30), 1);
    const auto order = sorted(data);
    // Stretches of k, then of k+1, ... and what is left with the last.
    Labels before(data.rows);
    std::int64_t group = 0;
    for (std::size_t begin = 0, size = k; begin < data.rows; begin += size++, ++group) {
      if (data.rows - begin < 2 * size + 1) size = data.rows - begin;
      for (std::size_t i = 0; i < size; ++i)
        before[static_cast<std::size_t>(order[begin + i])] = group;
    }
    renumber({before.data(), data.rows});
    const auto after = labels_of(data.rows, [&](auto out, Run run) {
      mil({data.values.data(), data.rows}, {before.data(), data.rows},
          static_cast<std::size_t>(group), k, out, run);
    });
    const auto reached = cost_of(data, order, after, k);
    CHECK(as_low(reached, cost_of(data, order, before, k)));
    for (std::size_t place = 1; place < data.rows; ++place) {
      const auto lower = static_cast<std::size_t>(order[place - 1]);
      const auto upper = static_cast<std::size_t>(order[place]);
      if (after[lower] == after[upper]) continue;
      for (const auto& [from, to] : {std::pair{lower, upper}, std::pair{upper, lower}}) {
        auto moved = after;
        moved[from] = after[to];
        const auto cost_of_move = cost_of(data, order, moved, k);
        CHECK(reached <= cost_of_move + cost_of_move * 1e-11L + 1e-25L);
      }
    }
  }
}

TEST(mil_is_never_worse_and_at_a_local_optimum) {
  for (const std::size_t k : sizes_of_groups)
    if (k > 1) mil_leaves_no_move_that_helps(k);
}

}  // namespace
