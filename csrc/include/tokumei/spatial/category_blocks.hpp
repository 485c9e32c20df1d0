// The codes of records in blocks (record_blocks.hpp): what they add to distances and to bounds.
//
// Slots (category_counts.hpp) stand record after record, and in lines of sixteen a leaf and column,
// there as float32, which holds them exactly up to 2^24. Of each slot it is known which leaves hold
// it (category_leaves.hpp); nodes have sets of slots (category_sets.hpp). Both are fitted to their
// records at the building and whenever a leaf is fitted anew; in between they may tell of more than
// there is. Terms are added to the sums of the numbers column after column, in the same order for
// records and for sets, and each is monotone in what is known: a bound needs no margin beyond that
// of the numbers.
//
// Memory: eight bytes a record and column, a ninth for sets, and up to four to know the leaves.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "tokumei/numeric/aligned_vector.hpp"
#include "tokumei/runtime/instruction_sets.hpp"
#include "tokumei/runtime/records.hpp"
#include "tokumei/spatial/bounding_box_tree.hpp"
#include "tokumei/spatial/category_counts.hpp"
#include "tokumei/spatial/category_leaves.hpp"
#include "tokumei/spatial/category_sets.hpp"

namespace tokumei::spatial {

class CategoryBlocks {
 public:
  explicit CategoryBlocks(const Records& records)
      : columns(records.codes.columns()), weights(records.weights), codes_(records.codes),
        slots_of_(slots_of(records)), leaves_(slots_of_) {
    for (std::size_t j = 0; j < columns; ++j) {
      const auto column = codes_.column(j);
      has_missing_.push_back(*std::min_element(column.begin(), column.end()) < 0);
      unit_ += 2.0 * weights[j];
    }
    int exponent = 0;
    std::frexp(unit_, &exponent);
    unit_ = std::ldexp(1.0, exponent);
    for (const double weight : weights)
      screened_weights_.push_back(static_cast<float>(std::ldexp(weight, -exponent)));
  }

  // Room for so many blocks of 256 places.
  void resize(std::size_t blocks) {
    if (columns == 0) return;
    slots_.resize(blocks * sixteen * sixteen * columns);
    lines_.resize(slots_.size());
    leaves_.resize(blocks);
    sets_of_leaves_.resize(blocks * columns * sixteen);
    sets_ = CategorySets(blocks, columns);
  }

  // The records of a block.
  void fill(std::size_t block, const std::size_t* rows) {
    const std::size_t begin = block * sixteen * sixteen;
    for (std::size_t place = begin; place < begin + sixteen * sixteen; ++place)
      for (std::size_t j = 0; j < columns && rows[place] != no_row; ++j) {
        const CategorySlot slot = slot_of(codes_(rows[place], j));
        slots_[place * columns + j] = slot;
        lines_[(place / sixteen * columns + j) * sixteen + place % sixteen] =
            static_cast<float>(slot);
      }
    for (std::size_t leaf = block * sixteen; leaf < (block + 1) * sixteen; ++leaf)
      hold_slots(leaf, rows);
    for (std::size_t j = 0; j < columns; ++j) sets_.set_block(block, j, set_of_block(block, j));
  }

  void settle() { sets_.settle(); }

  // After a leaf, and so `rows`, has lost places.
  void fit_leaf(std::size_t leaf, const std::size_t* rows) {
    if (columns == 0) return;
    for (std::size_t place = leaf * sixteen; place < (leaf + 1) * sixteen; ++place)
      if (rows[place] == no_row)
        for (std::size_t j = 0; j < columns; ++j)
          leaves_.forget(leaf, j, slots_[place * columns + j]);
    hold_slots(leaf, rows);
    const std::size_t block = leaf / sixteen;
    for (std::size_t j = 0; j < columns; ++j) sets_.set(block, j, set_of_block(block, j));
  }

  const CategorySlot* slots(std::size_t place) const { return slots_.data() + place * columns; }
  // A sum of squares of numbers and the terms of two records.
  double add_terms(double sum, const CategorySlot* a, const CategorySlot* b) const {
    for (std::size_t j = 0; j < columns; ++j)
      sum += a[j] == b[j] ? 0.0 : a[j] == 0 || b[j] == 0 ? weights[j] : 2.0 * weights[j];
    return sum;
  }

  // Whether some cells of a column are missing, how many slots it has, and whether a set knows each
  // of them by a bit of its own.
  bool has_missing(std::size_t j) const { return has_missing_[j] != 0; }
  std::size_t slots_of(std::size_t j) const { return slots_of_[j]; }
  bool tells_all(std::size_t j) const { return slots_of_[j] <= bits_of_set; }

  // Whether it is known of each slot which leaves hold it, and of no others with it.
  bool tells_leaves(std::size_t j) const { return leaves_.tells_all(slots_of_[j]); }

  // A power of two that no sum of terms is above, and a weight in this unit.
  double unit() const { return unit_; }
  float screened_weight(std::size_t j) const { return screened_weights_[j]; }

  const float* line(std::size_t leaf) const { return lines_.data() + leaf * columns * sixteen; }
  // Of each block the leaves that may hold a slot.
  const LeafBits* holding(std::size_t j, CategorySlot slot) const {
    return leaves_.holding(j, slot);
  }
  const LeafBits* nowhere() const { return leaves_.nowhere(); }
  const NodeSet* sets_of_leaves(std::size_t block, std::size_t j) const {
    return &sets_of_leaves_[(block * columns + j) * sixteen];
  }
  const NodeSet* sets(std::size_t height, std::size_t group) const {
    return sets_.sets(height, group);
  }
  // Whether all records of a node hold the same categories, as far as its sets tell.
  bool holds_one_point(std::size_t height, std::size_t node) const {
    for (std::size_t j = 0; j < columns; ++j) {
      const NodeSet set = sets_.sets(height, node / sixteen)[j * sixteen + node % sixteen];
      if (!tells_all(j) || !std::has_single_bit(set)) return false;
    }
    return true;
  }

  const std::size_t columns;
  const Column<double> weights;

 private:
  static std::vector<std::size_t> slots_of(const Records& records) {
    std::vector<std::size_t> slots;
    for (std::size_t j = 0; j < records.codes.columns(); ++j) {
      const auto column = records.codes.column(j);
      const std::int32_t most = *std::max_element(column.begin(), column.end());
      slots.push_back(static_cast<std::size_t>(slot_of(most)) + 1);
    }
    return slots;
  }

  // What the records of a leaf hold.
  void hold_slots(std::size_t leaf, const std::size_t* rows) {
    for (std::size_t j = 0; j < columns; ++j) {
      NodeSet wide = 0;
      for (std::size_t place = leaf * sixteen; place < (leaf + 1) * sixteen; ++place) {
        if (rows[place] == no_row) continue;
        const CategorySlot slot = slots_[place * columns + j];
        leaves_.hold(leaf, j, slot);
        wide |= set_of(slot);
      }
      sets_of_leaves_[(leaf / sixteen * columns + j) * sixteen + leaf % sixteen] = wide;
    }
  }

  NodeSet set_of_block(std::size_t block, std::size_t j) const {
    const NodeSet* first = sets_of_leaves(block, j);
    NodeSet all = 0;
    for (std::size_t i = 0; i < sixteen; ++i) all |= first[i];
    return all;
  }

  Table<std::int32_t> codes_;
  std::vector<std::uint8_t> has_missing_;
  double unit_ = 0.0;
  std::vector<float> screened_weights_;
  std::vector<std::size_t> slots_of_;
  std::vector<CategorySlot> slots_;  // record after record
  AlignedVector<float> lines_;       // leaf after leaf
  CategoryLeaves leaves_;
  AlignedVector<NodeSet> sets_of_leaves_;  // of leaves, block after block
  CategorySets sets_;
};

}  // namespace tokumei::spatial
