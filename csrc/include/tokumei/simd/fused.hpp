// a b + c, rounded once, lane by lane: the same bits on every level.
//
// AVX2 and AVX-512 have an instruction for it; the baseline asks the standard library, which is
// exact and slow. For elementary functions, whose time is additions to products; sums keep their
// products rounded.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstring>

#include "tokumei/simd/lanes.hpp"

// GCC's names of the instructions; other compilers find them in the loop over lanes.
#if TOKUMEI_VECTOR_LANES && TOKUMEI_HAS_INSTRUCTION_SETS && !defined(__clang__)
#define TOKUMEI_FUSED_REGISTERS 1
#else
#define TOKUMEI_FUSED_REGISTERS 0
#endif

namespace tokumei::simd {

template <class V>
TOKUMEI_HOT V fused(const V& a, const V& b, const V& c) {
  return each_register<V>([&](std::size_t i) TOKUMEI_HOT_LAMBDA {
    using Register = typename V::Register;
    if constexpr (V::of_register == 1) {
      return static_cast<Register>(std::fma(a[i], b[i], c[i]));
#if TOKUMEI_FUSED_REGISTERS
    } else if constexpr (V::register_bytes == 64) {
      constexpr int as_ever = 4;  // rounded as everything else is
      return static_cast<Register>(
          __builtin_ia32_vfmaddpd512_mask(a.part[i], b.part[i], c.part[i], -1, as_ever));
    } else if constexpr (V::register_bytes == 32) {
      return static_cast<Register>(__builtin_ia32_vfmaddpd256(a.part[i], b.part[i], c.part[i]));
#endif
    } else {
      double lanes[V::of_register];
      for (std::size_t lane = 0; lane < V::of_register; ++lane) {
        const std::size_t at = i * V::of_register + lane;
        lanes[lane] = __builtin_fma(a[at], b[at], c[at]);
      }
      Register part;
      std::memcpy(&part, lanes, sizeof part);
      return part;
    }
  });
}

#undef TOKUMEI_FUSED_REGISTERS

// The polynomial at x, its coefficients from the highest power to the constant, each step rounded
// once.
template <std::size_t terms, class V>
TOKUMEI_HOT V evaluate_fused(const double (&coefficients)[terms], const V& x) {
  V sum = broadcast<V>(coefficients[0]);
  TOKUMEI_UNROLL for (std::size_t term = 1; term < terms; ++term) sum =
      fused(sum, x, broadcast<V>(coefficients[term]));
  return sum;
}

}  // namespace tokumei::simd
