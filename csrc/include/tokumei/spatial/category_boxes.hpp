// What the nodes of a tree of boxes hold of the codes: the lowest and the highest slot of each
// column, for sixteen nodes side by side as bounding_box_tree.hpp has its boxes.
//
// Slots are doubles here, so that they are compared as distances are. A node without
// records has a lowest slot above its highest. Of a record in the box nothing is
// known but that its slot lies between; where both are one slot, all is known.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "tokumei/numeric/aligned_vector.hpp"
#include "tokumei/spatial/bounding_box_tree.hpp"
#include "tokumei/spatial/category_counts.hpp"

namespace tokumei::spatial {

class CategoryBoxes {
 public:
  static constexpr double none = std::numeric_limits<CategorySlot>::max();

  CategoryBoxes() = default;
  CategoryBoxes(std::size_t blocks, std::size_t columns) : columns_(columns) {
    for (std::size_t count = blocks; columns > 0 && (levels_.empty() || count_.back() > sixteen);
         count = (count + sixteen - 1) / sixteen) {
      levels_.emplace_back((count + sixteen - 1) / sixteen * sixteen * columns * 2);
      count_.push_back(count);
      for (std::size_t at = 0; at < levels_.back().size(); ++at)
        levels_.back()[at] = at / sixteen % 2 == 0 ? none : 0.0;
    }
  }

  // Column after column, sixteen lowest slots and then sixteen highest.
  const double* boxes(std::size_t height, std::size_t group) const {
    return levels_[height].data() + group * columns_ * 2 * sixteen;
  }

  // Fits a block, and what is above it as far as that changes anything.
  void set(std::size_t block, std::size_t j, double lowest, double highest) {
    for (std::size_t height = 0, node = block;; node /= sixteen) {
      double* box = at(height, node, j);
      if (box[0] == lowest && box[sixteen] == highest) return;
      box[0] = lowest;
      box[sixteen] = highest;
      if (++height == levels_.size()) return;
      box = at(height - 1, node / sixteen * sixteen, j);
      lowest = *std::min_element(box, box + sixteen);
      highest = *std::max_element(box + sixteen, box + 2 * sixteen);
    }
  }

  // The same of a block alone; `settle` then fits everything above.
  void set_block(std::size_t block, std::size_t j, double lowest, double highest) {
    at(0, block, j)[0] = lowest;
    at(0, block, j)[sixteen] = highest;
  }
  void settle() {
    for (std::size_t height = 1; height < levels_.size(); ++height)
      for (std::size_t node = 0; node < count_[height]; ++node)
        for (std::size_t j = 0; j < columns_; ++j) {
          const double* below = at(height - 1, node * sixteen, j);
          at(height, node, j)[0] = *std::min_element(below, below + sixteen);
          at(height, node, j)[sixteen] = *std::max_element(below + sixteen, below + 2 * sixteen);
        }
  }

  double lowest(std::size_t block, std::size_t j) { return at(0, block, j)[0]; }
  double highest(std::size_t block, std::size_t j) { return at(0, block, j)[sixteen]; }

 private:
  double* at(std::size_t height, std::size_t node, std::size_t j) {
    return levels_[height].data() + (node / sixteen * columns_ + j) * 2 * sixteen + node % sixteen;
  }

  std::size_t columns_ = 0;
  std::vector<AlignedVector<double>> levels_;
  std::vector<std::size_t> count_;
};

}  // namespace tokumei::spatial
