// Eight values side by side: loops that a compiler turns into vector instructions.
//
//   double sum[lanes];
//   TOKUMEI_EACH_LANE(lane) sum[lane] += x[lane];
//
// The number of lanes is part of the algorithm, not of the processor: eight lanes are one AVX-512
// register, two of AVX2 or four of the baseline, and give the same bits on each.
#pragma once

#include <cstddef>
#include <cstdint>

#include "tokumei/instructions.hpp"

// GCC unrolls a loop of eight before it looks for vectors, and then finds none: keep it rolled.
#if defined(__GNUC__) && !defined(__clang__)
#define TOKUMEI_EACH_LANE(lane)                                                                    \
  _Pragma("GCC unroll 1") for (std::size_t lane = 0; lane < ::tokumei::lanes; ++lane)
#else
#define TOKUMEI_EACH_LANE(lane) for (std::size_t lane = 0; lane < ::tokumei::lanes; ++lane)
#endif

namespace tokumei {

inline constexpr std::size_t lanes = 8;

inline constexpr std::size_t whole_lanes(std::size_t n) { return (n + lanes - 1) / lanes * lanes; }

// `yes` where `take`, else `no`, in bit arithmetic: written as a choice, GCC stores under a branch
// that nothing can predict.
TOKUMEI_HOT std::int64_t select(bool take, std::int64_t yes, std::int64_t no) {
  const std::int64_t mask = -static_cast<std::int64_t>(take);
  return (yes & mask) | (no & ~mask);
}

}  // namespace tokumei
