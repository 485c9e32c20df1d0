// Where records of rare categories stand, and the nearest of all that is found by it.
#include "tokumei/spatial/category_listing.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "check.hpp"
#include "data.hpp"
#include "tokumei/spatial/record_store.hpp"

using namespace tokumei::spatial;

namespace {

// Numbers and three columns of codes: of few categories, of many, of about `rare` records each.
MixedData with_rare(Random& random, std::size_t rows, std::size_t rare, std::size_t values) {
  MixedData data{make_data(random, rows, 2, values), {}, {0.5, 1.0, 0.25}};
  const std::size_t many = 600;  // more than there are words for
  for (const std::size_t count : {std::size_t{4}, many, std::max(many, rows / rare)})
    for (std::size_t row = 0; row < rows; ++row)
      data.codes.push_back(random.below(9) == 0 ? -1
                                                : static_cast<std::int32_t>(random.below(count)));
  return data;
}

// The nearest row that is left, and how near, by the definition.
std::pair<double, std::size_t> nearest(const Records& x, const std::vector<char>& gone,
                                       std::size_t from) {
  std::pair<double, std::size_t> best{infinite, no_row};
  for (std::size_t row = 0; row < x.rows(); ++row) {
    if (gone[row]) continue;
    double sum = 0.0;
    for (std::size_t j = 0; j < x.numbers.columns(); ++j) {
      const double by = x.numbers(row, j) - x.numbers(from, j);
      sum += by * by;
    }
    for (std::size_t j = 0; j < x.codes.columns(); ++j) {
      const auto a = x.codes(row, j), b = x.codes(from, j);
      sum += a == b ? 0.0 : a < 0 || b < 0 ? x.weights[j] : 2.0 * x.weights[j];
    }
    best = std::min(best, {sum, row});
  }
  return best;
}

}  // namespace

TEST(the_nearest_of_records_with_rare_categories_is_that_of_looking_at_all) {
  Random random(21);
  for (const auto isa : levels())
    for (const std::size_t values : {0U, 3U})
      for (const std::size_t rare : {1U, 3U, 400U}) {
        const auto data = with_rare(random, 1500, rare, values);
        const auto x = data.records();
        Run run{1, isa, {}};
        RecordStore store(x, 1000, run, rare == 3 ? Equals::share_places : Equals::have_places);
        std::vector<char> gone(x.rows());
        std::size_t place = 0;
        // Far enough that places change.
        while (store.size() > 300) {
          const OwnPoint here = store.point(place);
          const std::size_t row = store.row(place);
          gone[row] = 1;
          store.remove({&place, 1});
          const auto expected = nearest(x, gone, row);
          place = store.nearest(here.view(), 1).front();
          CHECK(store.row(place) == expected.second);
          const Point point = here.view();
          CHECK(store.nearest(point, 1, expected.first, expected.second).empty());
          CHECK(store.nearest(point, 1, expected.first, expected.second + 1).size() == 1);
        }
      }
}

TEST(a_listing_holds_every_place_once_and_no_column_of_few_categories) {
  Random random(22);
  const auto data = with_rare(random, 900, 1, 0);
  const auto x = data.records();
  ThreadTeam team(1);
  ProgressMonitor monitor;
  std::vector<std::size_t> rows;
  for (std::size_t row = 0; row < x.rows(); row += 1 + row % 3) rows.push_back(row);
  RecordBlocks blocks(x);
  blocks.build(rows, team, monitor);
  blocks.remove(5);
  CategoryListing listing;
  listing.build(blocks.categories, blocks.rows);
  CHECK(listing.columns() == 2 && listing.column(0) == 1 && listing.column(1) == 2);
  for (std::size_t i = 0; i < 2; ++i) {
    std::size_t listed = 0;
    for (std::size_t slot = 0; slot < blocks.categories.slots_of(listing.column(i)); ++slot) {
      const auto places = listing.places(i, static_cast<CategorySlot>(slot));
      listed += places.size();
      for (const std::size_t place : places) {
        CHECK(blocks.rows[place] != no_row);
        CHECK(static_cast<std::size_t>(blocks.categories.slots(place)[listing.column(i)]) == slot);
      }
    }
    CHECK(listed == blocks.size);
  }
}
