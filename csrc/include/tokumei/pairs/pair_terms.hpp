// What a pair of records contributes to a sum of powers of distances: the terms of pair_tiles.hpp.
//
// A metric says what a difference contributes to a distance and how contributions meet; a power is
// taken of what they come to. Terms are made once for all pairs. `fill` gives those of a tile of
// some rows and columns, row after row, attribute by attribute, the same bits for every shape of a
// tile.
#pragma once

#include <cmath>
#include <cstddef>

#include "tokumei/simd/fixed_power.hpp"
#include "tokumei/simd/lanes.hpp"
#include "tokumei/simd/powers.hpp"

namespace tokumei::pairs {

// Two chunks, or one and itself: then only the pairs whose column comes after the row count. What
// lies behind the used rows and columns, up to the next whole tile, counts 0.
struct PairBlock {
  const double *rows, *row_counts, *columns, *column_counts;
  std::size_t width, used_rows, used_columns, attributes;
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
  template <class V>
  TOKUMEI_HOT void raise(V&) const {}
};
struct Square {
  template <class V>
  TOKUMEI_HOT void raise(V& s) const {
    s = s * s;
  }
};
struct Root {
  template <class V>
  TOKUMEI_HOT void raise(V& s) const {
    take_square_root(s);
  }
};
template <bool squared>
struct CubeRoot {
  template <class V>
  TOKUMEI_HOT void raise(V& s) const {
    V inverse = larger(s, broadcast<V>(0x1p-900));
    take_inverse_cube_root(inverse);
    s = s * (squared ? inverse : inverse * inverse);
  }
};
using simd::FixedPower;

// x^(halves / 2).
struct Halves {
  unsigned halves;
  template <class V>
  TOKUMEI_HOT void raise(V& x) const {
    raise_by_halves(x, halves);
  }
};

// The differences of the rows and columns of a tile on attribute j, row after row.
template <std::size_t rows, class V>
TOKUMEI_HOT V gaps_of_tile(const PairBlock& block, std::size_t row, std::size_t column,
                           std::size_t j) {
  using Columns = typename V::template Some<V::count / rows>;
  const double* at = block.rows + j * block.width + row;
  const auto columns = load<Columns>(block.columns + j * block.width + column);
  return each_register<V>([&](std::size_t i) TOKUMEI_HOT_LAMBDA {
    return at[i / Columns::registers] - columns.part[i % Columns::registers];
  });
}

// The terms of a tile of `rows` rows: (sum of contributions)^exponent.
template <class Metric, class Power>
struct PowersOfSums {
  Power of_sum{};

  template <std::size_t rows, class V>
  TOKUMEI_HOT V fill(const PairBlock& block, std::size_t row, std::size_t column) const {
    V tile = Metric::of(gaps_of_tile<rows, V>(block, row, column, 0));
    for (std::size_t j = 1; j < block.attributes; ++j)
      tile = Metric::join(tile, Metric::of(gaps_of_tile<rows, V>(block, row, column, j)));
    of_sum.raise(tile);
    return tile;
  }
};

// The same for p up to largest_moderate_p: contributions that would vanish do not matter beside
// others. A p whose double is whole needs no tables.
constexpr double largest_moderate_p = 8.0;

template <class Power>
struct ModerateMinkowski {
  Power of_gap;       // ^p
  FixedPower of_sum;  // ^(power / p)

  template <std::size_t rows, class V>
  TOKUMEI_HOT V fill(const PairBlock& block, std::size_t row, std::size_t column) const {
    V tile{};
    for (std::size_t j = 0; j < block.attributes; ++j) {
      V part = magnitude(gaps_of_tile<rows, V>(block, row, column, j));
      of_gap.raise(part);
      tile = tile + part;
    }
    of_sum.raise(tile);
    return tile;
  }
};

// The same for any p: contributions are divided by the largest of them before they are raised to
// the p, so that none that matters vanishes.
struct AnyMinkowski {
  double p;
  FixedPower of_sum;      // ^(power / p)
  FixedPower of_largest;  // ^power

  template <std::size_t rows, class V>
  TOKUMEI_HOT V fill(const PairBlock& block, std::size_t row, std::size_t column) const {
    V largest = PowersOfSums<TakeLargest, First>{}.template fill<rows, V>(block, row, column);
    const V inverse = 1.0 / larger(largest, broadcast<V>(0x1p-1000));
    V tile{};
    for (std::size_t j = 0; j < block.attributes; ++j) {
      V part = magnitude(gaps_of_tile<rows, V>(block, row, column, j)) * inverse;
      raise_at_least_once(part, p);
      tile = tile + part;
    }
    of_sum.raise(tile);
    of_largest.raise(largest);
    return tile * largest;
  }
};

}  // namespace tokumei::pairs
