// One source, several instruction sets, chosen while the program runs.
//
// A kernel's hot loop is the static function `run` of a struct, marked TOKUMEI_HOT (a lambda in it:
// TOKUMEI_HOT_LAMBDA).
// `dispatch<Body>` compiles it once for each level inside a function that carries the level's
// target attribute, and calls the one asked for:
//
//   struct Scale {
//     TOKUMEI_HOT static void run(double* x, std::size_t n, double by) {
//       for (std::size_t i = 0; i < n; ++i) x[i] *= by;
//     }
//   };
//   dispatch<Scale>(level, x, n, by);
//
// Nothing else is compiled with wider instructions, so no inline function of the standard library
// can leak from one level into another (the one-definition hazard of compiling a file twice with
// -mavx512f). Contraction into fused multiply-adds is off for all of them: every level gives the
// same bits.
#pragma once

#include <stdexcept>

#include "tokumei/rooms.hpp"

// TOKUMEI_BASELINE_ONLY leaves the others out, where compiling each kernel once is enough.
#if !defined(TOKUMEI_BASELINE_ONLY) && (defined(__GNUC__) || defined(__clang__)) &&                \
    (defined(__x86_64__) || defined(_M_X64))
#define TOKUMEI_HAS_INSTRUCTION_SETS 1
#else
#define TOKUMEI_HAS_INSTRUCTION_SETS 0
#endif

#if defined(__GNUC__) || defined(__clang__)
#define TOKUMEI_HOT [[gnu::always_inline]] inline
#define TOKUMEI_HOT_LAMBDA __attribute__((always_inline))
#else
#define TOKUMEI_HOT inline
#define TOKUMEI_HOT_LAMBDA
#endif

#if defined(__clang__)
#define TOKUMEI_TARGET_AVX512 "avx512f,avx512cd,avx512vl,avx512bw,avx512dq,avx2,fma,bmi,bmi2,lzcnt"
#else
#define TOKUMEI_TARGET_AVX512 "arch=x86-64-v4,prefer-vector-width=512"
#endif

namespace tokumei::runtime {

enum class InstructionSet : int { baseline = 0, avx2 = 1, avx512 = 2 };

// The highest level this processor and this build can run.
inline InstructionSet best_instruction_set() {
#if TOKUMEI_HAS_INSTRUCTION_SETS
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
      __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") &&
      __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("bmi2"))
    return InstructionSet::avx512;
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
      __builtin_cpu_supports("bmi2"))
    return InstructionSet::avx2;
#endif
  return InstructionSet::baseline;
}

// The level of that number. Throws std::invalid_argument where the processor cannot run it.
inline InstructionSet instruction_set_of(int number) {
  if (number < 0 || number > static_cast<int>(best_instruction_set()))
    throw std::invalid_argument("this processor cannot run that instruction set");
  return static_cast<InstructionSet>(number);
}

template <class Body, class... Args>
auto on_baseline(Args... args) {
  return Body::run(args...);
}

#if TOKUMEI_HAS_INSTRUCTION_SETS
template <class Body, class... Args>
[[gnu::target("avx2,fma,bmi,bmi2,lzcnt")]] auto on_avx2(Args... args) {
  return Body::run(args...);
}

template <class Body, class... Args>
[[gnu::target(TOKUMEI_TARGET_AVX512)]] auto on_avx512(Args... args) {
  return Body::run(args...);
}
#endif

template <class Body, class... Args>
auto dispatch([[maybe_unused]] InstructionSet isa, Args... args) {
#if TOKUMEI_HAS_INSTRUCTION_SETS
  if (isa == InstructionSet::avx512) return on_avx512<Body>(args...);
  if (isa == InstructionSet::avx2) return on_avx2<Body>(args...);
#endif
  return on_baseline<Body>(args...);
}

}  // namespace tokumei::runtime
