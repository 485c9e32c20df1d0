// Records along a Hilbert curve: neighbours on the curve are neighbours in space.
//
// Each attribute is scaled to its own range and cut into 2^bits cells, x lying in cell min(2^bits -
// 1, floor((x - least) / (most - least) * 2^bits)), an attribute of one value in cell 0. A record's
// key is the place of its cell on the curve, d * bits bits long, by the transform of Skilling
// (2004, "Programming the Hilbert curve"); records are taken in ascending order of keys, and of
// equal keys in the order of rows.
//
// O(n d bits / 8) with 512-bit instructions, plus a radix sort of as many key words as it takes to
// tell records apart. Memory: d * bits / 8 bytes a record, rounded up to 8. bits: 1 to 31. Throws
// Interrupted.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "tokumei/numeric/radix_sort.hpp"
#include "tokumei/runtime/instruction_sets.hpp"
#include "tokumei/runtime/monitored_blocks.hpp"
#include "tokumei/runtime/progress_monitor.hpp"
#include "tokumei/runtime/run.hpp"
#include "tokumei/runtime/thread_team.hpp"
#include "tokumei/runtime/views.hpp"

namespace tokumei::order {

// `hilbert_rows` records at a time; attribute j of record i is at cells[j * hilbert_rows + i].
inline constexpr std::size_t hilbert_rows = 256;

struct CellNumbers {
  TOKUMEI_HOT static void run(const double* x, std::size_t rows, double least, double span,
                              double cells_in_span, std::uint32_t* cells) {
    const double last = cells_in_span - 1.0;
    for (std::size_t i = 0; i < rows; ++i) {
      const double place = (x[i] - least) / span * cells_in_span;
      cells[i] = static_cast<std::uint32_t>(static_cast<std::int32_t>(place < last ? place : last));
    }
  }
};

// From cells to the bits of keys: bit b of the j-th number is bit b * d + (d - 1 - j) of the key.
struct HilbertTranspose {
  TOKUMEI_HOT static void run(std::uint32_t* cells, std::size_t d, unsigned bits) {
    for (unsigned bit = bits - 1; bit > 0; --bit)
      for (std::size_t j = 0; j < d; ++j) undo(cells, cells + j * hilbert_rows, bit);
    for (std::size_t j = 1; j < d; ++j)
      for (std::size_t i = 0; i < hilbert_rows; ++i)
        cells[j * hilbert_rows + i] ^= cells[(j - 1) * hilbert_rows + i];
    std::uint32_t flips[hilbert_rows] = {};
    const std::uint32_t* last = cells + (d - 1) * hilbert_rows;
    for (unsigned bit = bits - 1; bit > 0; --bit)
      for (std::size_t i = 0; i < hilbert_rows; ++i)
        flips[i] ^= lower_bits(bit) & all_if_set(last[i], bit);
    for (std::size_t j = 0; j < d; ++j)
      for (std::size_t i = 0; i < hilbert_rows; ++i) cells[j * hilbert_rows + i] ^= flips[i];
  }

 private:
  TOKUMEI_HOT static std::uint32_t lower_bits(unsigned bit) {
    return (std::uint32_t{1} << bit) - 1;
  }
  TOKUMEI_HOT static std::uint32_t all_if_set(std::uint32_t x, unsigned bit) {
    return 0U - (x >> bit & 1U);
  }

  // Where the bit is set, the lower bits of the first number are inverted, else exchanged with this
  // one's.
  TOKUMEI_HOT static void undo(std::uint32_t* first, std::uint32_t* other, unsigned bit) {
    for (std::size_t i = 0; i < hilbert_rows; ++i) {
      const std::uint32_t set = all_if_set(other[i], bit);
      const std::uint32_t exchange = (first[i] ^ other[i]) & lower_bits(bit) & ~set;
      first[i] ^= exchange | (lower_bits(bit) & set);
      other[i] ^= exchange;
    }
  }
};

// Appends bit `bit` of each number to a key word.
struct AppendBit {
  TOKUMEI_HOT static void run(const std::uint32_t* numbers, unsigned bit, std::uint64_t* words) {
    for (std::size_t i = 0; i < hilbert_rows; ++i)
      words[i] = words[i] << 1 | (numbers[i] >> bit & 1U);
  }
};

class HilbertKeys {
 public:
  HilbertKeys(Table<double> x, unsigned bits, Run& run)
      : words_((x.columns() * bits + 63) / 64), keys_(x.rows() * words_) {
    ThreadTeam team(run.n_threads);
    std::vector<double> least(x.columns()), span(x.columns());
    each_watched_block(team, run.monitor, x.columns(), 1, [&](std::size_t j) {
      const auto column = x.column(j);
      const auto [low, high] = std::minmax_element(column.begin(), column.end());
      least[j] = *low;
      span[j] = *high > *low ? *high - *low : 1.0;
    });
    const std::size_t blocks = (x.rows() + hilbert_rows - 1) / hilbert_rows;
    each_watched_block(team, run.monitor, blocks, 64, [&](std::size_t block) {
      const std::size_t begin = block * hilbert_rows;
      const std::size_t rows = std::min(hilbert_rows, x.rows() - begin);
      std::vector<std::uint32_t> cells(x.columns() * hilbert_rows, 0);
      const auto cells_in_span = static_cast<double>(std::uint32_t{1} << bits);
      for (std::size_t j = 0; j < x.columns(); ++j)
        dispatch<CellNumbers>(run.isa, x.column(j).data() + begin, rows, least[j], span[j],
                              cells_in_span, &cells[j * hilbert_rows]);
      dispatch<HilbertTranspose>(run.isa, cells.data(), x.columns(), bits);
      write(cells, x.columns(), bits, begin, rows, run.isa);
    });
  }

  std::size_t words() const { return words_; }
  std::uint64_t word(std::size_t row, std::size_t w) const { return keys_[row * words_ + w]; }

 private:
  void write(const std::vector<std::uint32_t>& numbers, std::size_t d, unsigned bits,
             std::size_t begin, std::size_t rows, InstructionSet isa) {
    std::array<std::uint64_t, hilbert_rows> words{};
    std::size_t appended = 0;
    for (unsigned bit = bits; bit-- > 0;)
      for (std::size_t j = 0; j < d; ++j) {
        dispatch<AppendBit>(isa, &numbers[j * hilbert_rows], bit, words.data());
        if (++appended % 64 != 0 && appended != d * bits) continue;
        for (std::size_t i = 0; i < rows; ++i)
          keys_[(begin + i) * words_ + (appended - 1) / 64] = words[i];
      }
  }

  std::size_t words_;
  std::vector<std::uint64_t> keys_;  // of each row, the most significant word first
};

// Sorts items whose keys are word w of theirs, and where these are equal by the words after it.
inline void sort_by_words(std::span<RowKey> items, std::span<RowKey> room, const HilbertKeys& keys,
                          std::size_t w, ProgressMonitor& monitor) {
  sort_by_key(items, room, monitor);
  if (w + 1 == keys.words()) return;
  for (std::size_t begin = 0, end = 0; begin < items.size(); begin = end) {
    while (end < items.size() && items[end].key == items[begin].key) ++end;
    if (end - begin == 1) continue;
    monitor.tick(0.0);
    for (auto& item : items.subspan(begin, end - begin)) item.key = keys.word(item.row, w + 1);
    sort_by_words(items.subspan(begin, end - begin), room.subspan(begin, end - begin), keys, w + 1,
                  monitor);
  }
}

inline void hilbert_order(Table<double> x, unsigned bits, OutColumn<std::int64_t> order, Run run) {
  const HilbertKeys keys(x, bits, run);
  std::vector<RowKey> items, room(x.rows());
  for (std::size_t row = 0; row < x.rows(); ++row) items.push_back({keys.word(row, 0), row});
  sort_by_words(items, room, keys, 0, run.monitor);
  for (std::size_t i = 0; i < items.size(); ++i) order[i] = static_cast<std::int64_t>(items[i].row);
}

}  // namespace tokumei::order
