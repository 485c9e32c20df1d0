// The nearest centres against looking at every centre, for every instruction set and threads.
#include "tokumei/group/nearest_centres.hpp"

#include <cstdint>
#include <string>
#include <vector>

#include "check.hpp"
#include "data.hpp"

using namespace tokumei::group;

namespace {

std::vector<std::int64_t> plain(const Data& centres, const Data& data) {
  std::vector<std::int64_t> nearest(data.rows);
  for (std::size_t row = 0; row < data.rows; ++row) {
    double least = 0.0;
    for (std::size_t centre = 0; centre < centres.rows; ++centre) {
      double sum = 0.0;
      for (std::size_t j = 0; j < data.columns; ++j) {
        const double by = centres.table()(centre, j) - data.table()(row, j);
        sum += by * by;
      }
      if (centre > 0 && !(sum < least)) continue;
      least = sum;
      nearest[row] = static_cast<std::int64_t>(centre);
    }
  }
  return nearest;
}

void compare(const Data& centres, const Data& data) {
  const auto wanted = plain(centres, data);
  for (const auto isa : levels())
    for (const unsigned threads : {1U, 3U}) {
      std::vector<std::int64_t> found(data.rows, -1);
      nearest_centres(centres.table(), data.table(), {found.data(), found.size()},
                      {threads, isa, {}});
      CHECK(found == wanted);
    }
}

}  // namespace

TEST(nearest_centres_are_those_of_a_look_at_every_centre) {
  Random random(11);
  for (const std::size_t levels : {0UL, 3UL})
    for (const double offset : {0.0, 1e9})
      for (int time = 0; time < 12; ++time) {
        const std::size_t columns = 1 + random.below(9);
        const auto centres = make_data(random, 1 + random.below(700), columns, levels, offset);
        compare(centres, make_data(random, 1 + random.below(2500), columns, levels, offset));
      }
}

TEST(nearest_centres_are_found_where_tables_hurt) {
  Random random(12);
  for (const char* kind : {"ties", "equal", "offset", "outlier", "clusters", "mixed scales"}) {
    const auto centres = troubled(random, kind, 300, 3);
    compare(centres, troubled(random, kind, 1500, 3));
  }
}
