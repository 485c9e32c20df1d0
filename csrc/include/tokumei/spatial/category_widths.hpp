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
      : blocks_(blocks), nodes_(blocks.columns), leaves_(2 * blocks.columns), held_(blocks.columns),
        is_held_(blocks.columns), widths_(3 * blocks.columns) {
    for (std::size_t j = 0; j < columns(); ++j) is_held_[j].resize(blocks.slots_of(j), 0.0F);
  }

  void ask(const HeldCategories& records) {
    for (std::size_t j = 0; j < columns(); ++j) {
      for (const CategorySlot slot : held_[j]) is_held_[j][static_cast<std::size_t>(slot)] = 0.0F;
      held_[j] = records.slots(j);
      nodes_[j] = leaves_[2 * j] = leaves_[2 * j + 1] = 0;
      for (const CategorySlot slot : held_[j]) {
        is_held_[j][static_cast<std::size_t>(slot)] = 1.0F;
        nodes_[j] |= set_of<NodeSet>(slot);
        leaves_[2 * j] |= set_of<LeafSet>(slot);
        leaves_[2 * j + 1] |= quotient_set_of(slot);
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
    using Sets = typename V::template Of<NodeSet>;
    for (std::size_t j = 0; j < columns(); ++j, sets += sixteen) {
      sums = sums + best_of<greatest, V>(j, load<Sets>(sets), nodes_[j], widths_.data());
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
    using Sets = typename V::template Of<LeafSet>;
    const LeafSet* sets = blocks_.leaf_sets(block);
    for (std::size_t j = 0; j < columns(); ++j) {
      const Sets here = load<Sets>(sets);
      V best = best_of<greatest, V>(j, here, leaves_[2 * j], widths);
      if (!greatest && blocks_.words(j) == 2) {
        const auto outside = (load<Sets>(sets + sixteen) & leaves_[2 * j + 1]) == LeafSet{0};
        best = select(outside, others_of(j, here, widths), best);
      }
      sets += blocks_.words(j) * sixteen;
      sums = sums + best;
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

  // The least or the greatest widths of column j where sets are as here.
  template <bool greatest, class V, class Sets>
  TOKUMEI_HOT V best_of(std::size_t j, const Sets& here, typename Sets::Value own,
                        const typename V::Value* widths) const {
    using Set = typename Sets::Value;
    const V held = broadcast<V>(widths[3 * j]);
    if constexpr (greatest) {
      const V others =
          widths[3 * j + 2] - where_one(here == Set{1}, widths[3 * j + 2] - widths[3 * j + 1]);
      return blocks_.tells_all<Set>(j) ? select(here == own, held, others) : others;
    } else {
      return select((here & own) == Set{0}, others_of(j, here, widths), held);
    }
  }

  // The least of what is not held.
  template <class Sets, class Real>
  TOKUMEI_HOT auto others_of(std::size_t j, const Sets& here, const Real* widths) const {
    using Set = typename Sets::Value;
    return widths[3 * j + 2] -
           where_one((here & Set{1}) == Set{1}, widths[3 * j + 2] - widths[3 * j + 1]);
  }

  const CategoryBlocks& blocks_;
  std::vector<NodeSet> nodes_;   // sets of what is held
  std::vector<LeafSet> leaves_;  // two words a column
  std::vector<std::vector<CategorySlot>> held_;
  std::vector<std::vector<float>> is_held_;  // by slot
  std::vector<double> widths_;               // three a column
};

}  // namespace tokumei::spatial
