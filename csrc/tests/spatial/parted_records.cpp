// Records in parts: the nearest of a part, of all and of a box are those of looking at all of them.
#include "tokumei/spatial/parted_records.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "check.hpp"
#include "data.hpp"

using namespace tokumei::spatial;

namespace {

// The lowest row that is equal to a row.
std::size_t lowest_of(const Data& data, std::size_t row) {
  const auto table = data.table();
  for (std::size_t other = 0; other < row; ++other) {
    std::size_t j = 0;
    while (j < data.columns && table(row, j) == table(other, j)) ++j;
    if (j == data.columns) return other;
  }
  return row;
}

// Rows dealt to blocks by chance, equal ones to the same, none empty.
RowBlocks some_parts(Random& random, const Data& data, std::size_t count) {
  std::vector<std::vector<std::size_t>> members(count);
  std::vector<std::size_t> block_of(data.rows);
  for (std::size_t row = 0; row < data.rows; ++row) {
    const std::size_t lowest = lowest_of(data, row);
    block_of[row] = lowest < row ? block_of[lowest] : random.below(count);
    members[block_of[row]].push_back(row);
  }
  RowBlocks blocks;
  blocks.borders.push_back(0);
  for (const auto& block : members) {
    if (block.empty()) continue;
    blocks.rows.insert(blocks.rows.end(), block.begin(), block.end());
    blocks.borders.push_back(blocks.rows.size());
  }
  return blocks;
}

// The least (squared distance, row) of some rows that hold, or none.
template <class Counts>
std::size_t nearest_of(const Data& data, std::size_t from, Counts&& counts) {
  Found best = nothing;
  for (std::size_t row = 0; row < data.rows; ++row) {
    if (!counts(row)) continue;
    double sum = 0.0;
    for (std::size_t j = 0; j < data.columns; ++j) {
      const double by = data.table()(row, j) - data.table()(from, j);
      sum += by * by;
    }
    if (const Found found{sum, row, 0}; found < best) best = found;
  }
  return best.row;
}

// Whether equal records shared a place.
bool walk(Random& random, const Data& data, std::size_t parts, InstructionSet isa) {
  const auto split = some_parts(random, data, parts);
  std::vector<std::size_t> part_of(data.rows);
  for (std::size_t part = 0; part < split.size(); ++part)
    for (std::size_t i = split.borders[part]; i < split.borders[part + 1]; ++i)
      part_of[split.rows[i]] = part;
  Run run{1 + static_cast<unsigned>(random.below(2)), isa, {}};
  PartedRecords records(data.table(), split, run);
  std::vector<char> visited(data.rows);
  std::size_t at = lowest_of(data, random.below(data.rows)), places = 0;
  std::size_t place = records.place_of(at);
  std::vector<double> point(data.columns), lower(data.columns), upper(data.columns);
  const auto value = [&](std::size_t j) { return data.table()(random.below(data.rows), j); };
  for (; at != no_row; ++places) {
    CHECK(records.row(place) == at && !visited[at]);
    CHECK(records.part_of(place) == part_of[at]);
    for (std::size_t row = at; row != no_row; row = records.next(row)) {
      CHECK(!visited[row] && (row == at || lowest_of(data, row) == at));
      visited[row] = 1;
    }
    std::copy_n(records.record(place), data.columns, point.begin());
    for (std::size_t j = 0; j < data.columns; ++j) {
      CHECK(point[j] == data.table()(at, j));
      const double one = value(j), other = value(j);
      lower[j] = random.below(4) == 0 ? -infinite : std::min(one, other);
      upper[j] = random.below(4) == 0 ? infinite : std::max(one, other);
    }
    records.visit(place, part_of[at]);
    const auto left = [&](std::size_t row) { return !visited[row]; };
    const auto in_part = [&](std::size_t row) { return left(row) && part_of[row] == part_of[at]; };
    const auto in_box = [&](std::size_t row) {
      bool inside = left(row);
      for (std::size_t j = 0; j < data.columns; ++j)
        inside = inside && lower[j] <= data.table()(row, j) && data.table()(row, j) <= upper[j];
      return inside;
    };
    Found of_part = nothing, of_all = nothing, of_box = nothing;
    records.nearest_of_part(part_of[at], point.data(), of_part);
    records.nearest(point.data(), of_all);
    records.nearest_in_box(point.data(), lower.data(), upper.data(), of_box);
    CHECK(of_part.row == nearest_of(data, at, in_part));
    CHECK(of_all.row == nearest_of(data, at, left));
    CHECK(of_box.row == nearest_of(data, at, in_box));
    CHECK(records.empty(part_of[at]) == (of_part.row == no_row));
    // What is better than the best so far is put in its place, and nothing else.
    Found best = of_part;
    for (std::size_t part = 0; part < std::min<std::size_t>(split.size(), 3); ++part)
      records.nearest_of_part(part, point.data(), best);
    CHECK(best.row == nearest_of(data, at, [&](std::size_t row) {
            return in_part(row) || (left(row) && part_of[row] < 3);
          }));
    const Found next = random.below(2) == 0 && of_part.row != no_row ? of_part : of_all;
    at = next.row;
    place = next.place;
  }
  CHECK(std::find(visited.begin(), visited.end(), 0) == visited.end());
  return places < data.rows;
}

TEST(the_nearest_unvisited_record_is_that_of_looking_at_all) {
  Random random(1);
  for (const std::string kind : {"plain", "ties", "equal", "offset", "outlier", "clusters", "tiny",
                                 "subnormal squares", "collinear", "few rows", "mixed scales"})
    for (const auto isa : levels()) {
      walk(random, troubled(random, kind, 1 + random.below(40), 1 + random.below(9)),
           1 + random.below(20), isa);
      walk(random, troubled(random, kind, 400, 1 + random.below(3)), 1 + random.below(3), isa);
    }
}

TEST(equal_records_share_a_place_where_they_are_many_and_told_apart) {
  Random random(4);
  for (const auto isa : levels()) {
    CHECK(walk(random, make_data(random, 300, 2, 5), 3, isa));
    CHECK(walk(random, make_data(random, 1500, 3, 6), 1, isa));
    CHECK(!walk(random, make_data(random, 300, 2, 0), 3, isa));
    auto vanishing = make_data(random, 300, 2, 5);
    for (auto& value : vanishing.values) value *= 0x1p-600;
    CHECK(!walk(random, vanishing, 3, isa));
  }
}

TEST(large_parts_are_searched_and_packed_as_they_shrink) {
  Random random(2);
  for (const std::string kind : {"plain", "ties", "few rows"})
    for (const auto isa : levels())
      walk(random, troubled(random, kind, 1500, 2 + random.below(3)), 1 + random.below(2), isa);
}

TEST(a_stretch_has_places_in_the_nodes_that_it_crosses) {
  Random random(3);
  for (int round = 0; round < 500; ++round) {
    const std::size_t begin = random.below(5000);
    const PlaceStretch stretch{begin, begin + 1 + random.below(2000)};
    for (const unsigned shift : {record_shift, leaf_shift, block_shift}) {
      const std::size_t group = random.below((7000 >> shift >> 4) + 1);
      unsigned expected = 0;
      for (std::size_t place = stretch.begin; place < stretch.end; ++place)
        if (place >> shift >> 4 == group) expected |= 1U << (place >> shift & 15);
      CHECK(stretch.members(shift, group) == expected);
      CHECK(!stretch.fits_one_group(shift) || expected == 0 ||
            stretch.within(shift + 4, group).size() == stretch.size());
    }
    CHECK(stretch.holds(begin) && !stretch.holds(stretch.end) && !stretch.holds(begin - 1));
    CHECK(stretch.leaves() == (stretch.end - 1) / 16 - begin / 16 + 1);
  }
  CHECK(PlaceStretch{}.members(block_shift, 3) == all_sixteen && PlaceStretch{}.holds(7));
}

}  // namespace
