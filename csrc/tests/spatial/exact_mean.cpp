// The exact mean and who is farthest from it, against sums over all pairs of records.
#include "tokumei/spatial/exact_mean.hpp"

#include <algorithm>
#include <cstddef>
#include <vector>

#include "check.hpp"
#include "data.hpp"
#include "farthest.hpp"
#include "tokumei/spatial/record_store.hpp"

using namespace tokumei::spatial;

namespace {

// Takes out the farthest from the mean of what is left, and a few near it, until nothing is left.
void exercise(Random& random, const Records& x, InstructionSet isa, std::size_t searches) {
  Run run{1, isa, {}};
  RecordStore store(x, searches, run);
  ExactMean mean(x, run);
  while (store.size() > 0) {
    const auto rows = store.remaining();
    mean.round();
    const std::size_t far = store.farthest_from_mean(mean);
    CHECK(store.row(far) == exactly_farthest(x, rows, rows));
    const OwnPoint here = store.point(far);
    const auto places = store.nearest(here.view(), 1 + random.below(7));
    for (const auto place : places) mean.remove(store.at(place));
    store.remove(places);
  }
}

}  // namespace

TEST(the_farthest_from_the_mean_is_exact_where_roundings_mislead) {
  const std::vector<double> triangle{0, 0, 2, 0, 2, 2};
  const Records x{Table<double>(triangle.data(), 3, 2)};
  Run run;
  RecordStore store(x, 1, run);
  ExactMean mean(x, run);
  CHECK(store.row(store.farthest_from_mean(mean)) == 0);
  const std::vector<double> one{0, 0}, two{0, 2}, three{2, 2};
  CHECK(mean.compare(one.data(), three.data()) == 0);
  CHECK(mean.compare(two.data(), one.data()) < 0);
  CHECK(mean.compare(three.data(), two.data()) > 0);
}

TEST(the_store_finds_the_farthest_from_the_mean_exactly) {
  Random random(31);
  for (const auto isa : levels())
    for (const std::size_t ties : {0, 2, 3})
      for (const double unit : {1.0, 0.1, 1e-120, 1e120})
        for (const double offset : {0.0, 1e8}) {
          auto data = make_data(random, 2 + random.below(120), 1 + random.below(4), ties, offset);
          for (auto& value : data.values) value *= unit;
          exercise(random, data.table(), isa, 1000 * random.below(2));
        }
}

TEST(so_it_does_among_equal_records_that_fill_nodes) {
  Random random(32);
  const auto data = make_data(random, 1500, 2, 2);
  Run run{1, levels().back(), {}};
  RecordStore store(data.table(), 1000, run);
  ExactMean mean(data.table(), run);
  std::vector<std::size_t> all = store.remaining();
  CHECK(store.row(store.farthest_from_mean(mean)) == exactly_farthest(data.table(), all, all));
}

TEST(so_it_does_with_codes) {
  Random random(33);
  for (const auto isa : levels())
    for (const std::size_t ties : {0, 2}) {
      const auto data = make_mixed(random, 1 + random.below(90), 1 + random.below(5), ties);
      exercise(random, data.records(), isa, 1000 * random.below(2));
    }
}
