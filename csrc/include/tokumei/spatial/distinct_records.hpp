// Records that differ, and who is equal to each of them: where ties are heavy, one point stands for
// many records.
//
// Equal are records that are in every number (0.0 and -0.0 are) and in every category, a missing
// cell being one. Rows of equal records stand in ascending order. O(n d) time, 40 bytes a row.
// Throws Interrupted.
#pragma once

#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "tokumei/numeric/numbered_rows.hpp"
#include "tokumei/runtime/progress_monitor.hpp"
#include "tokumei/runtime/records.hpp"
#include "tokumei/spatial/bounding_box_tree.hpp"
#include "tokumei/spatial/category_counts.hpp"

namespace tokumei::spatial {

// Of each row that of the next record equal to it, or no_row.
struct DistinctRecords {
  DistinctRecords(const Records& x, ProgressMonitor& monitor) : next(x.rows(), no_row) {
    const auto pause = [&] { monitor.tick(0.0); };
    std::vector<std::int64_t> numbers(x.rows()), first(x.rows());
    const std::size_t count = number_rows(
        hashes(x, pause), [&](std::size_t a, std::size_t b) { return equal(x, a, b); },
        {numbers.data(), x.rows()}, {first.data(), x.rows()}, pause);
    rows.assign(first.begin(), first.begin() + static_cast<std::ptrdiff_t>(count));
    std::vector<std::size_t> last(rows);
    for (std::size_t row = 0; row < x.rows(); ++row) {
      std::size_t& before = last[static_cast<std::size_t>(numbers[row])];
      if (before != row) next[before] = row;
      before = row;
    }
  }

  std::vector<std::size_t> rows;  // the lowest of each, ascending
  std::vector<std::size_t> next;

 private:
  template <class Pause>
  static std::vector<std::uint64_t> hashes(const Records& x, Pause&& pause) {
    std::vector<std::uint64_t> hashes(x.rows(), 0);
    for (std::size_t j = 0; j < x.numbers.columns(); ++j) {
      pause();
      const auto column = x.numbers.column(j);
      for (std::size_t row = 0; row < x.rows(); ++row)
        hashes[row] = mixed(hashes[row], std::bit_cast<std::uint64_t>(column[row] + 0.0));
    }
    for (std::size_t j = 0; j < x.codes.columns(); ++j) {
      pause();
      const auto column = x.codes.column(j);
      for (std::size_t row = 0; row < x.rows(); ++row)
        hashes[row] = mixed(hashes[row], static_cast<std::uint64_t>(slot_of(column[row])));
    }
    return hashes;
  }

  static bool equal(const Records& x, std::size_t a, std::size_t b) {
    for (std::size_t j = 0; j < x.numbers.columns(); ++j)
      if (x.numbers(a, j) != x.numbers(b, j)) return false;
    for (std::size_t j = 0; j < x.codes.columns(); ++j)
      if (slot_of(x.codes(a, j)) != slot_of(x.codes(b, j))) return false;
    return true;
  }
};

// Whether no two records that differ are at a squared distance of zero, which those may be whose
// numbers are so small that squares of differences vanish. May be false where none are.
inline bool told_apart(const Records& x) {
  constexpr double smallest = 0x1p-450;
  for (const double weight : x.weights)
    if (!(weight > 0.0)) return false;
  for (std::size_t j = 0; j < x.numbers.columns(); ++j)
    for (const double value : x.numbers.column(j))
      if (value != 0.0 && std::abs(value) < smallest) return false;
  return true;
}

}  // namespace tokumei::spatial
