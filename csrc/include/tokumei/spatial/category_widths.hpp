// What is asked of the columns of codes where boxes grow: the width (held_categories.hpp) of some
// records and one more.
//
// A slot has one of three widths: it is held, or it is missing and not held, or it is neither; the
// first is the least. Bounds are in double precision, screening in float32 with widths at the scale
// of a block.
#pragma once

#include <cstddef>
#include <vector>

#include "tokumei/runtime/instruction_sets.hpp"
#include "tokumei/simd/lanes.hpp"
#include "tokumei/spatial/bounding_box_tree.hpp"
#include "tokumei/spatial/category_blocks.hpp"
#include "tokumei/spatial/category_terms.hpp"
#include "tokumei/spatial/held_categories.hpp"

namespace tokumei::spatial {

class CategoryWidths {
 public:
  // Borrows the blocks.
  explicit CategoryWidths(const CategoryBlocks& blocks)
      : blocks_(blocks), nodes_(blocks.columns), leaves_(blocks.columns), held_(blocks.columns),
        is_held_(blocks.columns), widths_(3 * blocks.columns) {
    for (std::size_t j = 0; j < columns(); ++j) is_held_[j].resize(blocks.slots_of(j), 0.0F);
  }

  void ask(const HeldCategories& records) {
    for (std::size_t j = 0; j < columns(); ++j) {
      for (const CategorySlot slot : held_[j]) is_held_[j][static_cast<std::size_t>(slot)] = 0.0F;
      held_[j] = records.slots(j);
      nodes_[j] = leaves_[j] = 0;
      for (const CategorySlot slot : held_[j]) {
        is_held_[j][static_cast<std::size_t>(slot)] = 1.0F;
        nodes_[j] |= set_of<NodeSet>(slot);
        leaves_[j] |= set_of<LeafSet>(slot);
      }
      widths_[3 * j] = records.width_with_held(j);
      widths_[3 * j + 1] = records.width_with_missing(j);
      widths_[3 * j + 2] = records.width_with_other(j);
    }
  }

  // A width of numbers and those with a record.
  double add_widths(double width, const CategorySlot* record) const {
    for (std::size_t j = 0; j < columns(); ++j) {
      const bool held = is_held_[j][static_cast<std::size_t>(record[j])] > 0.0F;
      width += widths_[3 * j + (held ? 0 : record[j] == 0 ? 1 : 2)];
    }
    return width;
  }

  // The sums and the least widths with a record of sixteen nodes, or, of one record, the greatest.
  template <bool greatest, class V>
  TOKUMEI_HOT V add_best(V sums, const NodeSet* sets) const {
    return add_best<greatest>(sums, sets, nodes_.data(), widths_.data());
  }

  // --- screening: `widths` are three numbers a column at the scale of a block ---

  std::size_t room() const { return widths_.size(); }

  TOKUMEI_HOT void enter(double scale, float* widths) const {
    for (std::size_t i = 0; i < widths_.size(); ++i)
      widths[i] = static_cast<float>(widths_[i] * scale);
  }

  template <bool greatest, class V>
  TOKUMEI_HOT V add_best_screened(V sums, std::size_t block, const float* widths) const {
    return add_best<greatest>(sums, blocks_.leaf_sets(block), leaves_.data(), widths);
  }

  template <class V>
  TOKUMEI_HOT V add_screened(V sums, std::size_t leaf, const float* widths) const {
    const float* line = blocks_.line(leaf);
    for (std::size_t j = 0; j < columns(); ++j, line += sixteen, widths += 3) {
      const float* known = is_held_[j].data();
      float held[sixteen];
      for (std::size_t i = 0; i < sixteen; ++i) held[i] = known[static_cast<std::size_t>(line[i])];
      const V others = unless_missing(load<V>(line), widths[1], widths[2]);
      sums = sums + select(load<V>(held) > 0.0F, broadcast<V>(widths[0]), others);
    }
    return sums;
  }

 private:
  std::size_t columns() const { return nodes_.size(); }

  template <bool greatest, class V, class Set>
  TOKUMEI_HOT V add_best(V sums, const Set* sets, const Set* own,
                         const typename V::Value* widths) const {
    using Sets = typename V::template Of<Set>;
    for (std::size_t j = 0; j < columns(); ++j, sets += sixteen, widths += 3) {
      const Sets here = load<Sets>(sets);
      if constexpr (greatest) {
        const V others = widths[2] - where_one(here == Set{1}, widths[2] - widths[1]);
        const bool exact = blocks_.tells_all<Set>(j);
        sums = sums + (exact ? select(here == own[j], broadcast<V>(widths[0]), others) : others);
      } else {
        const V others = widths[2] - where_one((here & Set{1}) == Set{1}, widths[2] - widths[1]);
        sums = sums + select((here & own[j]) == Set{0}, others, broadcast<V>(widths[0]));
      }
    }
    return sums;
  }

  const CategoryBlocks& blocks_;
  std::vector<NodeSet> nodes_;  // sets of what is held
  std::vector<LeafSet> leaves_;
  std::vector<std::vector<CategorySlot>> held_;
  std::vector<std::vector<float>> is_held_;  // by slot
  std::vector<double> widths_;               // three a column
};

}  // namespace tokumei::spatial
