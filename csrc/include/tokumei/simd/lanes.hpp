// A few equal numbers side by side that are worked on at once: the one way to write a vector loop.
//
//   template <std::size_t bytes>
//   struct Scale {
//     TOKUMEI_HOT static void run(double* x, double by) {
//       store(x, load<Lanes<double, bytes, 8>>(x) * by);
//     }
//   };
//   dispatch_lanes<Scale>(level, x, by);  // Scale<64> for AVX-512, <32> for AVX2, <16> otherwise
//
// Lanes<T, bytes, count> are `count` numbers in registers of `bytes`; without a count they are one
// register, for tiles that shall fill all there are. They have the operators + - * / & | ^ ~ << >>
// and comparisons, lane by lane; a comparison gives a mask, for `select` and `bits_of`. Sums and
// least of all lanes are taken in one fixed order. So what a body computes does not depend on
// `bytes`: every level gives the same bits.
//
// No compiler finds such registers by itself in loops over arrays, at least not each time, and what
// compilers make of vectors wider than a register is slow: so a register is always as wide as the
// level has them, and the few registers of Lanes are written out. Lanes never cross a real function
// call: whatever takes or returns them is TOKUMEI_HOT. Compilers without vector extensions get
// registers of one number (TOKUMEI_PLAIN_LANES asks for them), and one body for all levels.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <utility>

#include "tokumei/runtime/instruction_sets.hpp"

#if !defined(TOKUMEI_PLAIN_LANES) && (defined(__GNUC__) || defined(__clang__))
#define TOKUMEI_VECTOR_LANES 1
#else
#define TOKUMEI_VECTOR_LANES 0
#endif

// A loop over the few rows of a tile: to be written out.
#if defined(__clang__)
#define TOKUMEI_UNROLL _Pragma("unroll")
#elif defined(__GNUC__)
#define TOKUMEI_UNROLL _Pragma("GCC unroll 16")
#else
#define TOKUMEI_UNROLL
#endif

namespace tokumei::simd {

// The least that the registers of a level hold: for code that is not compiled for each.
inline constexpr std::size_t narrowest = 16;

// What loops over rows of doubles take at a time.
inline constexpr std::size_t lane_count = 8;

// The number of values that fills whole lanes.
constexpr std::size_t padded(std::size_t values, std::size_t lanes = lane_count) {
  return (values + lanes - 1) / lanes * lanes;
}

template <class T, std::size_t bytes>
struct RegisterOf {
#if TOKUMEI_VECTOR_LANES
  using Type [[gnu::vector_size(bytes)]] = T;
  static constexpr std::size_t lanes = bytes / sizeof(T);
#else
  using Type = T;
  static constexpr std::size_t lanes = 1;
#endif
};

template <class T, std::size_t bytes, std::size_t lanes = bytes / sizeof(T)>
struct Lanes {
  using Value = T;
  static constexpr std::size_t count = lanes;
  // Fewer numbers than a register holds have a narrower one.
  static constexpr std::size_t register_bytes =
      bytes < count * sizeof(T) ? bytes : count * sizeof(T);
  using Register = typename RegisterOf<T, register_bytes>::Type;
  static constexpr std::size_t of_register = RegisterOf<T, register_bytes>::lanes;
  static constexpr std::size_t registers = count / of_register;
  static_assert(registers * of_register == count);

  template <class Other>
  using Of = Lanes<Other, bytes, count>;
  template <std::size_t some>
  using Some = Lanes<T, bytes, some>;

  Register part[registers];

  TOKUMEI_HOT T operator[](std::size_t i) const {
#if TOKUMEI_VECTOR_LANES
    return part[i / of_register][i % of_register];
#else
    return part[i];
#endif
  }
};

// Lanes whose i-th register is part(i).
template <class V, class Part>
TOKUMEI_HOT V each_register(Part&& part) {
  return [&]<std::size_t... i>(std::index_sequence<i...>) TOKUMEI_HOT_LAMBDA {
    return V{{part(i)...}};
  }(std::make_index_sequence<V::registers>{});
}

// Register by register: a copy of all of them would go through memory.
template <class V>
TOKUMEI_HOT V load(const typename V::Value* from) {
  return each_register<V>([&](std::size_t i) TOKUMEI_HOT_LAMBDA {
    typename V::Register part;
    std::memcpy(&part, from + i * V::of_register, sizeof part);
    return part;
  });
}

template <class V>
TOKUMEI_HOT void store(typename V::Value* to, const V& v) {
  TOKUMEI_UNROLL for (std::size_t i = 0; i < V::registers; ++i)
      std::memcpy(to + i * V::of_register, &v.part[i], sizeof v.part[i]);
}

// What a comparison of T gives: all bits set where it holds.
template <class T>
using Truth = std::conditional_t<
    sizeof(T) == 8, std::int64_t,
    std::conditional_t<sizeof(T) == 4, std::int32_t,
                       std::conditional_t<sizeof(T) == 2, std::int16_t, std::int8_t>>>;

template <class V>
using MaskOf = typename V::template Of<Truth<typename V::Value>>;

#if TOKUMEI_VECTOR_LANES
#define TOKUMEI_REGISTER(expression) (expression)
#define TOKUMEI_TRUTH(expression) ((typename MaskOf<Lanes<T, bytes, count>>::Register)(expression))
#else
#define TOKUMEI_REGISTER(expression) static_cast<T>(expression)
#define TOKUMEI_TRUTH(expression) static_cast<Truth<T>>((expression) ? -1 : 0)
#endif

#define TOKUMEI_LANE_OPERATOR(symbol)                                                              \
  template <class T, std::size_t bytes, std::size_t count>                                         \
  TOKUMEI_HOT Lanes<T, bytes, count> operator symbol(const Lanes<T, bytes, count>& a,              \
                                                     const Lanes<T, bytes, count>& b) {            \
    return each_register<Lanes<T, bytes, count>>([&](std::size_t i) TOKUMEI_HOT_LAMBDA {           \
      return TOKUMEI_REGISTER(a.part[i] symbol b.part[i]);                                         \
    });                                                                                            \
  }                                                                                                \
  template <class T, std::size_t bytes, std::size_t count>                                         \
  TOKUMEI_HOT Lanes<T, bytes, count> operator symbol(const Lanes<T, bytes, count>& a,              \
                                                     std::type_identity_t<T> b) {                  \
    return each_register<Lanes<T, bytes, count>>(                                                  \
        [&](std::size_t i) TOKUMEI_HOT_LAMBDA { return TOKUMEI_REGISTER(a.part[i] symbol b); });   \
  }                                                                                                \
  template <class T, std::size_t bytes, std::size_t count>                                         \
  TOKUMEI_HOT Lanes<T, bytes, count> operator symbol(std::type_identity_t<T> a,                    \
                                                     const Lanes<T, bytes, count>& b) {            \
    return each_register<Lanes<T, bytes, count>>(                                                  \
        [&](std::size_t i) TOKUMEI_HOT_LAMBDA { return TOKUMEI_REGISTER(a symbol b.part[i]); });   \
  }
#define TOKUMEI_LANE_COMPARISON(symbol)                                                            \
  template <class T, std::size_t bytes, std::size_t count>                                         \
  TOKUMEI_HOT auto operator symbol(const Lanes<T, bytes, count>& a,                                \
                                   const Lanes<T, bytes, count>& b) {                              \
    return each_register<MaskOf<Lanes<T, bytes, count>>>([&](std::size_t i) TOKUMEI_HOT_LAMBDA {   \
      return TOKUMEI_TRUTH(a.part[i] symbol b.part[i]);                                            \
    });                                                                                            \
  }                                                                                                \
  template <class T, std::size_t bytes, std::size_t count>                                         \
  TOKUMEI_HOT auto operator symbol(const Lanes<T, bytes, count>& a, std::type_identity_t<T> b) {   \
    return each_register<MaskOf<Lanes<T, bytes, count>>>(                                          \
        [&](std::size_t i) TOKUMEI_HOT_LAMBDA { return TOKUMEI_TRUTH(a.part[i] symbol b); });      \
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
TOKUMEI_LANE_COMPARISON(<=)
TOKUMEI_LANE_COMPARISON(>=)
TOKUMEI_LANE_COMPARISON(==)

#undef TOKUMEI_LANE_OPERATOR
#undef TOKUMEI_LANE_COMPARISON

template <class T, std::size_t bytes, std::size_t count>
TOKUMEI_HOT Lanes<T, bytes, count> operator~(const Lanes<T, bytes, count>& a) {
  return each_register<Lanes<T, bytes, count>>(
      [&](std::size_t i) TOKUMEI_HOT_LAMBDA { return TOKUMEI_REGISTER(~a.part[i]); });
}

// The same bits as lanes of another type.
template <class T, class V>
TOKUMEI_HOT auto bits_as(const V& v) {
  static_assert(sizeof(T) == sizeof(typename V::Value));
  using To = typename V::template Of<T>;
  return each_register<To>([&](std::size_t i) TOKUMEI_HOT_LAMBDA {
    return std::bit_cast<typename To::Register>(v.part[i]);
  });
}

// The same number in every lane. In a loop, add to such a one: making it anew is slow.
template <class V, class T>
TOKUMEI_HOT V broadcast(T x) {
  return static_cast<typename V::Value>(x) - V{};
}

// first, first + 1, ...
template <class V>
TOKUMEI_HOT V ascending(typename V::Value first) {
  using Value = typename V::Value;
  return [&]<std::size_t... i>(std::index_sequence<i...>) TOKUMEI_HOT_LAMBDA {
    constexpr Value steps[] = {static_cast<Value>(i)...};
    return load<V>(steps) + first;
  }(std::make_index_sequence<V::count>{});
}

// a in the lanes where the mask holds, else b. The baseline chooses in bit arithmetic: it has no
// instruction that does, and a compiler asks each lane.
template <class Mask, class V>
TOKUMEI_HOT V select(const Mask& mask, const V& a, const V& b) {
  return each_register<V>([&](std::size_t i) TOKUMEI_HOT_LAMBDA {
    using Bits = typename Mask::Register;
    if constexpr (Mask::register_bytes > 16 || Mask::of_register == 1) {
      return mask.part[i] ? a.part[i] : b.part[i];
    } else {
      const Bits yes = std::bit_cast<Bits>(a.part[i]) & mask.part[i];
      const Bits no = std::bit_cast<Bits>(b.part[i]) & ~mask.part[i];
      return std::bit_cast<typename V::Register>(yes | no);
    }
  });
}

#undef TOKUMEI_REGISTER
#undef TOKUMEI_TRUTH

// Of two numbers, or lane by lane.
template <class V>
TOKUMEI_HOT V larger(const V& a, const V& b) {
  if constexpr (std::is_arithmetic_v<V>)
    return a > b ? a : b;
  else
    return select(a > b, a, b);
}

template <class V>
TOKUMEI_HOT V smaller(const V& a, const V& b) {
  if constexpr (std::is_arithmetic_v<V>)
    return a < b ? a : b;
  else
    return select(a < b, a, b);
}

// Each lane as a number of another type, which may take more registers.
template <class To, class T, std::size_t bytes, std::size_t count>
TOKUMEI_HOT Lanes<To, bytes, count> converted(const Lanes<T, bytes, count>& v) {
  using V = Lanes<To, bytes, count>;
  T lanes[count];
  store<Lanes<T, bytes, count>>(lanes, v);
  return each_register<V>([&](std::size_t i) TOKUMEI_HOT_LAMBDA {
#if TOKUMEI_VECTOR_LANES
    typename RegisterOf<T, sizeof(T) * V::of_register>::Type part;
    std::memcpy(&part, lanes + i * V::of_register, sizeof part);
    return __builtin_convertvector(part, typename V::Register);
#else
    return static_cast<To>(lanes[i]);
#endif
  });
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
