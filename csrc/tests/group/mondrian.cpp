// Mondrian against its definition written out plainly, for every instruction set and several
// threads.
#include "tokumei/group/mondrian.hpp"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

#include "check.hpp"
#include "data.hpp"

using namespace tokumei::group;

namespace {

using Rows = std::vector<std::size_t>;

struct Plain {
  const Data& data;
  std::size_t k;
  bool strict;
  std::vector<std::int64_t> labels;

  double range(const Rows& rows, std::size_t j) const {
    const auto less = [&](std::size_t a, std::size_t b) {
      return data.table()(a, j) < data.table()(b, j);
    };
    const auto [low, high] = std::minmax_element(rows.begin(), rows.end(), less);
    return data.table()(*high, j) - data.table()(*low, j);
  }

  void cut(const Rows& rows, const Rows& all) {
    std::vector<double> widths;
    for (std::size_t j = 0; j < data.columns; ++j)
      widths.push_back(range(all, j) > 0.0 ? range(rows, j) / range(all, j) : 0.0);
    Rows attributes(data.columns);
    std::iota(attributes.begin(), attributes.end(), std::size_t{0});
    std::stable_sort(attributes.begin(), attributes.end(),
                     [&](std::size_t a, std::size_t b) { return widths[a] > widths[b]; });
    for (const auto j : attributes) {
      const auto value = [&](std::size_t row) { return data.table()(row, j); };
      auto order = rows;
      std::stable_sort(order.begin(), order.end(),
                       [&](std::size_t a, std::size_t b) { return value(a) < value(b); });
      const std::size_t half = (order.size() + 1) / 2;
      std::size_t down = half;
      if (strict) {
        // Away from the middle, downwards and upwards in step, to the first change of value.
        std::size_t above = half, below = half;
        while (above < order.size() && value(order[above]) == value(order[half - 1])) ++above;
        while (below > 0 && value(order[below - 1]) == value(order[half - 1])) --below;
        down = 2 * above - order.size() <= order.size() - 2 * below ? above : below;
      }
      if (down < k || order.size() - down < k) continue;
      const auto middle = order.begin() + static_cast<std::ptrdiff_t>(down);
      Rows lower(order.begin(), middle), upper(middle, order.end());
      std::sort(lower.begin(), lower.end());
      std::sort(upper.begin(), upper.end());
      cut(lower, all);
      cut(upper, all);
      return;
    }
    for (const auto row : rows) labels[row] = static_cast<std::int64_t>(rows[0]);
  }
};

std::vector<std::int64_t> plain_mondrian(const Data& data, std::size_t k, bool strict) {
  Rows rows(data.rows);
  std::iota(rows.begin(), rows.end(), std::size_t{0});
  Plain plain{data, k, strict, std::vector<std::int64_t>(data.rows)};
  plain.cut(rows, rows);
  renumber({plain.labels.data(), plain.labels.size()});
  return plain.labels;
}

}  // namespace

TEST(mondrian_is_its_definition_on_any_number_of_threads) {
  Random random(17);
  for (int round = 0; round < 120; ++round) {
    const std::size_t rows = 1 + random.below(200), columns = 1 + random.below(9);
    const std::size_t k =
        1 + random.below(random.below(4) == 0 ? rows : std::min<std::size_t>(rows, 6));
    const bool strict = random.below(2) == 0;
    const auto data =
        make_data(random, rows, columns, random.below(5), random.below(2) == 0 ? 0.0 : 1e9);
    const auto expected = plain_mondrian(data, k, strict);
    for (const auto isa : levels())
      for (const unsigned threads : {1U, 3U}) {
        std::vector<std::int64_t> labels(rows, -1);
        mondrian(data.table(), k, strict, {labels.data(), rows}, Run{threads, isa, {}});
        CHECK(labels == expected);
      }
  }
  // Large groups, so that threads meet.
  const auto data = make_data(random, 100'000, 4, 1'000);
  std::vector<std::int64_t> one(data.rows), many(data.rows);
  mondrian(data.table(), 5, true, {one.data(), data.rows}, Run{1, best_instruction_set(), {}});
  mondrian(data.table(), 5, true, {many.data(), data.rows}, Run{4, InstructionSet::baseline, {}});
  CHECK(one == many);
}
