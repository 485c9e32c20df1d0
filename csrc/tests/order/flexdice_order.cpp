// FlexDice: blocks and links keep their rules, the path and the listing are those of the blocks.
#include "tokumei/order/flexdice_order.hpp"

#include <algorithm>
#include <cstdint>
#include <set>
#include <vector>

#include "check.hpp"
#include "data.hpp"
#include "orders.hpp"
#include "tokumei/order/block_graph.hpp"
#include "tokumei/order/block_links.hpp"
#include "tokumei/order/block_listing.hpp"
#include "tokumei/order/flexdice.hpp"

using namespace tokumei::order;

namespace {

TEST(links_are_mutual_and_the_path_depends_on_no_machine) {
  Random random(2);
  for (const std::size_t columns : {1U, 4U, 20U})
    for (const std::size_t axes : {std::size_t{1}, columns}) {
      const Data data = make_data(random, 1200, columns, columns == 4 ? 6 : 0);
      const FlexDiceRule rule{20, 3, axes};
      Run run;
      const auto graph = flexdice(data.table(), rule, run);
      for (std::size_t at = 0; at < graph.above.size(); ++at) {
        const std::size_t j = at % columns, above = graph.above[at];
        if (above == BlockGraph::none) continue;
        CHECK(graph.below[above * columns + j] == at / columns);
        CHECK(graph.lower[above * columns + j] == graph.upper[at]);
      }
      const auto counts = count_blocks(data.table(), rule, Run{3, best_instruction_set()});
      CHECK(counts.blocks == graph.blocks.size());
      Order expected;
      for (const auto isa : levels())
        for (const unsigned n_threads : {1U, 3U}) {
          Order order(data.rows);
          flexdice_order(data.table(), rule, out(order), Run{n_threads, isa});
          CHECK(is_permutation(order));
          if (expected.empty()) expected = order;
          CHECK(order == expected);
        }
    }
}

TEST(every_record_is_in_one_block_that_keeps_the_rules) {
  Random random(7);
  for (int round = 0; round < 60; ++round) {
    const auto data =
        make_data(random, 1 + random.below(200), 1 + random.below(5), random.below(2) * 4);
    const FlexDiceRule rule{1 + random.below(20), 0, 1 + random.below(3)};
    Run run{random.below(2) == 0 ? 1U : 3U, best_instruction_set(), {}};
    const auto graph = flexdice(data.table(), rule, run);
    std::vector<int> times(data.rows);
    std::size_t last_first = 0;
    for (std::size_t b = 0; b < graph.blocks.size(); ++b) {
      const std::size_t begin = graph.blocks.borders[b], end = graph.blocks.borders[b + 1];
      CHECK(end > begin && (b == 0 || graph.blocks.rows[begin] > last_first));
      last_first = graph.blocks.rows[begin];
      bool identical = true;
      for (std::size_t i = begin; i < end; ++i) {
        const std::size_t row = graph.blocks.rows[i];
        ++times[row];
        CHECK(i == begin || graph.blocks.rows[i - 1] < row);
        for (std::size_t j = 0; j < data.columns; ++j) {
          const double x = data.table()(row, j);
          CHECK(graph.lower[b * data.columns + j] <= x && x <= graph.upper[b * data.columns + j]);
          identical = identical && x == data.table()(last_first, j);
        }
      }
      CHECK(identical || end - begin <= rule.c1);
    }
    CHECK(std::all_of(times.begin(), times.end(), [](int t) { return t == 1; }));
  }
}

TEST(blocks_are_listed_as_they_are) {
  Random random(8);
  const auto data = make_data(random, 300, 3, 0);
  const FlexDiceRule rule{10, 2, 2};
  Run run;
  const auto graph = flexdice(data.table(), rule, run);
  const auto counts = count_blocks(data.table(), rule, run);
  Order block_of(300), links(counts.links * 3);
  std::vector<double> lower(counts.blocks * 3), upper(counts.blocks * 3);
  list_blocks(data.table(), rule, out(block_of), {lower.data(), counts.blocks, 3},
              {upper.data(), counts.blocks, 3}, {links.data(), counts.links, 3}, run);
  for (std::size_t b = 0; b < counts.blocks; ++b) {
    for (std::size_t i = graph.blocks.borders[b]; i < graph.blocks.borders[b + 1]; ++i)
      CHECK(block_of[graph.blocks.rows[i]] == static_cast<std::int64_t>(b));
    for (std::size_t j = 0; j < 3; ++j)
      CHECK(lower[j * counts.blocks + b] == graph.lower[b * 3 + j] &&
            upper[j * counts.blocks + b] == graph.upper[b * 3 + j]);
  }
  for (std::size_t i = 0; i < counts.links; ++i) {
    const auto at = [&](std::size_t column) {
      return static_cast<std::size_t>(links[column * counts.links + i]);
    };
    CHECK(graph.above[at(0) * 3 + at(2)] == at(1));
    CHECK(i == 0 || links[i - 1] <= links[i]);
  }
}

// A chain of blocks 0 - 1 - 2 on axis 0, and block 3 alone.
BlockGraph chain() {
  constexpr std::size_t none = BlockGraph::none;
  BlockGraph graph;
  graph.blocks = {{0, 1, 2, 3}, {0, 1, 2, 3, 4}};
  graph.attributes = 1;
  graph.below = {none, 0, 1, none};
  graph.above = {1, 2, none, none};
  return graph;
}

TEST(a_graph_is_searched_level_by_level) {
  const auto graph = chain();
  BlockLevels levels(graph);
  for (int again = 0; again < 2; ++again) {
    levels.start(0);
    CHECK((levels.level() == std::vector<std::size_t>{0}));
    CHECK(levels.further() && levels.level() == std::vector<std::size_t>{1});
    CHECK(levels.further() && levels.level() == std::vector<std::size_t>{2});
    CHECK(!levels.further());
    levels.start(3);
    CHECK(!levels.further());
  }
}

TEST(heirs_are_linked_face_to_face) {
  constexpr std::size_t none = BlockLinks::none;
  // Block 0 below block 1; both are halved on the axis, 0 into 2 and 3, 1 into 4 and 5.
  BlockLinks links(1);
  links.resize(6);
  for (std::size_t block = 0; block < 6; ++block) links.cut(block);
  std::vector<Heirs> heirs(6);
  // First 0 and 1 become neighbours: as heirs of one parent.
  std::vector<Heirs> first(6);
  first[5] = {{0, 0, 4}, {1, 1, 4}};
  links.hand_down(5, 0, 1, first);
  CHECK(links.above(0, 0) == 1 && links.below(1, 0) == 0);
  CHECK(links.below(0, 0) == none && links.above(1, 0) == none);
  heirs[0] = {{0, 2, 1}, {1, 3, 3}};
  heirs[1] = {{0, 4, 2}, {1, 5, 2}};
  links.cut(5);
  links.hand_down(0, 0, 1, heirs);
  links.hand_down(1, 0, 1, heirs);
  CHECK(links.above(2, 0) == 3 && links.above(3, 0) == 4 && links.above(4, 0) == 5);
  CHECK(links.below(5, 0) == 4 && links.below(4, 0) == 3 && links.below(3, 0) == 2);
  CHECK(links.below(2, 0) == none && links.above(5, 0) == none);
}

TEST(a_block_that_is_halved_no_more_is_linked_to_the_fullest_heir_on_its_side) {
  // Block 0 below block 1; only 0 is halved, on another axis, into 2 and the fuller 3.
  BlockLinks links(1);
  links.resize(4);
  for (std::size_t block = 0; block < 4; ++block) links.cut(block);
  std::vector<Heirs> first(4), heirs(4);
  first[3] = {{0, 0, 4}, {1, 1, 4}};
  links.hand_down(3, 0, 1, first);
  links.cut(3);
  heirs[0] = {{0, 2, 1}, {1, 3, 3}};
  links.hand_down(0, 0, 0, heirs);
  CHECK(links.above(3, 0) == 1 && links.below(1, 0) == 3);
  CHECK(links.above(2, 0) == BlockLinks::none);
}

}  // namespace
