// The walk through parts against the plain one, whatever it is told to do at the end of a part.
#include "tokumei/order/parted_walk.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

#include "check.hpp"
#include "data.hpp"
#include "orders.hpp"
#include "tokumei/numeric/row_blocks.hpp"
#include "tokumei/order/path_start.hpp"

using namespace tokumei::order;

namespace {

// Parts by the first value, so that equal records are in one.
RowBlocks parts_of(const Data& data, std::vector<std::size_t>& part_of) {
  part_of.resize(data.rows);
  for (std::size_t row = 0; row < data.rows; ++row)
    part_of[row] = data.values[row] < -0.4 ? 0 : data.values[row] < 0.1 ? 1 : 2;
  RowBlocks parts;
  for (std::size_t part = 0; part < 3; ++part) {
    parts.borders.push_back(parts.rows.size());
    for (std::size_t row = 0; row < data.rows; ++row)
      if (part_of[row] == part) parts.rows.push_back(row);
  }
  parts.borders.push_back(parts.rows.size());
  return parts;
}

Order plain_walk(const Data& data, const std::vector<std::size_t>& part_of) {
  Run run;
  return plain_path(data, farthest_from_mean(data.table(), run),
                    [&](std::size_t here, std::size_t a, std::size_t b) {
                      const bool away_a = part_of[a] != part_of[here],
                                 away_b = part_of[b] != part_of[here];
                      return away_a < away_b ||
                             (away_a == away_b && squared(data, here, a) < squared(data, here, b));
                    });
}

TEST(a_walk_leaves_a_part_when_it_is_empty_and_goes_where_it_is_told) {
  Random random(3);
  for (const std::size_t columns : {1U, 4U}) {
    const Data data = make_data(random, 300, columns, 0);
    std::vector<std::size_t> part_of;
    const RowBlocks parts = parts_of(data, part_of);
    Run run;
    PartedRecords records(data.table(), parts, run);
    std::vector<std::size_t> left;
    Order order(data.rows);
    parted_walk(data.table(), records, out(order), run, [&](std::size_t part, const double* point) {
      CHECK(records.empty(part));
      left.push_back(part);
      Found next = nothing;
      records.nearest(point, next);
      return next;
    });
    CHECK(order == plain_walk(data, part_of));
    CHECK(left.size() == 2);  // the last part ends with the walk
  }
}

}  // namespace
