// Records that differ, and who is equal to each of them: where ties are heavy, one point stands for
// many records.
//
// Equal are records that are in every number (0.0 and -0.0 are) and in every category, a missing
// cell being one. Rows of equal records stand in ascending order. O(n d) time, 40 bytes a row.
// Throws Interrupted.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "tokumei/numeric/numbered_rows.hpp"
#include "tokumei/runtime/progress_monitor.hpp"
#include "tokumei/runtime/records.hpp"
#include "tokumei/spatial/category_counts.hpp"

namespace tokumei::spatial {

class DistinctRecords {
 public:
  DistinctRecords(const Records& x, ProgressMonitor& monitor) : next_(x.rows(), none) {
    const auto pause = [&] { monitor.tick(0.0); };
    std::vector<std::int64_t> numbers(x.rows()), first(x.rows());
    const std::size_t count = number_rows(
        hashes(x, pause), [&](std::size_t a, std::size_t b) { return equal(x, a, b); },
        {numbers.data(), x.rows()}, {first.data(), x.rows()}, pause);
    for (std::size_t i = 0; i < count; ++i) rows_.push_back(static_cast<std::size_t>(first[i]));
    std::vector<std::size_t> last(rows_);
    for (std::size_t row = 0; row < x.rows(); ++row) {
      std::size_t& before = last[static_cast<std::size_t>(numbers[row])];
      if (before != row) next_[before] = row;
      before = row;
    }
  }

  // The lowest row of each, ascending.
  const std::vector<std::size_t>& rows() const { return rows_; }

  // Calls each(row) for the i-th record's rows, ascending.
  template <class Each>
  void each_equal(std::size_t i, Each&& each) const {
    for (std::size_t row = rows_[i]; row != none; row = next_[row]) each(row);
  }

 private:
  static constexpr std::size_t none = ~std::size_t{0};

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

  std::vector<std::size_t> rows_, next_;
};

}  // namespace tokumei::spatial
