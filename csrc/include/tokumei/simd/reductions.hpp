// One number from many lanes, in one fixed order: those half of the lanes apart first, then those a
// quarter apart, and so on down to the last two. Of eight lanes the sum is
//   ((v0 + v4) + (v2 + v6)) + ((v1 + v5) + (v3 + v7)).
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "tokumei/simd/lanes.hpp"

// Half of the lanes of a register, if the compiler can be asked for it.
#if TOKUMEI_VECTOR_LANES && defined(__has_builtin)
#if __has_builtin(__builtin_shufflevector)
#define TOKUMEI_SHUFFLES 1
#endif
#endif
#if !defined(TOKUMEI_SHUFFLES)
#define TOKUMEI_SHUFFLES 0
#endif

namespace tokumei::simd {

// Some of the lanes, from `first` on: whole registers.
template <class Some, class V>
TOKUMEI_HOT Some lanes_from(const V& v, std::size_t first) {
  static_assert(Some::of_register == V::of_register);
  return each_register<Some>([&](std::size_t i)
                                 TOKUMEI_HOT_LAMBDA { return v.part[first / V::of_register + i]; });
}

// The lower half of the lanes (half 0) or the upper one (half 1).
template <std::size_t half, class T, std::size_t bytes, std::size_t count>
TOKUMEI_HOT auto half_of(const Lanes<T, bytes, count>& v) {
  using V = Lanes<T, bytes, count>;
  using Half = Lanes<T, bytes, count / 2>;
  if constexpr (V::registers > 1) {
    return lanes_from<Half>(v, half * Half::count);
  } else {
#if TOKUMEI_SHUFFLES
    return [&]<std::size_t... i>(std::index_sequence<i...>) TOKUMEI_HOT_LAMBDA {
      return Half{{__builtin_shufflevector(v.part[0], v.part[0], (half * count / 2 + i)...)}};
    }(std::make_index_sequence<count / 2>{});
#else
    T lanes[count];
    store<V>(lanes, v);
    return load<Half>(lanes + half * count / 2);
#endif
  }
}

// two(a, b) combines lanes as well as two numbers.
template <class T, std::size_t bytes, std::size_t count, class Two>
TOKUMEI_HOT T reduce(const Lanes<T, bytes, count>& v, Two&& two) {
  if constexpr (count == 2)
    return two(v[0], v[1]);
  else
    return reduce(two(half_of<0>(v), half_of<1>(v)), two);
}

template <class V>
TOKUMEI_HOT auto total(const V& v) {
  return reduce(v, [](const auto& a, const auto& b) TOKUMEI_HOT_LAMBDA { return a + b; });
}

template <class V>
TOKUMEI_HOT auto lowest(const V& v) {
  return reduce(v, [](const auto& a, const auto& b) TOKUMEI_HOT_LAMBDA { return smaller(a, b); });
}

template <class V>
TOKUMEI_HOT auto highest(const V& v) {
  return reduce(v, [](const auto& a, const auto& b) TOKUMEI_HOT_LAMBDA { return larger(a, b); });
}

// The numbers 1, 2, 4, ... in words as wide as what is compared.
template <class Word, std::size_t count>
struct PowersOfTwo {
  alignas(64) Word of[count];
  constexpr PowersOfTwo() : of{} {
    for (std::size_t i = 0; i < count; ++i) of[i] = static_cast<Word>(std::uint64_t{1} << i);
  }
};
template <class Word, std::size_t count>
inline constexpr PowersOfTwo<Word, count> powers_of_two{};

// Bit i of the result is set where lane i of a mask holds.
template <class Mask>
TOKUMEI_HOT unsigned bits_of(const Mask& mask) {
  using Word = typename Mask::Value;
  const Mask bits = mask & load<Mask>(powers_of_two<Word, Mask::count>.of);
  return static_cast<unsigned>(
      reduce(bits, [](const auto& a, const auto& b) TOKUMEI_HOT_LAMBDA { return a | b; }));
}

// The first lane with the least value.
template <class V>
TOKUMEI_HOT unsigned first_lowest(const V& v) {
  return static_cast<unsigned>(std::countr_zero(bits_of(v == lowest(v))));
}

}  // namespace tokumei::simd
