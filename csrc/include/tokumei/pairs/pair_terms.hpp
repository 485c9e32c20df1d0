// What a pair of records contributes to a sum of powers of distances: the terms of pair_tiles.hpp.
//
// A metric says what a difference contributes to a distance and how contributions meet; a power is
// taken of what they come to. `fill` writes the terms of a tile of some rows and registers of
// columns, attribute by attribute, the same bits for every shape of a tile.
#pragma once

#include <cmath>
#include <cstddef>

#include "tokumei/simd/lanes.hpp"
#include "tokumei/simd/powers.hpp"

namespace tokumei::pairs {

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
        larger(s[k], broadcast<V>(0x1p-900));
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
      inverse[k] = 1.0 / larger(largest[k], broadcast<V>(0x1p-1000));
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

}  // namespace tokumei::pairs
