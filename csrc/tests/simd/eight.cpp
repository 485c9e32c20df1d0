// Eight lanes: sums in the stated order, the least, and what is kept of two.
#include "tokumei/simd/eight.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

#include "check.hpp"
#include "data.hpp"
#include "tokumei/simd/each_lane.hpp"

using namespace tokumei::simd;

namespace {

struct Summary {
  double total, lowest, distance;
};

struct Summarise {
  TOKUMEI_HOT static Summary run(const double* a, const double* b, std::size_t width) {
    const Eight x = load(a);
    return {total(x), lowest(x), squared_distance(a, b, width)};
  }
};

struct KeepLess {
  TOKUMEI_HOT static void run(const double* rows, std::size_t count, double* least, double* whose) {
    Eight low = load(rows), name = broadcast<Eight>(0.0);
    for (std::size_t i = 1; i < count; ++i)
      keep_less(low, name, load(rows + i * lane_count), static_cast<double>(i));
    store(least, low);
    store(whose, name);
  }
};

double in_the_stated_order(const double* v) {
  return ((v[0] + v[4]) + (v[2] + v[6])) + ((v[1] + v[5]) + (v[3] + v[7]));
}

TEST(eight_lanes_are_summed_four_then_two_apart) {
  Random random(1);
  for (int round = 0; round < 50; ++round) {
    const std::size_t width = 8 * (1 + random.below(3));
    const auto a = make_data(random, width, 1, 0, 1e6).values;
    const auto b = make_data(random, width, 1, 0).values;
    double squares[8] = {};
    for (std::size_t j = 0; j < width; ++j) {
      const double square = (a[j] - b[j]) * (a[j] - b[j]);
      squares[j % 8] = j < 8 ? square : squares[j % 8] + square;
    }
    for (const auto isa : levels()) {
      const auto found = dispatch<Summarise>(isa, a.data(), b.data(), width);
      CHECK(found.total == in_the_stated_order(a.data()));
      CHECK(found.lowest == *std::min_element(a.begin(), a.begin() + 8));
      CHECK(found.distance == in_the_stated_order(squares));
    }
  }
}

TEST(of_equal_values_the_first_name_is_kept) {
  Random random(2);
  for (int round = 0; round < 50; ++round) {
    const std::size_t count = 1 + random.below(6);
    const auto rows = make_data(random, 8 * count, 1, 3).values;
    for (const auto isa : levels()) {
      double least[8], whose[8];
      dispatch<KeepLess>(isa, rows.data(), count, &least[0], &whose[0]);
      for (std::size_t lane = 0; lane < 8; ++lane) {
        std::size_t first = 0;
        for (std::size_t i = 1; i < count; ++i)
          if (rows[i * 8 + lane] < rows[first * 8 + lane]) first = i;
        CHECK(least[lane] == rows[first * 8 + lane] && whose[lane] == static_cast<double>(first));
      }
    }
  }
}

TEST(lanes_are_filled_up_to_eight) {
  CHECK(padded(0) == 0 && padded(1) == 8 && padded(8) == 8 && padded(9) == 16);
  std::size_t visited = 0;
  TOKUMEI_EACH_LANE(lane) visited += lane;
  CHECK(visited == 28);
}

TEST(a_choice_in_bits_is_a_choice) {
  for (const std::int64_t yes : {INT64_MIN, std::int64_t{-1}, std::int64_t{0}, INT64_MAX})
    for (const std::int64_t no : {INT64_MIN, std::int64_t{5}, INT64_MAX}) {
      CHECK(select(true, yes, no) == yes);
      CHECK(select(false, yes, no) == no);
    }
}

}  // namespace
