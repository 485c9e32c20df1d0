// Means of groups in columns of codes against plain counts.
#include "tokumei/group/category_means.hpp"

#include <vector>

#include "check.hpp"
#include "data.hpp"

using namespace tokumei::group;

TEST(terms_to_the_means_of_groups_are_those_of_plain_counts) {
  Random random(3);
  const auto data = make_mixed(random, 40, 4, 0);
  const Records x = data.records();
  std::vector<std::vector<std::size_t>> rows(3);
  for (std::size_t row = 0; row < 30; ++row) rows[row % 3].push_back(row);
  const CategoryMeans means(x, rows);
  for (std::size_t row = 0; row < 40; ++row)
    for (std::size_t group = 0; group < 3; ++group) {
      double expected = 0.5;
      for (std::size_t j = 0; j < 4; ++j) {
        double squares = 0.0, own = 0.0;
        for (const auto a : rows[group]) {
          own += x.codes(a, j) == x.codes(row, j) ? 1.0 : 0.0;
          for (const auto b : rows[group])
            squares += x.codes(a, j) >= 0 && x.codes(a, j) == x.codes(b, j) ? 1.0 : 0.0;
        }
        const double share = x.codes(row, j) < 0 ? 1.0 : 2.0 * own / 10.0;
        expected += x.weights[j] * ((1.0 + squares / 100.0) - share);
      }
      CHECK(means.add_terms(0.5, row, group) == expected);
    }
}
