// Many terms added to an exact sum (exact_sum.hpp) at about the speed of reading them.
//
// A stretch of terms is folded: with c = 1.5 * 2^s, large beside all of them, (c + x) - c is x
// rounded to a multiple of u = 2^(s-52). The difference to x is again a double, at most u/2, and
// both subtractions are exact. With |x| <= 2^(s-8) each of eight lanes adds up to 2^9 rounded terms
// to at most 2^(s+1) = 2^53 u: exactly. What the rounding left is folded in the same way with the
// next smaller c. Every number so obtained is added to the exact sum, hence no bit is lost,
// whatever the terms are. Usually two or three folds leave nothing; what is left after four, and
// terms too large for c, are added one by one.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "tokumei/numeric/exact_sum.hpp"
#include "tokumei/runtime/instruction_sets.hpp"
#include "tokumei/runtime/views.hpp"
#include "tokumei/simd/lanes.hpp"
#include "tokumei/simd/reductions.hpp"

namespace tokumei::numeric {

inline constexpr std::size_t stretch_terms = 1024;
inline constexpr std::size_t most_folds = 4;

struct Folds {
  std::size_t count;
  bool rests;  // some terms have left something
};

// Folds `count` terms, a multiple of eight, and leaves the rest of each in its place. The lanes of
// each fold go to `parts`.
template <std::size_t bytes>
struct Fold {
  using V = Lanes<double, bytes, lane_count>;

  TOKUMEI_HOT static Folds run(double* terms, std::size_t count, double* parts) {
    V sizes{};
    for (std::size_t i = 0; i < count; i += lane_count)
      sizes = larger(sizes, size_of(load<V>(terms + i)));
    double largest = highest(sizes);
    std::size_t folds = 0;
    for (; folds < most_folds && largest > 0.0 && largest < 0x1p+1000; ++folds) {
      const double c = std::ldexp(1.5, std::max(std::ilogb(largest) + 9, -1022));
      V sums{}, rests{};
      for (std::size_t i = 0; i < count; i += lane_count) {
        const V x = load<V>(terms + i);
        const V rounded = (x + c) - c;
        const V rest = x - rounded;
        store(terms + i, rest);
        sums = sums + rounded;
        rests = larger(rests, size_of(rest));
      }
      store(parts + folds * lane_count, sums);
      largest = highest(rests);
    }
    return {folds, largest > 0.0};
  }

 private:
  TOKUMEI_HOT static V size_of(const V& x) { return larger(x, 0.0 - x); }
};

// Adds the terms that fill(begin, count, out) writes to `out`, stretch by stretch. Finite terms
// only.
template <class Fill>
void add_terms(ExactSum& sum, std::size_t terms, InstructionSet isa, Fill&& fill) {
  alignas(64) double stretch[stretch_terms];
  double parts[most_folds * lane_count];
  for (std::size_t begin = 0; begin < terms; begin += stretch_terms) {
    const std::size_t count = std::min(stretch_terms, terms - begin);
    const std::size_t whole = padded(count);
    fill(begin, count, static_cast<double*>(stretch));
    std::fill(stretch + count, stretch + whole, 0.0);
    const auto folds = dispatch_lanes<Fold>(isa, static_cast<double*>(stretch), whole, parts + 0);
    for (std::size_t i = 0; folds.rests && i < count; ++i) sum.add(stretch[i]);
    for (std::size_t i = 0; i < folds.count * lane_count; ++i) sum.add(parts[i]);
  }
}

// Adds all values of a column.
inline void add_column(ExactSum& sum, Column<double> x, InstructionSet isa) {
  add_terms(sum, x.size(), isa, [&](std::size_t begin, std::size_t count, double* out) {
    std::copy_n(x.data() + begin, count, out);
  });
}

}  // namespace tokumei::numeric
