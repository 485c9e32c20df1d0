// Loops over eight values side by side, which a compiler turns into vector instructions.
//
//   double sum[lane_count];
//   TOKUMEI_EACH_LANE(lane) sum[lane] += x[lane];
//
// For kernels that compare and choose: eight.hpp has the arithmetic alone. Eight lanes are one
// register of AVX-512, two of AVX2 or four of the baseline, and give the same bits on each.
#pragma once

#include <cstddef>
#include <cstdint>

#include "tokumei/runtime/instruction_sets.hpp"

// GCC unrolls a loop of eight before it looks for vectors, and then finds none: keep it rolled.
#if defined(__GNUC__) && !defined(__clang__)
#define TOKUMEI_EACH_LANE(lane)                                                                    \
  _Pragma("GCC unroll 1") for (std::size_t lane = 0; lane < ::tokumei::simd::lane_count; ++lane)
#else
#define TOKUMEI_EACH_LANE(lane)                                                                    \
  for (std::size_t lane = 0; lane < ::tokumei::simd::lane_count; ++lane)
#endif

namespace tokumei::simd {

inline constexpr std::size_t lane_count = 8;

// The number of values that fills whole lanes.
inline std::size_t padded(std::size_t values) {
  return (values + lane_count - 1) / lane_count * lane_count;
}

// `yes` where `take`, else `no`, in bit arithmetic: written as a choice, GCC stores under a branch
// that nothing can predict.
TOKUMEI_HOT std::int64_t select(bool take, std::int64_t yes, std::int64_t no) {
  const std::int64_t mask = -static_cast<std::int64_t>(take);
  return (yes & mask) | (no & ~mask);
}

}  // namespace tokumei::simd
