// Damerau-Levenshtein distances without restriction: insertions, deletions, replacements and swaps
// of neighbours, where letters may come between the swapped ones before or after the swap.
//
// The table of distances between the beginnings of a text and of a string (Lowrance & Wagner 1975)
// is filled row by row, one string a lane. A swap ends at letter i of the text and j of the string
// if the text's letter i stands last before j at column l, and the string's letter j last before i
// at row k; it costs H[k-1][l-1] + (i-k) + (j-l) - 1. Only swaps with i-k = 1 or j-l = 1 can be
// best (Zhao & Sahni 2019), and for those the entry of H is at hand: no second pass, three rows of
// memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "tokumei/pairs/strings.hpp"
#include "tokumei/pairs/transposed_strings.hpp"
#include "tokumei/simd/lanes.hpp"

namespace tokumei::pairs {

template <class Word>
struct DamerauTable {
  template <std::size_t bytes>
  struct Body {
    using V = Lanes<Word, bytes>;
    static constexpr std::size_t lanes = bytes / sizeof(Word);
    // More than any distance, and as much again can be added to it.
    static constexpr Word none = std::numeric_limits<Word>::max();
    static constexpr Word far = std::numeric_limits<Word>::max() / 2;

    // `rows` has room for three rows of longest + 1 registers.
    TOKUMEI_HOT static void run(const Batch* batch, const Word* letters, Word* rows) {
      for (std::size_t other = batch->first; other < batch->last; ++other) {
        const Word* last = fill(*batch, other, letters, rows);
        Word distances[lanes];
        for (std::size_t lane = 0; lane < batch->size(); ++lane)
          distances[lane] = last[batch->strings->length(batch->begin + lane) * lanes + lane];
        batch->count(other, distances);
      }
    }

   private:
    // The last row of the table.
    TOKUMEI_HOT static const Word* fill(const Batch& batch, std::size_t other, const Word* letters,
                                        Word* rows) {
      const std::size_t width = batch.longest();
      Word* above = rows;
      Word* here = rows + (width + 1) * lanes;
      // reach[j]: H[k-1][j-2] - k.
      Word* reach = here + (width + 1) * lanes;
      for (std::size_t j = 0; j <= width; ++j) {
        store(above + j * lanes, V{} + static_cast<Word>(j));
        store(here + j * lanes, V{} + far);
        store(reach + j * lanes, V{} + far);
      }
      const std::uint32_t* text = batch.strings->text(other);
      Word letter_before = 0;
      for (std::size_t i = 1; i <= batch.strings->length(other); ++i) {
        const auto letter = static_cast<Word>(text[i - 1]);
        fill_row(static_cast<Word>(i), letter, letter_before, width, letters, above, here, reach);
        letter_before = letter;
        std::swap(above, here);
      }
      return above;
    }

    // `here` holds the row before `above` and becomes the row after it.
    TOKUMEI_HOT static void fill_row(Word i, Word letter, Word letter_before, std::size_t width,
                                     const Word* letters, const Word* above, Word* here,
                                     Word* reach) {
      V before = V{} + far;             // H[i-1][j-2]
      V corner = load<V>(above);        // H[i-1][j-1]
      V corner_before = load<V>(here);  // H[i-2][j-1]
      V left = V{} + i;                 // H[i][j-1]
      V turn = V{} + far;               // H[i-2][l-1] - l
      V theirs_left = V{} + none;       // the string's letter at j-1
      store(here, left);
      for (std::size_t j = 1; j <= width; ++j) {
        const V theirs = load<V>(letters + (j - 1) * lanes);
        const V over = load<V>(above + j * lanes);
        const V old = load<V>(here + j * lanes);
        const V reached = load<V>(reach + j * lanes);
        const auto column = static_cast<Word>(j);
        const auto same = theirs == (V{} + letter);
        V best = smaller<V>(select(same, corner, corner + 1), over + 1);
        best = smaller<V>(best, select(theirs_left == (V{} + letter), reached + i, best));
        best = smaller<V>(best, select(theirs == (V{} + letter_before), turn + column, best));
        // Last, because it waits for the column before.
        best = smaller<V>(best, left + 1);
        store(reach + j * lanes, select(same, before - i, reached));
        store(here + j * lanes, best);
        turn = select(same, corner_before - column, turn);
        before = corner;
        corner = over;
        corner_before = old;
        left = best;
        theirs_left = theirs;
      }
    }
  };
};

// A kernel for strings.hpp.
struct DamerauLevenshtein : TransposedKernel<DamerauLevenshtein> {
  static double work(double length) { return 10.0 * length * length; }

  template <class Word>
  static void meet_columns(InstructionSet isa, const Batch& batch) {
    const std::size_t lanes = register_bytes(isa) / sizeof(Word);
    const TransposedStrings<Word> columns(batch, lanes);
    std::vector<Word> rows(3 * (batch.longest() + 1) * lanes);
    dispatch_lanes<DamerauTable<Word>::template Body>(isa, &batch, columns.letters(), rows.data());
  }
};

}  // namespace tokumei::pairs
