// Stretches of places: a look at all of a short one, those in a box, and bringing together what is
// left.
#include <algorithm>
#include <numeric>
#include <string>
#include <vector>

#include "check.hpp"
#include "data.hpp"
#include "tokumei/spatial/boxed_objective.hpp"
#include "tokumei/spatial/distance_objective.hpp"
#include "tokumei/spatial/found.hpp"
#include "tokumei/spatial/place_stretch.hpp"
#include "tokumei/spatial/record_search.hpp"
#include "tokumei/spatial/stretch_blocks.hpp"
#include "tokumei/spatial/stretch_scan.hpp"

using namespace tokumei::spatial;

namespace {

StretchBlocks blocks_of(const Records& x) {
  std::vector<std::size_t> rows(x.rows());
  std::iota(rows.begin(), rows.end(), std::size_t{0});
  StretchBlocks blocks(x);
  ThreadTeam team(1);
  ProgressMonitor monitor;
  blocks.build(rows, team, monitor);
  return blocks;
}

// Every record is where its row says, and within what is known of its leaf, its block and above.
void is_sound(const StretchBlocks& blocks) {
  std::size_t count = 0;
  for (std::size_t place = 0; place < blocks.rows.size(); ++place) {
    const std::size_t row = blocks.rows[place], block = place / block_rows;
    const float* code = &blocks.codes[place / sixteen * blocks.attributes * sixteen];
    CHECK((row == no_row) == (code[place % sixteen] != code[place % sixteen]));
    if (row == no_row) continue;
    ++count;
    for (std::size_t height = 0, node = block; height < blocks.tree.height(); ++height) {
      const double* face = blocks.tree[height].boxes(node / sixteen) + node % sixteen;
      CHECK(blocks.tree[height].lowest[node] <= row);
      for (std::size_t j = 0; j < blocks.attributes; ++j, face += 2 * sixteen) {
        const double value = blocks.values[place * blocks.attributes + j];
        CHECK(value == blocks.table.numbers(row, j));
        CHECK(face[0] <= value && value <= face[sixteen]);
      }
      node /= sixteen;
    }
    const float* face = &blocks.leaf_boxes[block * blocks.attributes * 2 * sixteen];
    for (std::size_t j = 0; j < blocks.attributes; ++j) {
      const float* sides = face + j * 2 * sixteen + place / sixteen % sixteen;
      CHECK(sides[0] <= code[j * sixteen + place % sixteen]);
      CHECK(code[j * sixteen + place % sixteen] <= sides[sixteen]);
    }
  }
  CHECK(count == blocks.size);
}

TEST(what_is_left_of_a_stretch_comes_together_in_its_order) {
  Random random(1);
  for (int round = 0; round < 30; ++round) {
    const auto data = make_mixed(random, 300 + random.below(900), random.below(3), 0);
    auto blocks = blocks_of(data.records());
    const std::size_t begin = random.below(200);
    PlaceStretch stretch{begin, begin + 1 + random.below(data.numbers.rows - begin)};
    for (std::size_t place = 0; place < data.numbers.rows; ++place)
      if (random.below(3) > 0) blocks.strike(place);
    is_sound(blocks);
    std::vector<std::size_t> left, before = blocks.rows;
    for (std::size_t place = stretch.begin; place < stretch.end; ++place)
      if (before[place] != no_row) left.push_back(before[place]);
    const PlaceStretch packed = blocks.pack(stretch);
    is_sound(blocks);
    CHECK(packed.begin == stretch.begin && packed.size() == left.size());
    for (std::size_t place = 0; place < before.size(); ++place) {
      const bool inside = stretch.holds(place);
      const std::size_t row = !inside               ? before[place]
                              : packed.holds(place) ? left[place - begin]
                                                    : no_row;
      CHECK(blocks.rows[place] == row);
    }
  }
}

// The best of a stretch by looking at each record.
template <class Score>
Found plain_best(const StretchBlocks& blocks, const PlaceStretch& stretch, Score&& score) {
  Found best = nothing;
  for (std::size_t place = stretch.begin; place < stretch.end; ++place) {
    if (blocks.rows[place] == no_row) continue;
    if (const Found found{score(place), blocks.rows[place], place}; found < best) best = found;
  }
  return best;
}

TEST(the_best_of_a_stretch_is_that_of_looking_at_each_record) {
  Random random(2);
  for (const std::string kind : {"plain", "ties", "equal", "outlier", "tiny", "clusters"})
    for (const auto isa : levels())
      for (int round = 0; round < 10; ++round) {
        const auto data = troubled(random, kind, 1200, 1 + random.below(5));
        auto blocks = blocks_of(data.table());
        for (std::size_t place = 0; place < data.rows; ++place)
          if (random.below(3) == 0) blocks.strike(place);
        Search<DistanceObjective<Side::nearest>> search(blocks);
        const double* point = &blocks.values[random.below(data.rows) * data.columns];
        const std::size_t begin = random.below(700);
        const PlaceStretch stretch{begin, begin + 1 + random.below(round % 2 == 0 ? 500 : 40)};
        const Found expected = plain_best(blocks, stretch, [&](std::size_t place) {
          return squared_distance_by_attributes(&blocks.values[place * data.columns], point,
                                                data.columns);
        });
        for (const std::size_t near : {no_row, begin, begin + random.below(400)}) {
          Found best = nothing;
          search.improve({point}, best, isa, stretch, near);
          CHECK(best.row == expected.row && best.score == expected.score);
          // What is as good already stays.
          Found rival{expected.score, 0, 5};
          search.improve({point}, rival, isa, stretch, near);
          CHECK(rival.row == 0 && (expected.row == 0 || rival.place == 5));
        }
      }
}

TEST(a_record_outside_the_box_has_no_finite_score) {
  Random random(3);
  for (int round = 0; round < 50; ++round) {
    const auto data = make_data(random, 300, 1 + random.below(4), random.below(2) * 6);
    const auto blocks = blocks_of(data.table());
    BoxedObjective aim(blocks);
    std::vector<double> point(data.columns, 0.1), lower(data.columns), upper(data.columns);
    for (std::size_t j = 0; j < data.columns; ++j) {
      lower[j] = data.table()(random.below(300), j);
      upper[j] = std::max(lower[j], data.table()(random.below(300), j));
    }
    aim.set({{point.data()}, lower.data(), upper.data()});
    for (std::size_t place = 0; place < 300; ++place) {
      bool inside = true;
      for (std::size_t j = 0; j < data.columns; ++j) {
        const double value = data.table()(place, j);
        inside = inside && lower[j] <= value && value <= upper[j];
      }
      CHECK((aim.score(place) < infinite) == inside);
    }
  }
}

TEST(of_equal_scores_the_lower_row_is_found) {
  const Found a{1.0, 3, 0}, b{1.0, 4, 0}, c{0.5, 9, 0};
  CHECK(a < b && !(b < a) && c < a && b < nothing && !(nothing < b));
}

}  // namespace
