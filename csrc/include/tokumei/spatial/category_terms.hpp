// Terms of columns of codes, many at once. Slots are numbers here, 0 where a cell is missing; terms
// come from masks and bits: compilers make much of choosing between two numbers.
#pragma once

#include <bit>
#include <cstddef>

#include "tokumei/runtime/instruction_sets.hpp"
#include "tokumei/simd/lanes.hpp"

namespace tokumei::spatial {

// The values where the mask holds, else 0.
template <class Mask, class V>
TOKUMEI_HOT V where(const Mask& mask, const V& values) {
  using Real = typename V::Value;
  return bits_as<Real>(mask & bits_as<Truth<Real>>(values));
}
template <class Real, class Mask>
TOKUMEI_HOT auto where_one(const Mask& mask, Real value) {
  return bits_as<Real>(mask & std::bit_cast<Truth<Real>>(value));
}

// The near term where a slot is 0, else the far one.
template <class V, class Real>
TOKUMEI_HOT V unless_missing(const V& slots, Real near_term, Real far_term) {
  return far_term - where_one(slots == Real{0}, far_term - near_term);
}

// The terms of slots to one slot, of which near_term and far_term are the two there may be.
template <class V, class Real>
TOKUMEI_HOT V terms_to(const V& slots, Real here, Real near_term, Real far_term) {
  return where(~(slots == here), unless_missing(slots, near_term, far_term));
}

// out[i] += the term of column[i] to a slot, for a column of that weight.
template <std::size_t bytes>
struct AddTerms {
  TOKUMEI_HOT static void run(const double* column, std::size_t rows, double here, double weight,
                              double* out) {
    using V = Lanes<double, bytes, lane_count>;
    const double far_term = here > 0.0 ? 2.0 * weight : weight;
    std::size_t i = 0;
    for (; i + lane_count <= rows; i += lane_count)
      store(out + i, load<V>(out + i) + terms_to(load<V>(column + i), here, weight, far_term));
    for (; i < rows; ++i) out[i] += column[i] == here ? 0.0 : column[i] == 0.0 ? weight : far_term;
  }
};

}  // namespace tokumei::spatial
