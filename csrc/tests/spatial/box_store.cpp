// The box store against looking at every record, for every instruction set, on tables that hurt.
#include "tokumei/spatial/box_store.hpp"

#include <algorithm>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "check.hpp"
#include "data.hpp"

using namespace tokumei::spatial;

namespace {

// The width of some records and one more.
double width(const Records& x, std::vector<std::size_t> rows, std::size_t with) {
  rows.push_back(with);
  double sum = 0.0;
  for (std::size_t j = 0; j < x.numbers.columns(); ++j) {
    double low = infinite, high = -infinite;
    for (const auto row : rows) {
      low = std::min(low, x.numbers(row, j));
      high = std::max(high, x.numbers(row, j));
    }
    sum += high - low;
  }
  for (std::size_t j = 0; j < x.codes.columns(); ++j) {
    std::set<std::int32_t> held;
    for (const auto row : rows) held.insert(x.codes(row, j));
    if (held.size() > 1) sum += static_cast<double>(held.size()) - (held.count(-1) > 0 ? 1.0 : 0.0);
  }
  return sum;
}

// The row of the least width, or of the greatest, the lowest of equals.
std::size_t best_row(const Records& x, const std::vector<std::size_t>& rows,
                     const std::vector<std::size_t>& held, bool greatest) {
  std::size_t best = x.rows();
  double best_width = 0.0;
  for (const auto row : rows) {
    const double here = width(x, held, row);
    const bool better = greatest ? here > best_width : here < best_width;
    if (best == x.rows() || better || (here == best_width && row < best)) {
      best = row;
      best_width = here;
    }
  }
  return best;
}

Equals equals_of(Random& random) {
  return random.below(2) == 0 ? Equals::have_places : Equals::share_places;
}

// Grows boxes and takes out what is found, until nothing is left.
void exercise(Random& random, const Records& x, InstructionSet isa, std::size_t searches,
              Equals equals) {
  Run run{1, isa, {}};
  BoxStore store(x, searches, run, equals);
  BoundingBox box;
  HeldCategories held(x.codes.columns());
  std::vector<std::size_t> members;
  while (store.size() > 0) {
    const auto rows = store.remaining();
    std::size_t found = 0;
    if (box.lower.empty() || random.below(4) == 0) {
      const std::size_t at = random.below(x.rows());
      const OwnPoint point = point_of(x, at);
      box = {point.numbers, point.numbers};
      held = HeldCategories(x.codes.columns());
      held.hold(point.slots.data());
      members = {at};
      found = store.farthest(point.numbers.data(), held);
      CHECK(store.row(found) == best_row(x, rows, members, true));
    } else {
      found = store.cheapest(box, held);
      CHECK(store.row(found) == best_row(x, rows, members, false));
      const OwnPoint point = store.point(found);
      members.push_back(store.row(found));
      CHECK(held.add_widths(box.width_with(point.numbers.data()), point.slots.data()) ==
            width(x, members, members[0]));
      box.hold(point.numbers.data());
      held.hold(point.slots.data());
      CHECK(held.add_widths(box.width()) == width(x, members, members[0]));
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
        exercise(random, troubled(random, kind, 1 + random.below(60), 1 + random.below(9)).table(),
                 isa, 1000 * random.below(2), equals_of(random));
      // Several blocks, building anew on the way.
      exercise(random, troubled(random, kind, 1500, 1 + random.below(6)).table(), isa, 1000,
               equals_of(random));
    }
}

TEST(categories_widen_groups_as_corners_of_a_simplex_do) {
  Random random(18);
  for (const auto isa : levels())
    for (const std::size_t ties : {0, 2}) {
      for (int round = 0; round < 6; ++round) {
        const auto data = make_mixed(random, 1 + random.below(60), 1 + random.below(9), ties);
        exercise(random, data.records(), isa, 1000 * random.below(2), equals_of(random));
      }
      const auto data = make_mixed(random, 700, 8, ties);
      exercise(random, data.records(), isa, 1000, equals_of(random));
    }
}
