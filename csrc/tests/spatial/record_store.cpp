// The record store against looking at every record, for every instruction set, on tables that hurt.
#include "tokumei/spatial/record_store.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "check.hpp"
#include "data.hpp"

using namespace tokumei::spatial;

namespace {

using Scored = std::pair<double, std::size_t>;  // the better the lower, then the lower row

std::vector<Scored> scores(const Data& data, const std::vector<char>& gone, const double* point,
                           bool far) {
  std::vector<Scored> all;
  for (std::size_t row = 0; row < data.rows; ++row) {
    if (gone[row]) continue;
    double sum = 0.0;
    for (std::size_t j = 0; j < data.columns; ++j) {
      const double by = data.table()(row, j) - point[j];
      sum += by * by;
    }
    all.emplace_back(far ? -sum : sum, row);
  }
  std::sort(all.begin(), all.end());
  return all;
}

// The rows that are taken from these places, where equal records share one or do not.
std::vector<std::size_t> rows_of(const RecordStore& store, std::span<const std::size_t> places) {
  std::vector<std::size_t> rows;
  std::map<std::size_t, std::size_t> next;
  for (const auto place : places) {
    rows.push_back(next.try_emplace(place, store.row(place)).first->second);
    next[place] = store.next(rows.back());
  }
  std::sort(rows.begin(), rows.end());
  return rows;
}

// Searches from all kinds of points, taking out what is found, until nothing is left.
void exercise(Random& random, const Data& data, InstructionSet isa, std::size_t searches,
              std::size_t most, Equals equals) {
  Run run{1, isa, {}};
  RecordStore store(data.table(), searches, run, equals);
  std::vector<char> gone(data.rows);
  std::vector<double> point(data.columns);
  while (store.size() > 0) {
    const auto rows = store.remaining();
    CHECK(rows.size() == store.size());
    const bool middle = random.below(3) == 0;
    const std::size_t at = rows[random.below(rows.size())];
    for (std::size_t j = 0; j < data.columns; ++j) {
      point[j] = data.table()(at, j);
      if (!middle) continue;
      point[j] = 0.0;
      for (const auto row : rows)
        point[j] += data.table()(row, j) / static_cast<double>(rows.size());
    }
    const auto far = scores(data, gone, point.data(), true);
    const auto found =
        middle ? store.farthest_from_centre(point.data()) : store.farthest(point.data());
    CHECK(store.row(found) == far.front().second);
    const std::size_t count = random.below(most + 1);
    const auto near = scores(data, gone, point.data(), false);
    std::vector<std::size_t> expected;
    for (std::size_t i = 0; i < std::min(count, near.size()); ++i)
      expected.push_back(near[i].second);
    std::sort(expected.begin(), expected.end());
    // Only those before some record, in the order of distances.
    const auto& limit = near[random.below(near.size())];
    std::vector<std::size_t> before;
    for (std::size_t i = 0; i < std::min(count, near.size()) && near[i] < limit; ++i)
      before.push_back(near[i].second);
    std::sort(before.begin(), before.end());
    CHECK(rows_of(store, store.nearest(point.data(), count, limit.first, limit.second)) == before);
    const auto places = store.nearest(point.data(), count);
    CHECK(rows_of(store, places) == expected);
    if (random.below(2) == 0) {
      for (const auto row : expected) gone[row] = 1;
      store.remove(places);
    } else if (equals == Equals::share_places && random.below(2) == 0) {
      // Up to so many equal records at once, the lowest rows first.
      std::size_t lowest = far.front().second, taken = 0;
      const std::size_t all = store.size(), wanted = 1 + random.below(20);
      store.take_equal(found, wanted, [&](std::size_t row, const Point& record) {
        CHECK(row >= lowest && !gone[row] && ++taken <= wanted);
        for (std::size_t j = 0; j < data.columns; ++j)
          CHECK(record.numbers[j] == data.table()(far.front().second, j));
        lowest = row + 1;
        gone[row] = 1;
      });
      CHECK(taken > 0 && gone[far.front().second] && store.size() == all - taken);
    } else {
      gone[far.front().second] = 1;
      store.remove({&found, 1});
    }
  }
}

}  // namespace

TEST(the_nearest_and_the_farthest_are_those_of_looking_at_every_record) {
  Random random(11);
  for (const std::string kind :
       {"plain", "ties", "equal", "offset", "outlier", "tiny", "subnormal squares", "small",
        "large", "mixed scales", "heavy tails", "clusters", "collinear", "few rows", "sphere"})
    for (const auto isa : levels()) {
      for (int round = 0; round < 8; ++round)
        exercise(random, troubled(random, kind, 1 + random.below(60), 1 + random.below(9)), isa,
                 1000 * random.below(2), 9, round < 4 ? Equals::have_places : Equals::share_places);
      // Several blocks, then several heights of the tree, building anew on the way.
      exercise(random, troubled(random, kind, 700, 1 + random.below(6)), isa, 1000, 40,
               Equals::have_places);
      exercise(random, troubled(random, kind, 5000, 1 + random.below(4)), isa, 1000, 900,
               Equals::have_places);
    }
}

TEST(equal_records_that_share_a_place_are_found_one_after_another) {
  Random random(12);
  for (const auto isa : levels())
    for (const std::size_t values : {1U, 2U, 6U, 20U}) {
      exercise(random, make_data(random, 900, 2, values), isa, 1000, 90, Equals::share_places);
      exercise(random, make_data(random, 3000, 3, values), isa, 1000, 500, Equals::share_places);
    }
  // Records that differ by nothing when squared have places of their own.
  auto data = make_data(random, 90, 2, 3);
  for (auto& value : data.values) value *= 1e-170;
  for (const auto isa : levels()) exercise(random, data, isa, 1000, 9, Equals::share_places);
  Run run{1, best_instruction_set(), {}};
  const auto shared = make_data(random, 400, 2, 3), own = make_data(random, 400, 2, 1000);
  const RecordStore together(shared.table(), 1000, run, Equals::share_places);
  const RecordStore apart(own.table(), 1000, run, Equals::share_places);
  std::size_t followed = 0;
  for (std::size_t row = 0; row < 400; ++row) {
    followed += together.next(row) != no_row;
    CHECK(apart.next(row) == no_row);
  }
  CHECK(followed == 400 - 9);
}
