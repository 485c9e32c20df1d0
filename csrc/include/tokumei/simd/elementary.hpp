// Exponentials and logarithms of lists and of single numbers: the same bits on every machine, which
// the standard library does not promise.
//
//   exponentiate, exponential      e^x for x <= 709; 0 below -708
//   take_logarithms, logarithm     ln x for normal x > 0
//
// Lists in place. Errors as in simd/exponential.hpp.
#pragma once

#include <algorithm>
#include <cstddef>

#include "tokumei/runtime/instruction_sets.hpp"
#include "tokumei/simd/exponential.hpp"
#include "tokumei/simd/lanes.hpp"

namespace tokumei::simd {

inline constexpr std::size_t values_of_a_step = 16;

struct Exponential {
  template <class V>
  TOKUMEI_HOT static void take(V& x) {
    take_exp(x);
  }
};

struct Logarithm {
  template <class V>
  TOKUMEI_HOT static void take(V& x) {
    take_log(x);
  }
};

// A function of a list, 16 numbers at a time; what is left over goes through a list of its own.
template <class Function, std::size_t bytes>
struct OfList {
  TOKUMEI_HOT static void run(double* x, std::size_t size) {
    std::size_t begin = 0;
    for (; begin + values_of_a_step <= size; begin += values_of_a_step) step(x + begin);
    if (begin == size) return;
    double few[values_of_a_step];
    std::fill_n(few, values_of_a_step, 0.5);
    std::copy_n(x + begin, size - begin, few);
    step(few);
    std::copy_n(few, size - begin, x + begin);
  }

 private:
  TOKUMEI_HOT static void step(double* x) {
    auto values = load<Lanes<double, bytes, values_of_a_step>>(x);
    Function::take(values);
    store(x, values);
  }
};

template <std::size_t bytes>
using Exponentials = OfList<Exponential, bytes>;
template <std::size_t bytes>
using Logarithms = OfList<Logarithm, bytes>;

inline void exponentiate(InstructionSet isa, double* x, std::size_t size) {
  dispatch_lanes<Exponentials>(isa, x, size);
}

inline void take_logarithms(InstructionSet isa, double* x, std::size_t size) {
  dispatch_lanes<Logarithms>(isa, x, size);
}

inline double exponential(double x) {
  Exponentials<16>::run(&x, 1);
  return x;
}

inline double logarithm(double x) {
  Logarithms<16>::run(&x, 1);
  return x;
}

}  // namespace tokumei::simd
