// The rows of a column in ascending order of their values, equal values in row order.
//
//   const auto order = sorted_order(x, scratch, run);  // order[place] is a row
//
// Each record is one word: the leading bits of its value's rank among all doubles, counted from the
// least value there is, above its row number. Words are sorted by radix; values that agree in all
// leading bits are sorted again by their own narrower range. So clustered, offset or heavy-tailed
// values cost at most a round more, and equal ones nothing.
//
// O(n) time, 8 bytes a record besides the scratch, n words that are overwritten. Finite values; -0
// equals 0. Throws Interrupted.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "tokumei/numeric/radix_sort.hpp"
#include "tokumei/numeric/uninitialised_vector.hpp"
#include "tokumei/runtime/run.hpp"
#include "tokumei/runtime/views.hpp"

namespace tokumei::numeric {

class RowSorter {
 public:
  RowSorter(Column<double> x, std::uint64_t* words, std::uint64_t* scratch, Run& run)
      : x_(x), words_(words), scratch_(scratch), run_(run),
        row_bits_(std::max(1, static_cast<int>(std::bit_width(x.size() - 1)))),
        row_mask_((std::uint64_t{1} << row_bits_) - 1) {}

  void sort() {
    sort(0, x_.size(), [](std::size_t place) { return place; });
    each_place(0, x_.size(), [&](std::size_t place) { words_[place] &= row_mask_; });
  }

 private:
  static constexpr std::size_t few = 32;

  std::uint64_t rank(std::size_t row) const { return ordered_bits(x_[row]); }
  std::size_t row(std::size_t place) const {
    return static_cast<std::size_t>(words_[place] & row_mask_);
  }

  template <class Visit>
  void each_place(std::size_t begin, std::size_t end, Visit&& visit) {
    constexpr std::size_t stretch = std::size_t{1} << 18;
    for (std::size_t first = begin; first < end; first += stretch) {
      run_.monitor.tick(0.0);
      for (std::size_t place = first; place < std::min(end, first + stretch); ++place) visit(place);
    }
  }

  // Sorts the places begin..end-1, whose rows are row_at(place) and ascend.
  template <class RowAt>
  void sort(std::size_t begin, std::size_t end, RowAt row_at) {
    if (end - begin <= few) return insert(begin, end, row_at);
    std::uint64_t least = rank(row_at(begin)), most = least;
    each_place(begin, end, [&](std::size_t place) {
      const std::uint64_t here = rank(row_at(place));
      least = std::min(least, here);
      most = std::max(most, here);
    });
    const int range = static_cast<int>(std::bit_width(most - least));
    const int digit_bits = std::clamp(static_cast<int>(std::bit_width(end - begin)), 6, 11);
    // Enough leading bits that few values share them all, in whole digits.
    const int passes = (std::max(32, row_bits_ + 10) + digit_bits - 1) / digit_bits;
    const int kept = std::min({range, 64 - row_bits_, passes * digit_bits});
    by_leading_bits(begin, end, row_at, least, range - kept, kept,
                    std::max(1, (kept + passes - 1) / passes));
    if (kept < range) each_tie(begin, end);
  }

  // Sorts by the `kept` leading bits of rank - least, which stand above the row from here on.
  template <class RowAt>
  void by_leading_bits(std::size_t begin, std::size_t end, RowAt row_at, std::uint64_t least,
                       int dropped, int kept, int digit_bits) {
    const auto passes = static_cast<std::size_t>((kept + digit_bits - 1) / digit_bits);
    const std::size_t digits = std::size_t{1} << digit_bits;
    std::vector<std::size_t> places(passes * digits);
    // Where the last pass will end in words_, if none is skipped.
    std::uint64_t* from = passes % 2 == 0 ? words_ : scratch_;
    std::uint64_t* to = passes % 2 == 0 ? scratch_ : words_;
    each_place(begin, end, [&](std::size_t place) {
      const std::size_t row = row_at(place);
      std::uint64_t lead = (rank(row) - least) >> dropped;
      from[place] = lead << row_bits_ | row;
      for (std::size_t pass = 0; pass < passes; ++pass, lead >>= digit_bits)
        ++places[pass * digits + (lead & (digits - 1))];
    });
    for (std::size_t pass = 0; pass < passes; ++pass) {
      std::size_t* const next = places.data() + pass * digits;
      if (std::find(next, next + digits, end - begin) != next + digits) continue;
      std::size_t count = begin;
      for (std::size_t digit = 0; digit < digits; ++digit)
        count += std::exchange(next[digit], count);
      const int shift = row_bits_ + static_cast<int>(pass) * digit_bits;
      each_place(begin, end, [&](std::size_t place) {
        to[next[from[place] >> shift & (digits - 1)]++] = from[place];
      });
      std::swap(from, to);
    }
    if (from != words_) std::copy(from + begin, from + end, words_ + begin);
  }

  // Sorts each stretch of equal leading bits.
  void each_tie(std::size_t begin, std::size_t end) {
    for (std::size_t first = begin; first < end;) {
      std::size_t next = first + 1;
      while (next < end && words_[next] >> row_bits_ == words_[first] >> row_bits_) ++next;
      if (next - first > 1) sort(first, next, [this](std::size_t place) { return row(place); });
      first = next;
    }
  }

  template <class RowAt>
  void insert(std::size_t begin, std::size_t end, RowAt row_at) {
    std::uint64_t ranks[few];
    for (std::size_t place = begin; place < end; ++place) {
      const std::size_t row = row_at(place);
      const std::uint64_t here = rank(row);
      std::size_t at = place;
      for (; at > begin && ranks[at - 1 - begin] > here; --at) {
        ranks[at - begin] = ranks[at - 1 - begin];
        words_[at] = words_[at - 1];
      }
      ranks[at - begin] = here;
      words_[at] = row;
    }
  }

  Column<double> x_;
  std::uint64_t* words_;
  std::uint64_t* scratch_;
  Run& run_;
  int row_bits_;
  std::uint64_t row_mask_;
};

inline UninitialisedVector<std::uint64_t> sorted_order(Column<double> x, std::uint64_t* scratch,
                                                       Run& run) {
  UninitialisedVector<std::uint64_t> order(x.size());
  RowSorter(x, order.data(), scratch, run).sort();
  return order;
}

}  // namespace tokumei::numeric
