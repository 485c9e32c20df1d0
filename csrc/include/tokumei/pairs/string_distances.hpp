// Distances of strings by name: the sum of their powers over all pairs, and those of given pairs.
#pragma once

#include <stdexcept>

#include "tokumei/pairs/damerau.hpp"
#include "tokumei/pairs/hamming.hpp"
#include "tokumei/pairs/levenshtein.hpp"
#include "tokumei/pairs/strings.hpp"
#include "tokumei/runtime/run.hpp"
#include "tokumei/runtime/views.hpp"

namespace tokumei::pairs {

enum class StringDistance : int { hamming = 0, levenshtein = 1, damerau_levenshtein = 2 };

// work.template operator()<Kernel>() for the kernel of that distance.
template <class Work>
auto with_kernel(StringDistance distance, Work&& work) {
  switch (distance) {
  case StringDistance::hamming:
    return work.template operator()<Hamming>();
  case StringDistance::levenshtein:
    return work.template operator()<Levenshtein>();
  case StringDistance::damerau_levenshtein:
    return work.template operator()<DamerauLevenshtein>();
  }
  throw std::invalid_argument("there is no string distance of that number");
}

// sum_i sum_j c_i c_j d(s_i, s_j)^power over all ordered pairs (see strings.hpp).
inline double sum_of_string_distances(StringDistance distance, const Strings& strings,
                                      StringPower power, Run run) {
  return with_kernel(distance,
                     [&]<class Kernel>() { return sum_over_strings<Kernel>(strings, power, run); });
}

// out[k] = d(s_a[k], s_b[k]).
inline void string_distances(StringDistance distance, const Strings& strings,
                             Column<std::int64_t> a, Column<std::int64_t> b, bool normalized,
                             OutColumn<double> out, Run run) {
  with_kernel(distance, [&]<class Kernel>() {
    distances_of_pairs<Kernel>(strings, a, b, normalized, out, run);
  });
}

}  // namespace tokumei::pairs
