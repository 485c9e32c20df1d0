// MemberTiles of pairs of records: the inner part of pairs.hpp.
//
// A tile is a few rows times a few registers of columns; its distances grow attribute by attribute
// in registers. The powers of the distances are summed in eight lanes (column mod 8) for each row,
// the lanes then in a fixed order, so the shape of a tile, which differs between instruction sets,
// changes no bit.
#pragma once

#include <cstddef>

#include "tokumei/numeric/double_double.hpp"
#include "tokumei/pairs/packed_rows.hpp"
#include "tokumei/pairs/pair_terms.hpp"
#include "tokumei/simd/lanes.hpp"

namespace tokumei::pairs {

// The sum over a block of its terms times the counts of row and column.
template <class Terms>
struct PairTiles {
  template <std::size_t bytes>
  struct Body {
    using V = Lanes<double, bytes>;
    static constexpr std::size_t width = bytes / sizeof(double);
    // Registers that hold the eight lanes of a sum; rows and registers of a tile.
    static constexpr std::size_t parts = 8 / width;
    static constexpr std::size_t rows = bytes == 64 ? 8 : bytes == 32 ? 4 : 2;
    static constexpr std::size_t registers = bytes == 16 ? 4 : 2;

    TOKUMEI_HOT static double run(PairBlock block, double p, double power) {
      DoubleDouble total;
      for (std::size_t row = 0; row < block.width; row += rows) {
        V sums[rows][parts] = {};
        std::size_t column = 0;
        if (block.diagonal) {
          column = row / PackedRows::widest_tile * PackedRows::widest_tile;
          const std::size_t end = column + PackedRows::widest_tile;
          for (; column < end; column += width * registers)
            add_tile<true>(block, row, column, p, power, sums);
        }
        for (; column < block.width; column += width * registers)
          add_tile<false>(block, row, column, p, power, sums);
        for (std::size_t i = 0; i < rows; ++i) {
          double lanes[8];
          for (std::size_t part = 0; part < parts; ++part)
            store(lanes + width * part, sums[i][part]);
          const double sum = ((lanes[0] + lanes[1]) + (lanes[2] + lanes[3])) +
                             ((lanes[4] + lanes[5]) + (lanes[6] + lanes[7]));
          total.add(sum * block.row_counts[row + i]);
        }
      }
      return total.value();
    }

   private:
    template <bool on_diagonal>
    TOKUMEI_HOT static void add_tile(const PairBlock& block, std::size_t row, std::size_t column,
                                     double p, double power, V (&sums)[rows][parts]) {
      V tile[rows * registers];
      Terms::template fill<rows>(block, row, column, p, power, tile);
      TOKUMEI_UNROLL for (std::size_t v = 0; v < registers; ++v) {
        const std::size_t first = column + width * v;
        const V counts = load<V>(block.column_counts + first);
        TOKUMEI_UNROLL for (std::size_t i = 0; i < rows; ++i) {
          V count = counts;
          if constexpr (on_diagonal)
            count = select(ascending<V>(static_cast<double>(first)) > static_cast<double>(row + i),
                           counts, V{});
          V& sum = sums[i][v % parts];
          sum = sum + tile[i * registers + v] * count;
        }
      }
    }
  };
};

}  // namespace tokumei::pairs
