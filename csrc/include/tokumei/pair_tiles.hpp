// Tiles of pairs of records: the inner part of pairs.hpp.
//
// A tile is a few rows times a few registers of columns; its distances grow attribute by attribute
// in registers. The powers of the distances are summed in eight lanes (column mod 8) for each row,
// the lanes then in a fixed order, so the shape of a tile, which differs between instruction sets,
// changes no bit.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

#include "tokumei/double_double.hpp"
#include "tokumei/lanes.hpp"
#include "tokumei/powers.hpp"
#include "tokumei/views.hpp"

namespace tokumei::detail {

// The table as tiles read it: chunks of rows that fit the first-level cache, in each one attribute
// after the other. Padded with rows that count 0; scaled by a power of two, so that the largest
// difference is about 1 and no power of one overflows; attributes that do not vary are 0.
class PackedRows {
 public:
  static constexpr std::size_t widest_tile = 16;

  PackedRows(Table<double> x, Column<double> counts)
      : attributes_(x.columns()), width_(chunk_width(x.columns())),
        chunks_((x.rows() + width_ - 1) / width_), values_(chunks_ * width_ * attributes_),
        counts_(chunks_ * width_) {
    double widest = 0.0;
    std::vector<bool> varies(attributes_);
    for (std::size_t j = 0; j < attributes_; ++j) {
      const auto [low, high] = std::minmax_element(x.column(j).begin(), x.column(j).end());
      varies[j] = *low < *high;
      widest = std::max(widest, std::min(*high - *low, std::numeric_limits<double>::max()));
    }
    exponent_ = widest > 0.0 ? std::clamp(std::ilogb(widest) + 1, -1000, 1024) : 0;
    const double scale = std::ldexp(1.0, -exponent_);
    for (std::size_t row = 0; row < x.rows(); ++row) {
      double* to = values_.data() + row / width_ * width_ * attributes_ + row % width_;
      for (std::size_t j = 0; j < attributes_; ++j)
        to[j * width_] = varies[j] ? x(row, j) * scale : 0.0;
      counts_[row] = counts.size() == 0 ? 1.0 : counts[row];
    }
  }

  std::size_t attributes() const { return attributes_; }
  std::size_t width() const { return width_; }
  std::size_t chunks() const { return chunks_; }
  const double* values(std::size_t chunk) const {
    return values_.data() + chunk * width_ * attributes_;
  }
  const double* counts(std::size_t chunk) const { return counts_.data() + chunk * width_; }
  // The values are those of the table times 2^-exponent.
  int exponent() const { return exponent_; }

 private:
  static std::size_t chunk_width(std::size_t attributes) {
    const std::size_t fitting = 3072 / attributes / widest_tile * widest_tile;
    return std::clamp(fitting, 4 * widest_tile, 32 * widest_tile);
  }

  std::size_t attributes_, width_, chunks_;
  std::vector<double> values_, counts_;
  int exponent_ = 0;
};

// Two chunks, or one and itself: then only the pairs whose column comes after the row count.
struct PairBlock {
  const double *rows, *row_counts, *columns, *column_counts;
  std::size_t width, attributes;
  bool diagonal;
};

// What a difference contributes to a distance, and how contributions meet.
struct AddMagnitude {
  template <class V>
  TOKUMEI_HOT static V of(V gap) {
    return magnitude(gap);
  }
  template <class V>
  TOKUMEI_HOT static V join(V sum, V part) {
    return sum + part;
  }
};
struct TakeLargest : AddMagnitude {
  template <class V>
  TOKUMEI_HOT static V join(V sum, V part) {
    return larger(sum, part);
  }
};
struct AddSquare : AddMagnitude {
  template <class V>
  TOKUMEI_HOT static V of(V gap) {
    return gap * gap;
  }
};
struct AddCube : AddMagnitude {
  template <class V>
  TOKUMEI_HOT static V of(V gap) {
    return magnitude(gap) * (gap * gap);
  }
};
struct AddFourth : AddMagnitude {
  template <class V>
  TOKUMEI_HOT static V of(V gap) {
    return (gap * gap) * (gap * gap);
  }
};

// What becomes of the sum s of the contributions: s^exponent.
struct First {
  template <class V, std::size_t n>
  TOKUMEI_HOT static void apply(V (&)[n], double) {}
};
struct Square {
  template <class V, std::size_t n>
  TOKUMEI_HOT static void apply(V (&s)[n], double) {
    TOKUMEI_UNROLL for (std::size_t k = 0; k < n; ++k) s[k] = s[k] * s[k];
  }
};
struct Root {
  template <class V, std::size_t n>
  TOKUMEI_HOT static void apply(V (&s)[n], double) {
    take_square_root(s);
  }
};
template <bool squared>
struct CubeRoot {
  template <class V, std::size_t n>
  TOKUMEI_HOT static void apply(V (&s)[n], double) {
    V inverse[n];
    TOKUMEI_UNROLL for (std::size_t k = 0; k < n; ++k) inverse[k] =
        larger(s[k], spread<V>(0x1p-900));
    take_inverse_cube_root(inverse);
    TOKUMEI_UNROLL for (std::size_t k = 0; k < n; ++k) s[k] =
        s[k] * (squared ? inverse[k] : inverse[k] * inverse[k]);
  }
};
struct AnyPower {
  template <class V, std::size_t n>
  TOKUMEI_HOT static void apply(V (&s)[n], double exponent) {
    raise(s, exponent);
  }
};

// The terms of a tile of `rows` rows: (sum of contributions)^(power / p).
template <class Metric, class Power>
struct PowersOfSums {
  template <std::size_t rows, class V, std::size_t n>
  TOKUMEI_HOT static void fill(const PairBlock& block, std::size_t row, std::size_t column,
                               double p, double power, V (&tile)[n]) {
    constexpr std::size_t registers = n / rows, width = sizeof(V) / sizeof(double);
    const double* at = block.rows + row;
    const double* to = block.columns + column;
    V columns[registers];
    TOKUMEI_UNROLL for (std::size_t v = 0; v < registers; ++v) columns[v] = load<V>(to + width * v);
    TOKUMEI_UNROLL for (std::size_t k = 0; k < n; ++k) tile[k] =
        Metric::of(at[k / registers] - columns[k % registers]);
    for (std::size_t j = 1; j < block.attributes; ++j) {
      at += block.width;
      to += block.width;
      TOKUMEI_UNROLL for (std::size_t v = 0; v < registers; ++v) columns[v] =
          load<V>(to + width * v);
      TOKUMEI_UNROLL for (std::size_t k = 0; k < n; ++k) tile[k] =
          Metric::join(tile[k], Metric::of(at[k / registers] - columns[k % registers]));
    }
    Power::apply(tile, power / p);
  }
};

// The same for p up to largest_moderate_p: contributions that would vanish do not matter beside
// others. A p whose double is whole needs no logarithm.
constexpr double largest_moderate_p = 8.0;

template <bool halves>
struct ModerateMinkowski {
  template <std::size_t rows, class V, std::size_t n>
  TOKUMEI_HOT static void fill(const PairBlock& block, std::size_t row, std::size_t column,
                               double p, double power, V (&tile)[n]) {
    constexpr std::size_t registers = n / rows, width = sizeof(V) / sizeof(double);
    for (V& sum : tile) sum = V{};
    for (std::size_t j = 0; j < block.attributes; ++j) {
      const double* at = block.rows + j * block.width + row;
      const double* to = block.columns + j * block.width + column;
      V part[n];
      TOKUMEI_UNROLL for (std::size_t k = 0; k < n; ++k) part[k] =
          magnitude(at[k / registers] - load<V>(to + width * (k % registers)));
      if constexpr (halves)
        raise_by_halves(part, static_cast<unsigned>(2.0 * p));
      else
        raise(part, p);
      TOKUMEI_UNROLL for (std::size_t k = 0; k < n; ++k) tile[k] = tile[k] + part[k];
    }
    raise(tile, power / p);
  }
};

// The same for any p: contributions are divided by the largest of them before they are raised to
// the p, so that none that matters vanishes.
struct AnyMinkowski {
  template <std::size_t rows, class V, std::size_t n>
  TOKUMEI_HOT static void fill(const PairBlock& block, std::size_t row, std::size_t column,
                               double p, double power, V (&tile)[n]) {
    constexpr std::size_t registers = n / rows, width = sizeof(V) / sizeof(double);
    V largest[n], inverse[n], part[n];
    PowersOfSums<TakeLargest, First>::fill<rows>(block, row, column, p, power, largest);
    TOKUMEI_UNROLL for (std::size_t k = 0; k < n; ++k) {
      inverse[k] = 1.0 / larger(largest[k], spread<V>(0x1p-1000));
      tile[k] = V{};
    }
    for (std::size_t j = 0; j < block.attributes; ++j) {
      const double* at = block.rows + j * block.width + row;
      const double* to = block.columns + j * block.width + column;
      TOKUMEI_UNROLL for (std::size_t k = 0; k < n; ++k) {
        const V gap = at[k / registers] - load<V>(to + width * (k % registers));
        part[k] = magnitude(gap) * inverse[k];
      }
      raise(part, p);
      TOKUMEI_UNROLL for (std::size_t k = 0; k < n; ++k) tile[k] = tile[k] + part[k];
    }
    raise(tile, power / p);
    raise(largest, power);
    TOKUMEI_UNROLL for (std::size_t k = 0; k < n; ++k) tile[k] = tile[k] * largest[k];
  }
};

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
        const V counts = load<V>(block.column_counts + column + width * v);
        TOKUMEI_UNROLL for (std::size_t i = 0; i < rows; ++i) {
          V count = counts;
          if constexpr (on_diagonal)
            for (std::size_t lane = 0; lane < width; ++lane)
              if (column + width * v + lane <= row + i) count[lane] = 0.0;
          V& sum = sums[i][v % parts];
          sum = sum + tile[i * registers + v] * count;
        }
      }
    }
  };
};

}  // namespace tokumei::detail
