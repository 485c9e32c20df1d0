// The box store against looking at every record, for every instruction set, on tables that hurt.
#include "tokumei/spatial/box_store.hpp"

#include <string>
#include <vector>

#include "check.hpp"
#include "data.hpp"

using namespace tokumei::spatial;

namespace {

// The row of the least width, or of the greatest, the lowest of equals.
std::size_t best_row(const Data& data, const std::vector<std::size_t>& rows, const BoundingBox& box,
                     bool greatest) {
  std::size_t best = data.rows;
  double best_width = 0.0;
  std::vector<double> point(data.columns);
  for (const auto row : rows) {
    for (std::size_t j = 0; j < data.columns; ++j) point[j] = data.table()(row, j);
    const double width = box.width_with(point.data());
    const bool better = greatest ? width > best_width : width < best_width;
    if (best == data.rows || better || (width == best_width && row < best)) {
      best = row;
      best_width = width;
    }
  }
  return best;
}

// Grows boxes and takes out what is found, until nothing is left.
void exercise(Random& random, const Data& data, InstructionSet isa, std::size_t searches) {
  Run run{1, isa, {}};
  BoxStore store(data.table(), searches, run);
  BoundingBox box;
  while (store.size() > 0) {
    const auto rows = store.remaining();
    std::size_t found = 0;
    if (box.lower.empty() || random.below(4) == 0) {
      std::vector<double> point(data.columns);
      const std::size_t at = random.below(data.rows);
      for (std::size_t j = 0; j < data.columns; ++j) point[j] = data.table()(at, j);
      box = {point, point};
      found = store.farthest(point.data());
      CHECK(store.row(found) == best_row(data, rows, box, true));
    } else {
      found = store.cheapest(box);
      CHECK(store.row(found) == best_row(data, rows, box, false));
      box.hold(store.record(found));
    }
    store.remove({&found, 1});
  }
}

}  // namespace

TEST(the_best_record_for_a_box_is_that_of_looking_at_every_record) {
  Random random(17);
  for (const std::string kind : {"plain", "ties", "equal", "offset", "outlier", "tiny", "subnormal",
                                 "large", "mixed scales", "clusters", "collinear", "few rows"})
    for (const auto isa : levels()) {
      for (int round = 0; round < 4; ++round)
        exercise(random, troubled(random, kind, 1 + random.below(60), 1 + random.below(9)), isa,
                 1000 * random.below(2));
      // Several blocks, building anew on the way.
      exercise(random, troubled(random, kind, 1500, 1 + random.below(6)), isa, 1000);
    }
}
