// Equal rows share a number, in the order of first occurrence, whatever their hashes do.
#include "tokumei/numeric/numbered_rows.hpp"

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <vector>

#include "check.hpp"

using namespace tokumei::numeric;

namespace {

struct Numbered {
  std::vector<std::int64_t> numbers, first;
};

Numbered numbered(const std::vector<int>& rows, const std::vector<std::uint64_t>& hashes) {
  Numbered found{std::vector<std::int64_t>(rows.size(), -1),
                 std::vector<std::int64_t>(rows.size(), -1)};
  const std::size_t count = number_rows(
      hashes, [&](std::size_t a, std::size_t b) { return rows[a] == rows[b]; },
      {found.numbers.data(), rows.size()}, {found.first.data(), rows.size()}, [] {});
  found.first.resize(count);
  return found;
}

// By comparing each row with all before it.
Numbered by_pairs(const std::vector<int>& rows) {
  Numbered found;
  for (std::size_t row = 0; row < rows.size(); ++row) {
    std::size_t number = 0;
    while (number < found.first.size() &&
           rows[static_cast<std::size_t>(found.first[number])] != rows[row])
      ++number;
    if (number == found.first.size()) found.first.push_back(static_cast<std::int64_t>(row));
    found.numbers.push_back(static_cast<std::int64_t>(number));
  }
  return found;
}

void check_by_pairs(const std::vector<int>& rows, const std::vector<std::uint64_t>& hashes) {
  const auto found = numbered(rows, hashes), expected = by_pairs(rows);
  CHECK(found.numbers == expected.numbers);
  CHECK(found.first == expected.first);
}

TEST(equal_rows_share_a_number) {
  std::vector<int> rows;
  std::vector<std::uint64_t> hashes;
  for (int i = 0; i < 2000; ++i) {
    rows.push_back(i * i % 97);
    hashes.push_back(mixed(0, static_cast<std::uint64_t>(rows.back())));
  }
  check_by_pairs(rows, hashes);
  check_by_pairs({}, {});
  check_by_pairs({4}, {9});
}

TEST(different_rows_of_one_hash_stay_apart) {
  std::vector<int> rows;
  for (int i = 0; i < 300; ++i) rows.push_back(i % 7 * (i % 3));
  check_by_pairs(rows, std::vector<std::uint64_t>(rows.size(), 5));
}

TEST(a_pause_that_throws_ends_the_work) {
  std::vector<std::int64_t> numbers(3), first(3);
  bool ended = false;
  try {
    number_rows(
        std::vector<std::uint64_t>(3), [](std::size_t, std::size_t) { return true; },
        {numbers.data(), 3}, {first.data(), 3}, [] { throw std::runtime_error("enough"); });
  } catch (const std::runtime_error&) {
    ended = true;
  }
  CHECK(ended);
}

}  // namespace
