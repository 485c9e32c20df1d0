// MemberTiles of pairs of records: the inner part of pairs.hpp.
//
// A tile is a few rows times a few columns; its distances grow attribute by attribute in registers.
// The powers of the distances are summed in eight lanes (column mod 8) for each row, the lanes then
// two neighbours at a time, so the shape of a tile, which differs between instruction sets, changes
// no bit.
#pragma once

#include <cstddef>

#include "tokumei/numeric/double_double.hpp"
#include "tokumei/pairs/packed_rows.hpp"
#include "tokumei/pairs/pair_terms.hpp"
#include "tokumei/simd/lanes.hpp"
#include "tokumei/simd/reductions.hpp"

namespace tokumei::pairs {

// The sum over a block of its terms times the counts of row and column.
template <class Terms>
struct PairTiles {
  template <std::size_t bytes>
  struct Body {
    static constexpr std::size_t rows = bytes == 64 ? 8 : bytes == 32 ? 4 : 2;
    static constexpr std::size_t columns = bytes == 64 ? 16 : 8;
    using V = Lanes<double, bytes, lane_count>;
    using Tile = Lanes<double, bytes, rows * columns>;

    TOKUMEI_HOT static double run(const PairBlock* of, const Terms* terms) {
      const PairBlock& block = *of;
      DoubleDouble total;
      for (std::size_t row = 0; row < block.used_rows; row += rows) {
        V sums[rows] = {};
        std::size_t column = 0;
        if (block.diagonal) {
          column = row / PackedRows::widest_tile * PackedRows::widest_tile;
          const std::size_t end = column + PackedRows::widest_tile;
          for (; column < end; column += columns) add_tile<true>(block, row, column, *terms, sums);
        }
        for (; column < block.used_columns; column += columns)
          add_tile<false>(block, row, column, *terms, sums);
        for (std::size_t i = 0; i < rows; ++i) {
          const V& s = sums[i];
          const double sum = ((s[0] + s[1]) + (s[2] + s[3])) + ((s[4] + s[5]) + (s[6] + s[7]));
          total.add(sum * block.row_counts[row + i]);
        }
      }
      return total.value();
    }

   private:
    template <bool on_diagonal>
    TOKUMEI_HOT static void add_tile(const PairBlock& block, std::size_t row, std::size_t column,
                                     const Terms& terms, V (&sums)[rows]) {
      const Tile tile = terms.template fill<rows, Tile>(block, row, column);
      TOKUMEI_UNROLL for (std::size_t at = 0; at < columns; at += lane_count) {
        const V counts = load<V>(block.column_counts + column + at);
        TOKUMEI_UNROLL for (std::size_t i = 0; i < rows; ++i) {
          V count = counts;
          if constexpr (on_diagonal)
            count = select(ascending<V>(static_cast<double>(column + at)) >
                               static_cast<double>(row + i),
                           counts, V{});
          sums[i] = sums[i] + lanes_from<V>(tile, i * columns + at) * count;
        }
      }
    }
  };
};

}  // namespace tokumei::pairs
