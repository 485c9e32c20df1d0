// Halves of a block: which records fall in which, by their values and by their ranges.
#include "tokumei/order/halving.hpp"

#include <cmath>
#include <map>
#include <vector>

#include "check.hpp"
#include "data.hpp"

using namespace tokumei::order;

namespace {

TEST(a_middle_lies_above_the_lower_end) {
  CHECK(middle_of(0.0, 1.0) == 0.5 && middle_of(-3.0, 1.0) == -1.0);
  const double next = std::nextafter(1.0, 2.0);
  CHECK(middle_of(1.0, next) == next);
  CHECK(middle_of(-1e308, 1e308) > -1e308);
}

TEST(children_hold_the_records_of_their_halves) {
  Random random(1);
  ProgressMonitor monitor;
  for (int round = 0; round < 200; ++round) {
    const auto data =
        make_data(random, 1 + random.below(50), 1 + random.below(4), random.below(3) * 2);
    std::vector<std::size_t> rows;
    for (std::size_t row = 0; row < data.rows; ++row)
      if (rows.empty() || random.below(3) > 0) rows.push_back(row);
    const auto ranges = value_ranges(data.table(), rows);
    std::vector<AxisMiddle> middles;
    for (std::size_t j = 0; j < data.columns; ++j) {
      double least = data.table()(rows[0], j), most = least;
      for (const auto row : rows) {
        least = std::min(least, data.table()(row, j));
        most = std::max(most, data.table()(row, j));
      }
      CHECK(ranges[j].least == least && ranges[j].most == most);
      if (random.below(2) == 0) middles.push_back({j, random.uniform() * 2 - 0.5});
    }
    std::map<std::uint64_t, std::vector<std::size_t>> expected;
    bool same = true;
    for (const auto row : rows) {
      std::uint64_t code = 0;
      for (std::size_t t = 0; t < middles.size(); ++t)
        code |= std::uint64_t{data.table()(row, middles[t].axis) >= middles[t].value} << t;
      expected[code].push_back(row);
      for (std::size_t j = 0; j < data.columns; ++j)
        same = same && data.table()(row, j) == data.table()(rows[0], j);
    }
    CHECK(identical(data.table(), rows) == same);
    const auto by_ranges = halve_ranges(ranges, rows.size(), middles);
    CHECK(by_ranges.size() == (expected.size() == 1 ? 1 : 0));
    auto ordered = rows;
    const auto children = halve_rows(data.table(), ordered, middles, monitor);
    CHECK(children.size() == expected.size());
    auto child = children.begin();
    for (const auto& [code, members] : expected) {
      CHECK(child->code == code);
      CHECK(std::vector<std::size_t>(&ordered[child->begin], ordered.data() + child->end) ==
            members);
      if (expected.size() == 1)
        CHECK(by_ranges[0].code == code && by_ranges[0].begin == 0 &&
              by_ranges[0].end == rows.size());
      ++child;
    }
  }
}

}  // namespace
