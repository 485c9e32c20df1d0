// The codes of records in blocks (record_blocks.hpp): what they add to distances and to bounds.
//
// Slots (category_counts.hpp) stand record after record, and in lines of sixteen a leaf and column,
// there as float32, which holds them exactly up to 2^24. Leaves and nodes have sets of slots
// (category_sets.hpp), fitted to their records at the building and whenever a leaf is fitted anew;
// in between a set may hold more than there is.
// Terms are added to the sums of the numbers column after column, in the same order for records and
// for sets, and each is monotone in what is known: a bound needs no margin beyond that of the
// numbers.
//
// Memory: eight bytes a record and column, and a ninth for sets.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "tokumei/numeric/aligned_vector.hpp"
#include "tokumei/runtime/instruction_sets.hpp"
#include "tokumei/runtime/records.hpp"
#include "tokumei/spatial/bounding_box_tree.hpp"
#include "tokumei/spatial/category_counts.hpp"
#include "tokumei/spatial/category_sets.hpp"

namespace tokumei::spatial {

class CategoryBlocks {
 public:
  explicit CategoryBlocks(const Records& records)
      : columns(records.codes.columns()), weights(records.weights), codes_(records.codes) {
    for (std::size_t j = 0; j < columns; ++j) {
      const auto column = codes_.column(j);
      const auto [least, most] = std::minmax_element(column.begin(), column.end());
      has_missing_.push_back(*least < 0);
      slots_of_.push_back(static_cast<std::size_t>(slot_of(*most)) + 1);
      words_.push_back(tells_all<LeafSet>(j) ? 1 : 2);
      all_words_ += words_[j];
    }
  }

  // Room for so many blocks of 256 places.
  void resize(std::size_t blocks) {
    if (columns == 0) return;
    slots_.resize(blocks * sixteen * sixteen * columns);
    lines_.resize(slots_.size());
    leaf_sets_.resize(blocks * all_words_ * sixteen);
    wide_sets_.resize(blocks * columns * sixteen);
    sets_ = CategorySets(blocks, columns);
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
      fit_sets(leaf, rows);
    for (std::size_t j = 0; j < columns; ++j) sets_.set_block(block, j, set_of_block(block, j));
  }

  void settle() { sets_.settle(); }

  // After a leaf, and so `rows`, has lost places.
  void fit_leaf(std::size_t leaf, const std::size_t* rows) {
    if (columns == 0) return;
    fit_sets(leaf, rows);
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
  template <class Set>
  bool tells_all(std::size_t j) const {
    return slots_of_[j] <= bits_in<Set>;
  }

  const float* line(std::size_t leaf) const { return lines_.data() + leaf * columns * sixteen; }
  // Of each column one line of sixteen words, or two.
  const LeafSet* leaf_sets(std::size_t block) const {
    return leaf_sets_.data() + block * all_words_ * sixteen;
  }
  std::size_t words(std::size_t j) const { return words_[j]; }
  const NodeSet* sets(std::size_t height, std::size_t group) const {
    return sets_.sets(height, group);
  }
  // Whether all records of a node hold the same categories, as far as its sets tell.
  bool holds_one_point(std::size_t height, std::size_t node) const {
    for (std::size_t j = 0; j < columns; ++j) {
      const NodeSet set = sets_.sets(height, node / sixteen)[j * sixteen + node % sixteen];
      if (!tells_all<NodeSet>(j) || !std::has_single_bit(set)) return false;
    }
    return true;
  }

  const std::size_t columns;
  const Column<double> weights;

 private:
  void fit_sets(std::size_t leaf, const std::size_t* rows) {
    const std::size_t first = leaf * sixteen, of_block = leaf / sixteen;
    LeafSet* out = leaf_sets_.data() + of_block * all_words_ * sixteen + leaf % sixteen;
    for (std::size_t j = 0; j < columns; ++j) {
      LeafSet narrow = 0, quotients = 0;
      NodeSet wide = 0;
      for (std::size_t place = first; place < first + sixteen; ++place) {
        if (rows[place] == no_row) continue;
        narrow |= set_of<LeafSet>(slots_[place * columns + j]);
        quotients |= quotient_set_of(slots_[place * columns + j]);
        wide |= set_of<NodeSet>(slots_[place * columns + j]);
      }
      wide_sets_[(of_block * columns + j) * sixteen + leaf % sixteen] = wide;
      out[0] = narrow;
      if (words_[j] == 2) out[sixteen] = quotients;
      out += words_[j] * sixteen;
    }
  }

  NodeSet set_of_block(std::size_t block, std::size_t j) const {
    const NodeSet* first = &wide_sets_[(block * columns + j) * sixteen];
    NodeSet all = 0;
    for (std::size_t i = 0; i < sixteen; ++i) all |= first[i];
    return all;
  }

  Table<std::int32_t> codes_;
  std::vector<std::uint8_t> has_missing_;
  std::vector<std::size_t> slots_of_, words_;
  std::size_t all_words_ = 0;
  std::vector<CategorySlot> slots_;   // record after record
  AlignedVector<float> lines_;        // leaf after leaf
  AlignedVector<LeafSet> leaf_sets_;  // block after block
  AlignedVector<NodeSet> wide_sets_;  // of leaves, likewise
  CategorySets sets_;
};

}  // namespace tokumei::spatial
