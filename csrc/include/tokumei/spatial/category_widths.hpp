// What is asked of the columns of codes where boxes grow: the width (held_categories.hpp) of some
// records and one more.
//
// A slot has one of three widths: it is held, or it is missing and not held, or it is neither; the
// first is the least. Bounds are in double precision, screening in float32 with widths at the scale
// of a block.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "tokumei/runtime/instruction_sets.hpp"
#include "tokumei/simd/lanes.hpp"
#include "tokumei/spatial/bounding_box_tree.hpp"
#include "tokumei/spatial/category_blocks.hpp"
#include "tokumei/spatial/category_leaves.hpp"
#include "tokumei/spatial/category_terms.hpp"
#include "tokumei/spatial/held_categories.hpp"

namespace tokumei::spatial {

class CategoryWidths {
 public:
  // Borrows the blocks.
  explicit CategoryWidths(const CategoryBlocks& blocks)
      : blocks_(blocks), nodes_(blocks.columns), held_(blocks.columns), is_held_(blocks.columns),
        widths_(3 * blocks.columns), holding_(sixteen * blocks.columns) {
    for (std::size_t j = 0; j < columns(); ++j) is_held_[j].resize(blocks.slots_of(j), 0.0F);
  }

  void ask(const HeldCategories& records) {
    group_ = no_row;
    for (std::size_t j = 0; j < columns(); ++j) {
      for (const CategorySlot slot : held_[j]) is_held_[j][static_cast<std::size_t>(slot)] = 0.0F;
      held_[j] = records.slots(j);
      nodes_[j] = 0;
      for (const CategorySlot slot : held_[j]) {
        is_held_[j][static_cast<std::size_t>(slot)] = 1.0F;
        nodes_[j] |= set_of(slot);
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
  TOKUMEI_HOT V add_best(V sums, std::size_t height, std::size_t group) const {
    using Sets = typename V::template Of<NodeSet>;
    const NodeSet* sets = blocks_.sets(height, group);
    if (!greatest && height == 0) find_holding(group);
    for (std::size_t j = 0; j < columns(); ++j, sets += sixteen) {
      const V held = broadcast<V>(widths_[3 * j]);
      const Sets here = load<Sets>(sets);
      if constexpr (greatest) {
        const V others = others_of<V>(j, here == NodeSet{1}, widths_.data());
        sums = sums + (blocks_.tells_all(j) ? select(here == nodes_[j], held, others) : others);
      } else if (height == 0) {
        const auto with_missing = ~blocks_without<V>(blocks_.holding(j, 0) + group * sixteen);
        sums = sums + select(blocks_without<V>(&holding_[j * sixteen]),
                             others_of<V>(j, with_missing, widths_.data()), held);
      } else {
        const V others = others_of<V>(j, (here & NodeSet{1}) == NodeSet{1}, widths_.data());
        sums = sums + select((here & nodes_[j]) == NodeSet{0}, others, held);
      }
    }
    return sums;
  }

  // --- screening: `widths` are three numbers a column at the scale of a block ---

  std::size_t room() const { return widths_.size(); }

  TOKUMEI_HOT void enter(double scale, float* widths) const {
    for (std::size_t i = 0; i < widths_.size(); ++i)
      widths[i] = static_cast<float>(widths_[i] * scale);
  }

  template <bool greatest, class V>
  TOKUMEI_HOT V add_best_screened(V sums, std::size_t block, const float* widths) const {
    using Sets = typename V::template Of<NodeSet>;
    if (!greatest) find_holding(block / sixteen);
    for (std::size_t j = 0; j < columns(); ++j) {
      const V held = broadcast<V>(widths[3 * j]);
      if constexpr (greatest) {
        // Of a leaf that holds nothing else the greatest is that of what is held.
        const V others = broadcast<V>(widths[3 * j + 2]);
        const auto alone = load<Sets>(blocks_.sets_of_leaves(block, j)) == nodes_[j];
        const bool exact = blocks_.tells_all(j);
        sums = sums + (exact ? select(converted<Truth<float>>(alone), held, others) : others);
      } else {
        const auto with_missing = ~leaves_without<V>(blocks_.holding(j, 0)[block]);
        sums = sums + select(leaves_without<V>(holding_[j * sixteen + block % sixteen]),
                             others_of<V>(j, with_missing, widths), held);
      }
    }
    return sums;
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

  // The leaves of the sixteen blocks of a group that may hold one of what is held.
  void find_holding(std::size_t group) const {
    if (group == group_) return;
    group_ = group;
    std::fill(holding_.begin(), holding_.end(), LeafBits{0});
    for (std::size_t j = 0; j < columns(); ++j)
      for (const CategorySlot slot : held_[j]) {
        const LeafBits* words = blocks_.holding(j, slot) + group * sixteen;
        for (std::size_t i = 0; i < sixteen; ++i) holding_[j * sixteen + i] |= words[i];
      }
  }

  // The widths of what is not held: of missing cells where the mask holds.
  template <class V, class Mask>
  TOKUMEI_HOT V others_of(std::size_t j, const Mask& missing,
                          const typename V::Value* widths) const {
    return widths[3 * j + 2] - where_one(missing, widths[3 * j + 2] - widths[3 * j + 1]);
  }

  const CategoryBlocks& blocks_;
  std::vector<NodeSet> nodes_;  // sets of what is held
  std::vector<std::vector<CategorySlot>> held_;
  std::vector<std::vector<float>> is_held_;  // by slot
  std::vector<double> widths_;               // three a column
  mutable std::vector<LeafBits> holding_;    // sixteen a column, of the group asked for last
  mutable std::size_t group_ = no_row;
};

}  // namespace tokumei::spatial
