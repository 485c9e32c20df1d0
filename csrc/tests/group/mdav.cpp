// MDAV against its definition written out plainly, for every instruction set and several threads.
#include "tokumei/group/mdav.hpp"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

#include "check.hpp"
#include "data.hpp"
#include "farthest.hpp"

using namespace tokumei::group;

namespace {

double squared(const Data& data, std::size_t row, const std::vector<double>& point) {
  double sum = 0.0;
  for (std::size_t j = 0; j < data.columns; ++j) {
    const double by = data.table()(row, j) - point[j];
    sum += by * by;
  }
  return sum;
}

std::vector<double> point_of(const Data& data, std::size_t row) {
  std::vector<double> point(data.columns);
  for (std::size_t j = 0; j < data.columns; ++j) point[j] = data.table()(row, j);
  return point;
}

std::size_t farthest(const Data& data, const std::vector<std::size_t>& rows,
                     const std::vector<double>& point) {
  return *std::max_element(rows.begin(), rows.end(), [&](std::size_t a, std::size_t b) {
    return squared(data, a, point) < squared(data, b, point);
  });
}

std::vector<std::int64_t> plain_mdav(const Data& data, std::size_t k) {
  std::vector<std::int64_t> labels(data.rows);
  std::vector<std::size_t> rows(data.rows);
  std::iota(rows.begin(), rows.end(), std::size_t{0});
  std::int64_t group = 0;
  const auto close = [&](std::size_t centre) {
    const auto at = point_of(data, centre);
    auto order = rows;
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      if ((a == centre) != (b == centre)) return a == centre;
      return squared(data, a, at) < squared(data, b, at);
    });
    for (std::size_t i = 0; i < k; ++i) {
      labels[order[i]] = group;
      rows.erase(std::find(rows.begin(), rows.end(), order[i]));
    }
    ++group;
  };
  while (rows.size() >= 3 * k) {
    const auto r = exactly_farthest(data.table(), rows, rows);
    close(r);
    close(farthest(data, rows, point_of(data, r)));
  }
  if (rows.size() >= 2 * k) close(exactly_farthest(data.table(), rows, rows));
  for (const auto row : rows) labels[row] = group;
  renumber({labels.data(), labels.size()});
  return labels;
}

}  // namespace

TEST(mdav_is_its_definition_on_any_number_of_threads) {
  Random random(7);
  for (int round = 0; round < 120; ++round) {
    const std::size_t rows = 1 + random.below(80), columns = 1 + random.below(9);
    const std::size_t k = 1 + random.below(rows);
    const auto data =
        make_data(random, rows, columns, random.below(5), random.below(2) == 0 ? 0.0 : 1e9);
    const auto expected = plain_mdav(data, k);
    for (const auto isa : levels())
      for (const unsigned threads : {1U, 3U}) {
        std::vector<std::int64_t> labels(rows, -1);
        mdav(data.table(), k, {labels.data(), rows}, Run{threads, isa, {}});
        CHECK(labels == expected);
      }
  }
  // Many blocks a scan, so that threads meet.
  const auto data = make_data(random, 20'000, 2, 40);
  std::vector<std::int64_t> one(data.rows), many(data.rows);
  mdav(data.table(), 2'000, {one.data(), data.rows}, Run{1, best_instruction_set(), {}});
  mdav(data.table(), 2'000, {many.data(), data.rows}, Run{4, InstructionSet::baseline, {}});
  CHECK(one == many);
}
