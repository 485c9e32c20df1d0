// Equal rows numbered alike, by codes in several columns: what a group-by is made of.
//
// The codes of a row are packed into one word, each in as many bits as its column needs; where they
// do not fit, what was packed so far is numbered first. Words that are small are places in a table,
// others are looked up in it by a hash (linear probing, at most half full). Numbers go up in the
// order of the first row of each kind. O(rows x columns) time, O(rows) memory that is kept from
// call to call.
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
};

class RowNumbers {
 public:
  // Numbers the rows that are named, or the first `n` where `rows` is null; returns how many
  // numbers there are. `number[i]` belongs to the i-th of them.
  std::size_t number(const std::vector<CodeColumn>& columns, const std::size_t* rows, std::size_t n,
                     std::vector<std::size_t>& number) {
    number.resize(n);
    keys_.assign(n, 0);
    unsigned used = 0;
    for (const CodeColumn& column : columns) {
      if (column.labels < 2) continue;
      const auto bits = static_cast<unsigned>(std::bit_width(column.labels - 1));
      if (used + bits > 63) {
        const std::size_t kinds = look_up(used, number);
        std::copy(number.begin(), number.end(), keys_.begin());
        used = static_cast<unsigned>(std::bit_width(kinds - 1));
      }
      pack(column.codes, rows, used);
      used += bits;
    }
    return look_up(used, number);
  }

 private:
  struct Place {
    std::uint64_t key;
    std::uint64_t mark;  // the number of this call, and below it the number of the rows
  };
  static constexpr unsigned number_bits = 40;

  void pack(const std::uint32_t* codes, const std::size_t* rows, unsigned shift) {
    std::uint64_t* keys = keys_.data();
    const std::size_t n = keys_.size();
    if (rows == nullptr)
      for (std::size_t i = 0; i < n; ++i) keys[i] |= std::uint64_t{codes[i]} << shift;
    else
      for (std::size_t i = 0; i < n; ++i) keys[i] |= std::uint64_t{codes[rows[i]]} << shift;
  }

  std::size_t look_up(unsigned bits, std::vector<std::size_t>& number) {
    const std::size_t n = keys_.size();
    const std::size_t wanted = std::bit_ceil(std::max<std::size_t>(2 * n, 64));
    if (places_.size() < wanted || ++call_ >> (64 - number_bits) != 0) {
      places_.assign(std::max(places_.size(), wanted), Place{0, 0});
      call_ = 1;
    }
    const bool direct = bits < 63 && (std::size_t{1} << bits) <= places_.size();
    const auto free_bits = static_cast<unsigned>(64 - std::countr_zero(wanted));
    std::size_t kinds = 0;
    for (std::size_t i = 0; i < n; ++i) {
      const std::uint64_t key = keys_[i];
      std::size_t at = direct ? static_cast<std::size_t>(key)
                              : static_cast<std::size_t>((key * multiplier) >> free_bits);
      while (places_[at].mark >> number_bits == call_ && places_[at].key != key)
        at = (at + 1) & (wanted - 1);
      Place& place = places_[at];
      if (place.mark >> number_bits != call_) place = {key, call_ << number_bits | kinds++};
      number[i] = static_cast<std::size_t>(place.mark & ((std::uint64_t{1} << number_bits) - 1));
    }
    return kinds;
  }

  static constexpr std::uint64_t multiplier = 0x9e3779b97f4a7c15ULL;

  std::vector<std::uint64_t> keys_;
  std::vector<Place> places_;
  std::uint64_t call_ = 0;
};

}  // namespace tokumei::lattice
