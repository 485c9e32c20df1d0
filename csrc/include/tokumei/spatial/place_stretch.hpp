// A stretch of places (record_blocks.hpp), and which leaves, blocks and nodes have places in it.
//
// It may begin and end anywhere, also inside a leaf. Nodes of one kind have 2^shift places each,
// sixteen of them are a group: records of a leaf at shift 0, leaves of a block at 4, blocks at 8.
#pragma once

#include <algorithm>
#include <cstddef>

#include "tokumei/runtime/instruction_sets.hpp"
#include "tokumei/simd/lanes.hpp"
#include "tokumei/simd/reductions.hpp"
#include "tokumei/spatial/bounding_box_tree.hpp"

namespace tokumei::spatial {

inline constexpr unsigned record_shift = 0, leaf_shift = 4, block_shift = 8;

struct PlaceStretch {
  std::size_t begin = 0;
  std::size_t end = no_row;  // above `begin`

  std::size_t size() const { return end - begin; }
  bool holds(std::size_t place) const { return place - begin < end - begin; }

  std::size_t leaves() const { return ((end - 1) >> leaf_shift) - (begin >> leaf_shift) + 1; }
  // The part of it that lies in a node.
  PlaceStretch within(unsigned shift, std::size_t node) const {
    return {std::max(begin, node << shift), std::min(end, (node + 1) << shift)};
  }

  // A bit for each node of a group that has places in the stretch.
  unsigned members(unsigned shift, std::size_t group) const {
    const std::size_t base = group * sixteen, top = base + sixteen - 1;
    const std::size_t first = begin >> shift, last = (end - 1) >> shift;
    if (first <= base && top <= last) return all_sixteen;
    if (last < base || top < first) return 0;
    const std::size_t low = std::max(first, base) - base, high = std::min(last, top) - base;
    return (2U << high) - (1U << low);
  }

  // The one group that has all of its nodes, or none.
  bool fits_one_group(unsigned shift) const {
    return begin >> shift >> 4 == (end - 1) >> shift >> 4;
  }
};

// The numbers of these members of sixteen; `other` in all other lanes.
template <class V>
TOKUMEI_HOT V only(unsigned members, const V& numbers, typename V::Value other) {
  using Word = Truth<typename V::Value>;
  using Words = typename V::template Of<Word>;
  const Words bits = load<Words>(powers_of_two<Word, V::count>.of) & static_cast<Word>(members);
  return select(bits == Word{0}, broadcast<V>(other), numbers);
}

}  // namespace tokumei::spatial
