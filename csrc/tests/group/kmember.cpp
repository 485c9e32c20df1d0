// Greedy k-member against its definition written out plainly, for every instruction set and several
// threads.
#include "tokumei/group/kmember.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <vector>

#include "check.hpp"
#include "data.hpp"
#include "tokumei/group/block_kmember.hpp"

using namespace tokumei::group;

namespace {

using Rows = std::vector<std::size_t>;

Data in_unit_ranges(Data data) {
  for (std::size_t j = 0; j < data.columns; ++j) {
    const auto begin = data.values.begin() + static_cast<std::ptrdiff_t>(j * data.rows);
    const auto end = begin + static_cast<std::ptrdiff_t>(data.rows);
    const double low = *std::min_element(begin, end), high = *std::max_element(begin, end);
    for (auto value = begin; value != end; ++value)
      *value = low < high ? (*value - low) / (high - low) : 0.0;
  }
  return data;
}

double width(const Data& unit, Rows rows, std::size_t with) {
  rows.push_back(with);
  double sum = 0.0;
  for (std::size_t j = 0; j < unit.columns; ++j) {
    double low = std::numeric_limits<double>::infinity(), high = -low;
    for (const auto row : rows) {
      low = std::min(low, unit.table()(row, j));
      high = std::max(high, unit.table()(row, j));
    }
    sum += high - low;
  }
  return sum;
}

std::vector<std::int64_t> plain_kmember(const Data& data, std::size_t k) {
  const auto unit = in_unit_ranges(data);
  Rows rows(data.rows);
  std::iota(rows.begin(), rows.end(), std::size_t{0});
  std::vector<double> before;
  for (std::size_t j = 0; j < unit.columns; ++j)
    before.push_back(exact_mean(unit.table().column(j), InstructionSet::baseline).high);
  const auto distance = [&](std::size_t row) {
    double sum = 0.0;
    for (std::size_t j = 0; j < unit.columns; ++j)
      sum += std::abs(unit.table()(row, j) - before[j]);
    return sum;
  };
  std::vector<Rows> groups;
  const auto move = [&](std::size_t row) {
    groups.back().push_back(row);
    rows.erase(std::find(rows.begin(), rows.end(), row));
  };
  while (rows.size() >= k) {
    groups.emplace_back();
    move(*std::max_element(rows.begin(), rows.end(), [&](std::size_t a, std::size_t b) {
      return distance(a) < distance(b);
    }));
    for (std::size_t j = 0; j < unit.columns; ++j) before[j] = unit.table()(groups.back()[0], j);
    while (groups.back().size() < k)
      move(*std::min_element(rows.begin(), rows.end(), [&](std::size_t a, std::size_t b) {
        return width(unit, groups.back(), a) < width(unit, groups.back(), b);
      }));
  }
  for (const auto row : rows) {
    const auto raise = [&](const Rows& group) {
      const auto size = static_cast<double>(group.size());
      return (size + 1.0) * width(unit, group, row) - size * width(unit, group, group[0]);
    };
    const auto home =
        std::min_element(groups.begin(), groups.end(), [&](const Rows& a, const Rows& b) {
          return raise(a) < raise(b) ||
                 (raise(a) == raise(b) &&
                  *std::min_element(a.begin(), a.end()) < *std::min_element(b.begin(), b.end()));
        });
    home->push_back(row);
  }
  std::vector<std::int64_t> labels(data.rows);
  for (std::size_t number = 0; number < groups.size(); ++number)
    for (const auto row : groups[number]) labels[row] = static_cast<std::int64_t>(number);
  renumber({labels.data(), labels.size()});
  return labels;
}

}  // namespace

TEST(kmember_is_its_definition_on_any_number_of_threads) {
  Random random(13);
  for (int round = 0; round < 60; ++round) {
    const std::size_t rows = 1 + random.below(60), columns = 1 + random.below(9);
    const std::size_t k =
        1 + random.below(random.below(4) == 0 ? rows : std::min<std::size_t>(rows, 6));
    const auto data =
        make_data(random, rows, columns, random.below(5), random.below(2) == 0 ? 0.0 : 1e9);
    const auto expected = plain_kmember(data, k);
    for (const auto isa : levels())
      for (const unsigned threads : {1U, 3U}) {
        std::vector<std::int64_t> labels(rows, -1);
        kmember(data.table(), k, {labels.data(), rows}, Run{threads, isa, {}});
        CHECK(labels == expected);
      }
  }
  // Many blocks a scan, so that threads meet.
  const auto data = make_data(random, 20'000, 2, 0);
  std::vector<std::int64_t> one(data.rows), many(data.rows);
  kmember(data.table(), 1'000, {one.data(), data.rows}, Run{1, best_instruction_set(), {}});
  kmember(data.table(), 1'000, {many.data(), data.rows}, Run{4, InstructionSet::baseline, {}});
  CHECK(one == many);
}

TEST(block_kmember_has_groups_of_k_and_is_kmember_where_all_is_one_block) {
  Random random(17);
  for (int round = 0; round < 30; ++round) {
    const std::size_t k = 1 + random.below(6);
    const auto data =
        make_data(random, k + random.below(300), 1 + random.below(4), random.below(2) * 4);
    std::vector<std::int64_t> first;
    for (const auto isa : levels())
      for (const unsigned threads : {1U, 3U}) {
        std::vector<std::int64_t> labels(data.rows, -1);
        block_kmember(data.table(), k, 30, {labels.data(), data.rows}, Run{threads, isa, {}});
        if (first.empty()) first = labels;
        CHECK(labels == first);
      }
    auto canonical = first;
    const std::size_t groups = renumber({canonical.data(), data.rows});
    CHECK(canonical == first);
    for (const auto size : group_sizes({first.data(), data.rows}, groups))
      CHECK(size >= k && size < 2 * k);
    std::vector<std::int64_t> whole(data.rows), blocked(data.rows);
    kmember(data.table(), k, {whole.data(), data.rows}, Run{});
    block_kmember(data.table(), k, data.rows, {blocked.data(), data.rows}, Run{});
    CHECK(blocked == whole);
  }
}
