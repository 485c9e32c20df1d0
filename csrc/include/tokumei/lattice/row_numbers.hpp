// Equal rows numbered alike, by codes in several columns: what a group-by is made of.
//
// The codes of a row are packed into one word, each in as many bits as its column needs; where they
// do not fit, what was packed so far is numbered first. Words are looked up in a table by a hash
// (linear probing, at most half full). Numbers go up in the order of the first row of each kind.
// O(rows x columns) time, O(rows) memory that is kept from call to call.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "tokumei/rooms.hpp"

namespace tokumei::lattice {

// The codes of all rows in one column, each below `labels`.
struct CodeColumn {
  const std::uint32_t* codes;
  std::size_t labels;

  unsigned bits() const { return static_cast<unsigned>(std::bit_width(labels - 1)); }

  // Adds the codes of the rows that are named to their words.
  void pack(const std::vector<std::size_t>& rows, unsigned shift,
            std::vector<std::uint64_t>& words) const {
    for (std::size_t i = 0; i < rows.size(); ++i)
      words[i] |= std::uint64_t{codes[rows[i]]} << shift;
  }
};

class RowNumbers {
 public:
  // Numbers the rows by their words; returns how many numbers there are.
  std::size_t number(const std::vector<std::uint64_t>& words, std::vector<std::size_t>& number) {
    const std::size_t n = words.size();
    const std::size_t size = std::bit_ceil(std::max<std::size_t>(2 * n, 64));
    if (places_.size() < size || ++call_ >> (64 - number_bits) != 0) {
      places_.assign(std::max(places_.size(), size), Place{0, 0});
      call_ = 1;
    }
    number.resize(n);
    const auto unused_bits = static_cast<unsigned>(64 - std::countr_zero(size));
    const auto place_of = [unused_bits](std::uint64_t word) {
      return static_cast<std::size_t>((word * 0x9e3779b97f4a7c15ULL) >> unused_bits);
    };
    std::size_t kinds = 0;
    for (std::size_t i = 0; i < n; ++i) {
#ifdef __GNUC__
      // A fifth of the time: the table is larger than the first cache.
      __builtin_prefetch(&places_[place_of(words[std::min(i + 12, n - 1)])]);
#endif
      const std::uint64_t word = words[i];
      auto at = place_of(word);
      while (places_[at].mark >> number_bits == call_ && places_[at].word != word)
        at = (at + 1) & (size - 1);
      Place& place = places_[at];
      if (place.mark >> number_bits != call_) place = {word, call_ << number_bits | kinds++};
      number[i] = static_cast<std::size_t>(place.mark & ((std::uint64_t{1} << number_bits) - 1));
    }
    return kinds;
  }

  // Numbers the rows that are named by their codes; `number[i]` belongs to the i-th of them.
  std::size_t number(const std::vector<CodeColumn>& columns, const std::vector<std::size_t>& rows,
                     std::vector<std::size_t>& number) {
    words_.assign(rows.size(), 0);
    unsigned used = 0;
    for (const CodeColumn& column : columns) {
      if (used + column.bits() > 64) {
        const std::size_t kinds = this->number(words_, number);
        std::copy(number.begin(), number.end(), words_.begin());
        used = static_cast<unsigned>(std::bit_width(kinds - 1));
      }
      if (column.bits() > 0) column.pack(rows, used, words_);
      used += column.bits();
    }
    return this->number(words_, number);
  }

 private:
  struct Place {
    std::uint64_t word;
    std::uint64_t mark;  // the number of the call, and below it the number of the rows
  };
  static constexpr unsigned number_bits = 40;

  std::vector<std::uint64_t> words_;
  std::vector<Place> places_;
  std::uint64_t call_ = 0;
};

}  // namespace tokumei::lattice
