// What a pass of iterative Bayes does to whole lists of cells, and what its acceleration does.
//
// Lists are filled with zeros to a multiple of eight; sums run in eight lanes, so all instruction
// sets give the same bits.
#pragma once

#include <cstddef>

#include "tokumei/simd/exponential.hpp"
#include "tokumei/simd/lanes.hpp"
#include "tokumei/simd/reductions.hpp"

namespace tokumei::reconstruct {

// n / e where there are records, and the sum of n log e. Eight at a time; beyond the last cell n =
// 0.
template <std::size_t bytes>
struct Explain {
  TOKUMEI_HOT static double run(const double* n, const double* e, double* ratio, std::size_t filled,
                                bool with_likelihood) {
    using V = Lanes<double, bytes, lane_count>;
    V sums{};
    for (std::size_t begin = 0; begin < filled; begin += lane_count) {
      const V records = load<V>(n + begin);
      V logs = select(records > 0.0, load<V>(e + begin), broadcast<V>(1.0));
      store(ratio + begin, records / logs);
      if (!with_likelihood) continue;
      take_log(logs);
      sums = sums + records * logs;
    }
    return total(sums);
  }
};

// p u / N. Shares that no count can tell from nothing become 0, before they are subnormal and slow.
struct Update {
  TOKUMEI_HOT static void run(const double* p, const double* u, double share, double* out,
                              std::size_t cells) {
    for (std::size_t c = 0; c < cells; ++c) {
      const double updated = p[c] * u[c] * share;
      out[c] = updated < 1e-280 ? 0.0 : updated;
    }
  }
};

struct Lengths {
  double step, change;
};

// The squared lengths of the step p1 - p0 and of its change p2 - p1 - (p1 - p0).
template <std::size_t bytes>
struct Measure {
  TOKUMEI_HOT static Lengths run(const double* p0, const double* p1, const double* p2,
                                 std::size_t filled) {
    using V = Lanes<double, bytes, lane_count>;
    V steps{}, changes{};
    for (std::size_t c = 0; c < filled; c += lane_count) {
      const V step = load<V>(p1 + c) - load<V>(p0 + c);
      const V change = load<V>(p2 + c) - load<V>(p1 + c) - step;
      steps = steps + step * step;
      changes = changes + change * change;
    }
    return {total(steps), total(changes)};
  }
};

// p0 + 2 a step + a^2 change, at least a tenth of p2; returns the sum.
template <std::size_t bytes>
struct Extrapolate {
  TOKUMEI_HOT static double run(const double* p0, const double* p1, const double* p2, double a,
                                double* out, std::size_t filled) {
    using V = Lanes<double, bytes, lane_count>;
    V sum{};
    for (std::size_t c = 0; c < filled; c += lane_count) {
      const V start = load<V>(p0 + c), end = load<V>(p2 + c);
      const V step = load<V>(p1 + c) - start, change = end - load<V>(p1 + c) - step;
      const V far = start + 2.0 * a * step + a * a * change;
      const V best = larger(far, 0.1 * end);
      store(out + c, best);
      sum = sum + best;
    }
    return total(sum);
  }
};

}  // namespace tokumei::reconstruct
