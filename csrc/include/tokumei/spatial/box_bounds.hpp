// Squared distances from a point to sixteen boxes at once: of the nearest point of each, and of the
// farthest corner.
//
// Layout: attribute after attribute, sixteen lower, then sixteen upper bounds. Sums run by
// attributes (squared_distances.hpp), as those of the records inside do. Rounding is monotone, so
// in the same precision
//     nearest point of a box <= every record inside <= farthest corner of the box
// holds for the computed numbers as for the true ones: no margin is needed between them.
#pragma once

#include <cstddef>

#include "tokumei/numeric/squared_distances.hpp"
#include "tokumei/simd/lanes.hpp"
#include "tokumei/spatial/bounding_box_tree.hpp"

namespace tokumei::spatial {

// Sixteen numbers of a kind.
template <class Real, std::size_t bytes>
using Sixteen = Lanes<Real, bytes, sixteen>;

template <class V>
struct Sides {
  V lower, upper;

  // The point nearest to x.
  TOKUMEI_HOT V nearest(const V& x) const { return smaller(larger(x, lower), upper); }
};

// Of sixteen boxes, on attribute j.
template <class V>
TOKUMEI_HOT Sides<V> sides_of(const typename V::Value* boxes, std::size_t j) {
  return {load<V>(boxes + j * 2 * sixteen), load<V>(boxes + (j * 2 + 1) * sixteen)};
}

template <class V>
TOKUMEI_HOT V nearest_distances(const typename V::Value* boxes, const typename V::Value* point,
                                std::size_t attributes) {
  return sum_by_attributes<V>(attributes, [=](std::size_t j) TOKUMEI_HOT_LAMBDA {
    const V at = broadcast<V>(point[j]);
    const V by = sides_of<V>(boxes, j).nearest(at) - at;
    return by * by;
  });
}

template <class V>
TOKUMEI_HOT V corner_distances(const typename V::Value* boxes, const typename V::Value* point,
                               std::size_t attributes) {
  return sum_by_attributes<V>(attributes, [=](std::size_t j) TOKUMEI_HOT_LAMBDA {
    const auto [lower, upper] = sides_of<V>(boxes, j);
    const V by = larger(point[j] - lower, upper - point[j]);
    return by * by;
  });
}

}  // namespace tokumei::spatial
