// Codes numbered anew, and ranks by frequency.
#include "tokumei/group/local_records.hpp"

#include <cstddef>
#include <cstdint>
#include <set>
#include <vector>

#include "check.hpp"
#include "data.hpp"
#include "tokumei/group/frequency_ranks.hpp"

using namespace tokumei::group;

TEST(codes_of_few_records_are_numbered_in_their_order) {
  Random random(1);
  for (const std::int32_t span : {5, 1'000'000}) {
    const std::size_t n = 60;
    const Data numbers = make_data(random, n, 2, 0);
    const std::vector<double> weights{1.0, 2.0};
    std::vector<std::int32_t> codes;
    for (std::size_t i = 0; i < 2 * n; ++i)
      codes.push_back(random.below(6) == 0 ? -1
                                           : static_cast<std::int32_t>(
                                                 random.below(static_cast<std::size_t>(span))));
    const Records x(numbers.table(), {codes.data(), n, 2}, {weights.data(), 2});
    const std::vector<std::size_t> rows{7, 3, 3, 50, 0, 59, 12};
    const LocalRecords local(x, rows.data(), rows.size());
    const Records some = local.view();
    CHECK(some.rows() == rows.size() && some.codes.columns() == 2 && some.weights[1] == 2.0);
    for (std::size_t j = 0; j < 2; ++j)
      for (std::size_t a = 0; a < rows.size(); ++a) {
        CHECK(some.numbers(a, j) == x.numbers(rows[a], j));
        CHECK((some.codes(a, j) < 0) == (x.codes(rows[a], j) < 0));
        CHECK(some.codes(a, j) < static_cast<std::int32_t>(4 * rows.size()));
        for (std::size_t b = 0; b < rows.size(); ++b)
          CHECK((some.codes(a, j) < some.codes(b, j)) ==
                (x.codes(rows[a], j) < x.codes(rows[b], j)));
      }
  }
}

TEST(the_most_frequent_category_has_the_first_rank_and_of_equals_the_lower_code) {
  const std::vector<std::int32_t> codes{4, 2, 2, -1, 4, 0, 7};
  std::vector<double> ranks(codes.size());
  fill_ranks({codes.data(), codes.size()}, ranks.data());
  CHECK((ranks == std::vector<double>{2, 1, 1, 0, 2, 3, 4}));
}

TEST(different_ranks_are_counted_whether_there_are_few_or_many) {
  Random random(2);
  for (const std::size_t span : {3, 20, 100'000})
    for (const std::size_t count : {1, 2, 9, 300}) {
      std::vector<double> ranks(count);
      for (auto& rank : ranks) rank = static_cast<double>(random.below(span));
      const std::set<double> known(ranks.begin(), ranks.end());
      CHECK(different_ranks(ranks.data(), count) == static_cast<double>(known.size()));
    }
}
