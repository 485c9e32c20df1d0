// V-MDAV against its definition written out plainly, for every instruction set and several threads.
#include "tokumei/group/vmdav.hpp"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

#include "check.hpp"
#include "data.hpp"
#include "farthest.hpp"

using namespace tokumei::group;

namespace {

using Rows = std::vector<std::size_t>;

double squared(const Data& data, std::size_t row, const std::vector<double>& point) {
  double sum = 0.0;
  for (std::size_t j = 0; j < data.columns; ++j) {
    const double by = data.table()(row, j) - point[j];
    sum += by * by;
  }
  return sum;
}

double between(const Data& data, std::size_t row, std::size_t other) {
  std::vector<double> point(data.columns);
  for (std::size_t j = 0; j < data.columns; ++j) point[j] = data.table()(other, j);
  return squared(data, row, point);
}

std::vector<double> mean_of_rows(const Data& data, const Rows& rows) {
  std::vector<double> point(data.columns);
  for (std::size_t j = 0; j < data.columns; ++j) {
    ExactSum sum;
    for (const auto row : rows) sum.add(data.table()(row, j));
    point[j] = sum.value() / static_cast<double>(rows.size());
  }
  return point;
}

// The row of least `key`, the first of equals.
template <class Key>
std::size_t least(const Rows& rows, Key&& key) {
  return *std::min_element(rows.begin(), rows.end(),
                           [&](std::size_t a, std::size_t b) { return key(a) < key(b); });
}

std::vector<std::int64_t> plain_vmdav(const Data& data, std::size_t k, double gamma, Nearest rest) {
  Rows rows(data.rows);
  std::iota(rows.begin(), rows.end(), std::size_t{0});
  std::vector<Rows> groups;
  const auto move = [&](std::size_t row) {
    groups.back().push_back(row);
    rows.erase(std::find(rows.begin(), rows.end(), row));
  };
  const Rows all = rows;
  while (rows.size() >= k) {
    groups.emplace_back();
    const auto r = exactly_farthest(data.table(), rows, all);
    move(r);
    while (groups.back().size() < k)
      move(least(rows, [&](std::size_t row) { return between(data, row, r); }));
    const auto to_group = [&](std::size_t row) {
      return between(data, row, least(groups.back(), [&](std::size_t member) {
                       return between(data, row, member);
                     }));
    };
    while (groups.back().size() < 2 * k - 1 && !rows.empty()) {
      const auto e = least(rows, to_group);
      auto others = rows;
      others.erase(std::find(others.begin(), others.end(), e));
      const auto to_e = [&](std::size_t row) { return between(data, row, e); };
      if (others.empty() ? gamma == 0.0
                         : !(to_group(e) < gamma * gamma * to_e(least(others, to_e))))
        break;
      move(e);
    }
    std::sort(groups.back().begin(), groups.back().end());
  }
  std::sort(groups.begin(), groups.end());
  std::vector<std::int64_t> labels(data.rows);
  Rows numbers(groups.size());
  std::iota(numbers.begin(), numbers.end(), std::size_t{0});
  for (const auto number : numbers)
    for (const auto row : groups[number]) labels[row] = static_cast<std::int64_t>(number);
  Rows grouped(data.rows);
  std::iota(grouped.begin(), grouped.end(), std::size_t{0});
  for (const auto row : rows) grouped.erase(std::find(grouped.begin(), grouped.end(), row));
  for (const auto row : rows) {
    const auto to_mean = [&](std::size_t number) {
      return squared(data, row, mean_of_rows(data, groups[number]));
    };
    const auto to_row = [&](std::size_t other) { return between(data, row, other); };
    labels[row] = rest == Nearest::mean ? static_cast<std::int64_t>(least(numbers, to_mean))
                                        : labels[least(grouped, to_row)];
  }
  renumber({labels.data(), labels.size()});
  return labels;
}

}  // namespace

TEST(vmdav_is_its_definition_on_any_number_of_threads) {
  Random random(11);
  for (int round = 0; round < 80; ++round) {
    const std::size_t rows = 1 + random.below(60), columns = 1 + random.below(9);
    const std::size_t k =
        1 + random.below(random.below(4) == 0 ? rows : std::min<std::size_t>(rows, 6));
    const double gamma = static_cast<double>(random.below(7)) / 4;
    const auto data =
        make_data(random, rows, columns, random.below(5), random.below(2) == 0 ? 0.0 : 1e9);
    const auto rest = random.below(2) == 0 ? Nearest::record : Nearest::mean;
    const auto expected = plain_vmdav(data, k, gamma, rest);
    for (const auto isa : levels())
      for (const unsigned threads : {1U, 3U}) {
        std::vector<std::int64_t> labels(rows, -1);
        vmdav(data.table(), k, gamma, rest, {labels.data(), rows}, Run{threads, isa, {}});
        CHECK(labels == expected);
      }
  }
  // Many blocks a scan, so that threads meet.
  const auto data = make_data(random, 20'000, 2, 40);
  std::vector<std::int64_t> one(data.rows), many(data.rows);
  for (const auto rest : {Nearest::record, Nearest::mean}) {
    vmdav(data.table(), 2'000, 1.0, rest, {one.data(), data.rows},
          Run{1, best_instruction_set(), {}});
    vmdav(data.table(), 2'000, 1.0, rest, {many.data(), data.rows},
          Run{4, InstructionSet::baseline, {}});
    CHECK(one == many);
  }
}
