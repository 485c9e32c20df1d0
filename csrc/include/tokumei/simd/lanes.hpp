// A register full of equal numbers that are worked on at once.
//
// A few kernels hold a tile of sums in registers, which no compiler finds by itself in plain loops.
// They are written with Lanes<T, bytes>, the operators + - * / & | ^ ~ << >> and comparisons, lane
// by lane, and are compiled for the register width of each instruction set:
//
//   template <std::size_t bytes> struct Tile { TOKUMEI_HOT static double run(...); };
//   dispatch_lanes<Tile>(level, ...);   // Tile<64> for AVX-512, <32> for AVX2, <16> otherwise
//
// What such a body computes may not depend on `bytes`: every level gives the same bits. Lanes never
// cross a real function call: whatever takes or returns them is TOKUMEI_HOT. Compilers without
// vector extensions get the same lanes as a plain array (TOKUMEI_PLAIN_LANES asks for it), and one
// register width for all levels.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "tokumei/runtime/instruction_sets.hpp"

#if !defined(TOKUMEI_PLAIN_LANES) && (defined(__GNUC__) || defined(__clang__))
#define TOKUMEI_VECTOR_LANES 1
#else
#define TOKUMEI_VECTOR_LANES 0
#endif

// A loop over the few registers of a tile: to be written out.
#if defined(__clang__)
#define TOKUMEI_UNROLL _Pragma("unroll")
#elif defined(__GNUC__)
#define TOKUMEI_UNROLL _Pragma("GCC unroll 16")
#else
#define TOKUMEI_UNROLL
#endif

namespace tokumei::simd {

#if TOKUMEI_VECTOR_LANES

template <class T, std::size_t bytes>
using Lanes [[gnu::vector_size(bytes)]] = T;

// The same bits as lanes of another type.
template <class T, class V>
TOKUMEI_HOT Lanes<T, sizeof(V)> bits_as(V v) {
  return (Lanes<T, sizeof(V)>)v;
}

// a in the lanes where the mask (of a comparison) holds, else b.
template <class Mask, class V>
TOKUMEI_HOT V select(Mask mask, V a, V b) {
  return mask ? a : b;
}

#else

template <class T>
using Truth = std::conditional_t<
    sizeof(T) == 8, std::int64_t,
    std::conditional_t<sizeof(T) == 4, std::int32_t,
                       std::conditional_t<sizeof(T) == 2, std::int16_t, std::int8_t>>>;

template <class T, std::size_t bytes>
struct alignas(bytes) Lanes {
  static constexpr std::size_t count = bytes / sizeof(T);
  T lane[count];
  T& operator[](std::size_t i) { return lane[i]; }
  T operator[](std::size_t i) const { return lane[i]; }
};

template <class R, class T, std::size_t bytes, class Operation>
TOKUMEI_HOT Lanes<R, bytes> each_lane(Lanes<T, bytes> a, Lanes<T, bytes> b, Operation operation) {
  Lanes<R, bytes> out;
  for (std::size_t i = 0; i < out.count; ++i) out[i] = static_cast<R>(operation(a[i], b[i]));
  return out;
}

template <class T, std::size_t bytes>
TOKUMEI_HOT Lanes<T, bytes> all_lanes(T x) {
  Lanes<T, bytes> out;
  for (auto& lane : out.lane) lane = x;
  return out;
}

#define TOKUMEI_LANE_OPERATOR(symbol)                                                              \
  template <class T, std::size_t bytes>                                                            \
  TOKUMEI_HOT Lanes<T, bytes> operator symbol(Lanes<T, bytes> a, Lanes<T, bytes> b) {              \
    return each_lane<T>(a, b, [](T x, T y) { return x symbol y; });                                \
  }                                                                                                \
  template <class T, std::size_t bytes>                                                            \
  TOKUMEI_HOT Lanes<T, bytes> operator symbol(Lanes<T, bytes> a, std::type_identity_t<T> b) {      \
    return a symbol all_lanes<T, bytes>(b);                                                        \
  }                                                                                                \
  template <class T, std::size_t bytes>                                                            \
  TOKUMEI_HOT Lanes<T, bytes> operator symbol(std::type_identity_t<T> a, Lanes<T, bytes> b) {      \
    return all_lanes<T, bytes>(a) symbol b;                                                        \
  }
#define TOKUMEI_LANE_COMPARISON(symbol)                                                            \
  template <class T, std::size_t bytes>                                                            \
  TOKUMEI_HOT auto operator symbol(Lanes<T, bytes> a, Lanes<T, bytes> b) {                         \
    return each_lane<Truth<T>>(a, b, [](T x, T y) { return x symbol y ? -1 : 0; });                \
  }

TOKUMEI_LANE_OPERATOR(+)
TOKUMEI_LANE_OPERATOR(-)
TOKUMEI_LANE_OPERATOR(*)
TOKUMEI_LANE_OPERATOR(/)
TOKUMEI_LANE_OPERATOR(&)
TOKUMEI_LANE_OPERATOR(|)
TOKUMEI_LANE_OPERATOR(^)
TOKUMEI_LANE_OPERATOR(<<)
TOKUMEI_LANE_OPERATOR(>>)
TOKUMEI_LANE_COMPARISON(<)
TOKUMEI_LANE_COMPARISON(>)
TOKUMEI_LANE_COMPARISON(==)

#undef TOKUMEI_LANE_OPERATOR
#undef TOKUMEI_LANE_COMPARISON

template <class T, std::size_t bytes>
TOKUMEI_HOT Lanes<T, bytes> operator~(Lanes<T, bytes> a) {
  return each_lane<T>(a, a, [](T x, T) { return ~x; });
}

template <class T, class V>
TOKUMEI_HOT Lanes<T, sizeof(V)> bits_as(V v) {
  return std::bit_cast<Lanes<T, sizeof(V)>>(v);
}

template <class Mask, class V>
TOKUMEI_HOT V select(Mask mask, V a, V b) {
  for (std::size_t i = 0; i < b.count; ++i)
    if (mask[i] != 0) b[i] = a[i];
  return b;
}

#endif

template <class V, class T>
TOKUMEI_HOT V load(const T* from) {
  V v;
  std::memcpy(&v, from, sizeof v);
  return v;
}

template <class V, class T>
TOKUMEI_HOT void store(T* to, V v) {
  std::memcpy(to, &v, sizeof v);
}

// The same number in every lane.
template <class V, class T>
TOKUMEI_HOT V broadcast(T x) {
  return x - V{};
}

template <class V>
TOKUMEI_HOT V larger(V a, V b) {
  return select(a > b, a, b);
}

template <class V>
TOKUMEI_HOT V smaller(V a, V b) {
  return select(a < b, a, b);
}

// Bytes of a register at that level.
inline std::size_t register_bytes([[maybe_unused]] InstructionSet isa) {
#if TOKUMEI_HAS_INSTRUCTION_SETS && TOKUMEI_VECTOR_LANES
  if (isa == InstructionSet::avx512) return 64;
  if (isa == InstructionSet::avx2) return 32;
#endif
  return 16;
}

template <template <std::size_t bytes> class Body, class... Args>
auto dispatch_lanes([[maybe_unused]] InstructionSet isa, Args... args) {
#if TOKUMEI_HAS_INSTRUCTION_SETS && TOKUMEI_VECTOR_LANES
  if (isa == InstructionSet::avx512) return on_avx512<Body<64>>(args...);
  if (isa == InstructionSet::avx2) return on_avx2<Body<32>>(args...);
#endif
  return on_baseline<Body<16>>(args...);
}

}  // namespace tokumei::simd
