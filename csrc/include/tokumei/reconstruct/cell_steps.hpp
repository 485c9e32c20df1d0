// What a pass of iterative Bayes does to whole lists of cells, and what its acceleration does.
//
// Lists are filled with zeros to a multiple of eight; sums run in eight lanes, so all instruction
// sets give the same bits.
#pragma once

#include <cstddef>

#include "tokumei/simd/eight.hpp"
#include "tokumei/simd/exponential.hpp"
#include "tokumei/simd/lanes.hpp"

namespace tokumei::reconstruct {

// n / e where there are records, and the sum of n log e. Eight at a time; beyond the last cell n =
// 0.
template <std::size_t bytes>
struct Explain {
  TOKUMEI_HOT static double run(const double* n, const double* e, double* ratio, std::size_t filled,
                                bool with_likelihood) {
    using V = Lanes<double, bytes>;
    constexpr std::size_t width = bytes / sizeof(double), registers = lane_count / width;
    double sums[lane_count] = {};
    for (std::size_t begin = 0; begin < filled; begin += lane_count) {
      V logs[registers];
      TOKUMEI_UNROLL for (std::size_t k = 0; k < registers; ++k) {
        const std::size_t at = begin + k * width;
        const V records = load<V>(n + at);
        logs[k] = select(records > V{}, load<V>(e + at), broadcast<V>(1.0));
        store(ratio + at, records / logs[k]);
      }
      if (!with_likelihood) continue;
      take_log(logs);
      TOKUMEI_UNROLL for (std::size_t k = 0; k < registers; ++k) store(
          sums + k * width, load<V>(sums + k * width) + load<V>(n + begin + k * width) * logs[k]);
    }
    return total(load(static_cast<const double*>(sums)));
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
struct Measure {
  TOKUMEI_HOT static Lengths run(const double* p0, const double* p1, const double* p2,
                                 std::size_t filled) {
    Eight steps{}, changes{};
    for (std::size_t c = 0; c < filled; c += lane_count) {
      const Eight step = load(p1 + c) - load(p0 + c);
      const Eight change = load(p2 + c) - load(p1 + c) - step;
      steps = steps + step * step;
      changes = changes + change * change;
    }
    return {total(steps), total(changes)};
  }
};

// p0 + 2 a step + a^2 change, at least a tenth of p2; returns the sum.
struct Extrapolate {
  TOKUMEI_HOT static double run(const double* p0, const double* p1, const double* p2, double a,
                                double* out, std::size_t filled) {
    for (std::size_t c = 0; c < filled; ++c) {
      const double step = p1[c] - p0[c], change = p2[c] - p1[c] - step;
      const double far = p0[c] + 2.0 * a * step + a * a * change, least = 0.1 * p2[c];
      out[c] = far > least ? far : least;
    }
    Eight sum{};
    for (std::size_t c = 0; c < filled; c += lane_count) sum = sum + load(out + c);
    return total(sum);
  }
};

}  // namespace tokumei::reconstruct
