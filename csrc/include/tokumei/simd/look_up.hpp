// Numbers of a table, by whole numbers in the lanes of an index.
//
// AVX-512 holds a table of sixteen in two registers and shuffles them; other tables are asked lane
// by lane, which took less time than gathering instructions. A table of sixteen goes by the low
// four bits of the index.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "tokumei/simd/lanes.hpp"

// GCC's name of the shuffle of two registers.
#if TOKUMEI_VECTOR_LANES && defined(__GNUC__) && !defined(__clang__)
#define TOKUMEI_SHUFFLES_TABLES 1
#else
#define TOKUMEI_SHUFFLES_TABLES 0
#endif

namespace tokumei::simd {

template <class V>
inline constexpr bool shuffles_sixteen = TOKUMEI_SHUFFLES_TABLES == 1 && V::of_register == 8;

template <std::size_t size, class Index>
TOKUMEI_HOT auto look_up(const double (&table)[size], const Index& index) {
  using V = typename Index::template Of<double>;
  return each_register<V>([&](std::size_t i) TOKUMEI_HOT_LAMBDA {
    typename V::Register part;
#if TOKUMEI_SHUFFLES_TABLES
    if constexpr (size == 16 && shuffles_sixteen<V>) {
      typename V::Register first, second;
      std::memcpy(&first, table, sizeof first);
      std::memcpy(&second, table + 8, sizeof second);
      part = __builtin_shuffle(first, second, index.part[i]);
      return part;
    }
#endif
    double lanes[V::of_register];
    for (std::size_t lane = 0; lane < V::of_register; ++lane) {
      const std::uint64_t at = index[i * V::of_register + lane];
      lanes[lane] = table[size == 16 ? at % 16 : at];
    }
    std::memcpy(&part, lanes, sizeof part);
    return part;
  });
}

#undef TOKUMEI_SHUFFLES_TABLES

}  // namespace tokumei::simd
