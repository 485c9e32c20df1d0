// The codes of records in blocks (record_blocks.hpp): what they add to distances and to bounds.
//
// Slots (category_counts.hpp) stand record after record, and in lines of sixteen a leaf and column,
// there as float32, which holds them exactly up to 2^24.
// Terms are added to the sums of the numbers column after column, in the same order for records and
// for boxes, and each is monotone in what is known: a bound needs no margin beyond that of the
// numbers.
//
// Memory: eight bytes a record and column, and a ninth for boxes.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "tokumei/numeric/aligned_vector.hpp"
#include "tokumei/runtime/instruction_sets.hpp"
#include "tokumei/runtime/records.hpp"
#include "tokumei/spatial/bounding_box_tree.hpp"
#include "tokumei/spatial/category_boxes.hpp"
#include "tokumei/spatial/category_counts.hpp"

namespace tokumei::spatial {

class CategoryBlocks {
 public:
  explicit CategoryBlocks(const Records& records)
      : columns(records.codes.columns()), weights(records.weights), codes_(records.codes) {}

  // Room for so many blocks of 256 places.
  void resize(std::size_t blocks) {
    if (columns == 0) return;
    slots_.resize(blocks * sixteen * sixteen * columns);
    lines_.resize(slots_.size());
    leaf_boxes_.resize(blocks * columns * 2 * sixteen);
    boxes_ = CategoryBoxes(blocks, columns);
  }

  // The records of a block; the places from `end` on hold none.
  void fill(std::size_t block, const std::size_t* rows, std::size_t end) {
    for (std::size_t place = block * sixteen * sixteen; place < end; ++place)
      for (std::size_t j = 0; j < columns; ++j) {
        const CategorySlot slot = slot_of(codes_(rows[place], j));
        slots_[place * columns + j] = slot;
        lines_[(place / sixteen * columns + j) * sixteen + place % sixteen] =
            static_cast<float>(slot);
      }
    for (std::size_t leaf = block * sixteen; leaf < (block + 1) * sixteen; ++leaf)
      fit_leaf(leaf, rows);
    for (std::size_t j = 0; j < columns; ++j) {
      const auto [lowest, highest] = range(block, j, rows);
      boxes_.set_block(block, j, lowest, highest);
    }
  }

  void settle() { boxes_.settle(); }

  // After `rows` has lost a place.
  void remove(std::size_t place, const std::size_t* rows) {
    const std::size_t block = place / (sixteen * sixteen);
    for (std::size_t j = 0; j < columns; ++j) {
      const double slot = slots_[place * columns + j];
      if (slot != boxes_.lowest(block, j) && slot != boxes_.highest(block, j)) continue;
      const auto [lowest, highest] = range(block, j, rows);
      boxes_.set(block, j, lowest, highest);
    }
  }

  void fit_leaf(std::size_t leaf, const std::size_t* rows) {
    for (std::size_t j = 0; j < columns; ++j) {
      const float* line = &lines_[(leaf * columns + j) * sixteen];
      float lowest = none, highest = 0.0F;
      for (std::size_t i = 0; i < sixteen; ++i) {
        if (rows[leaf * sixteen + i] == no_row) continue;
        lowest = std::min(lowest, line[i]);
        highest = std::max(highest, line[i]);
      }
      float* box = &leaf_boxes_[(leaf / sixteen * columns + j) * 2 * sixteen + leaf % sixteen];
      box[0] = lowest;
      box[sixteen] = highest;
    }
  }

  const CategorySlot* slots(std::size_t place) const { return slots_.data() + place * columns; }
  // A sum of squares of numbers and the terms of two records.
  double add_terms(double sum, const CategorySlot* a, const CategorySlot* b) const {
    for (std::size_t j = 0; j < columns; ++j)
      sum += a[j] == b[j] ? 0.0 : a[j] == 0 || b[j] == 0 ? weights[j] : 2.0 * weights[j];
    return sum;
  }

  const float* line(std::size_t leaf) const { return lines_.data() + leaf * columns * sixteen; }
  const float* leaf_boxes(std::size_t block) const {
    return leaf_boxes_.data() + block * columns * 2 * sixteen;
  }
  const double* boxes(std::size_t height, std::size_t group) const {
    return boxes_.boxes(height, group);
  }

  const std::size_t columns;
  const Column<double> weights;

 private:
  static constexpr auto none = static_cast<float>(CategoryBoxes::none);

  std::pair<double, double> range(std::size_t block, std::size_t j, const std::size_t* rows) const {
    float lowest = none, highest = 0.0F;
    for (std::size_t leaf = block * sixteen; leaf < (block + 1) * sixteen; ++leaf) {
      const float* line = &lines_[(leaf * columns + j) * sixteen];
      const std::size_t* row = rows + leaf * sixteen;
      for (std::size_t i = 0; i < sixteen; ++i) {
        const bool there = row[i] != no_row;
        lowest = std::min(lowest, there ? line[i] : none);
        highest = std::max(highest, there ? line[i] : 0.0F);
      }
    }
    return {lowest, highest};
  }

  Table<std::int32_t> codes_;
  std::vector<CategorySlot> slots_;  // record after record
  AlignedVector<float> lines_;       // leaf after leaf
  AlignedVector<float> leaf_boxes_;  // block after block
  CategoryBoxes boxes_;
};

}  // namespace tokumei::spatial
