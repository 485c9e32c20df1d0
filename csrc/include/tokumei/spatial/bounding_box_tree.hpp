// A tree of boxes over blocks of records: sixteen blocks to a node, sixteen nodes to the next, and
// so on.
//
// Of each block and node it knows the box (float64, exact), the lowest row and the reach: an upper
// bound of the distance from one fixed point to its records. A change of a block climbs as far as
// it changes anything. A block without records has an empty box (infinity to minus infinity), no
// lowest row and a negative reach; so have those that fill up the last group.
#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>
#include <vector>

#include "tokumei/numeric/aligned_vector.hpp"
#include "tokumei/simd/lanes.hpp"

namespace tokumei::spatial {

inline constexpr std::size_t sixteen = 16;

inline constexpr unsigned all_sixteen = (1U << sixteen) - 1;

inline constexpr double infinite = std::numeric_limits<double>::infinity();
inline constexpr std::size_t no_row = std::numeric_limits<std::size_t>::max();

// The nodes of one height, in groups of sixteen that share a parent.
class TreeLevel {
 public:
  TreeLevel(std::size_t nodes, std::size_t width)
      : count(nodes), reach(padded(nodes, sixteen), -1.0), lowest(reach.size(), no_row),
        width_(width), boxes_(reach.size() * width * 2) {
    for (std::size_t at = 0; at < boxes_.size(); ++at)
      boxes_[at] = at / sixteen % 2 == 0 ? infinite : -infinite;
  }

  // The boxes of a group as box_bounds.hpp wants them, from attribute j on.
  const double* boxes(std::size_t group, std::size_t j = 0) const {
    return boxes_.data() + (group * width_ + j) * 2 * sixteen;
  }
  double& lower(std::size_t node, std::size_t j) {
    return boxes_[(node / sixteen * width_ + j) * 2 * sixteen + node % sixteen];
  }
  double& upper(std::size_t node, std::size_t j) {
    return boxes_[((node / sixteen * width_ + j) * 2 + 1) * sixteen + node % sixteen];
  }

  std::size_t count;
  AlignedVector<double> reach;
  AlignedVector<std::size_t> lowest;

 private:
  std::size_t width_;
  AlignedVector<double> boxes_;
};

class BoundingBoxTree {
 public:
  BoundingBoxTree() = default;
  BoundingBoxTree(std::size_t blocks, std::size_t width) : width_(width) {
    for (std::size_t count = blocks; levels_.empty() || levels_.back().count > sixteen;
         count = (count + sixteen - 1) / sixteen)
      levels_.emplace_back(count, width);
  }

  std::size_t height() const { return levels_.size(); }
  // Height 0 are the blocks; the last has sixteen nodes at most.
  TreeLevel& operator[](std::size_t height) { return levels_[height]; }
  const TreeLevel& operator[](std::size_t height) const { return levels_[height]; }

  // Fits everything above the blocks to the blocks.
  void settle() {
    for (std::size_t height = 1; height < levels_.size(); ++height)
      for (std::size_t node = 0; node < levels_[height].count; ++node) settle(height, node);
  }
  // Fits everything above one block.
  void settle_above(std::size_t block) {
    for (std::size_t height = 1; height < levels_.size(); ++height)
      settle(height, block /= sixteen);
  }

  void set_lower(std::size_t block, std::size_t j, double now) {
    climb(
        block, now,
        [&](auto height, auto node) -> double& { return levels_[height].lower(node, j); },
        [&](auto height, auto node) { return least_lower(height, node, j); });
  }
  void set_upper(std::size_t block, std::size_t j, double now) {
    climb(
        block, now,
        [&](auto height, auto node) -> double& { return levels_[height].upper(node, j); },
        [&](auto height, auto node) { return most_upper(height, node, j); });
  }
  void set_lowest(std::size_t block, std::size_t now) {
    climb(
        block, now, [&](auto height, auto node) -> auto& { return levels_[height].lowest[node]; },
        [&](auto height, auto node) { return least_row(height, node); });
  }
  void set_reach(std::size_t block, double now) {
    climb(
        block, now, [&](auto height, auto node) -> auto& { return levels_[height].reach[node]; },
        [&](auto height, auto node) { return most_reach(height, node); });
  }

 private:
  void settle(std::size_t height, std::size_t node) {
    for (std::size_t j = 0; j < width_; ++j) {
      levels_[height].lower(node, j) = least_lower(height, node, j);
      levels_[height].upper(node, j) = most_upper(height, node, j);
    }
    levels_[height].lowest[node] = least_row(height, node);
    levels_[height].reach[node] = most_reach(height, node);
  }

  template <class Value, class At, class Below>
  void climb(std::size_t node, Value now, At&& at, Below&& below) {
    for (std::size_t height = 0;;) {
      auto& known = at(height, node);
      if (known == now) return;
      known = now;
      if (++height == levels_.size()) return;
      node /= sixteen;
      now = below(height, node);
    }
  }

  double least_lower(std::size_t height, std::size_t node, std::size_t j) const {
    const double* lower = levels_[height - 1].boxes(node, j);
    return *std::min_element(lower, lower + sixteen);
  }
  double most_upper(std::size_t height, std::size_t node, std::size_t j) const {
    const double* upper = levels_[height - 1].boxes(node, j) + sixteen;
    return *std::max_element(upper, upper + sixteen);
  }
  std::size_t least_row(std::size_t height, std::size_t node) const {
    const std::size_t* first = levels_[height - 1].lowest.data() + node * sixteen;
    return *std::min_element(first, first + sixteen);
  }
  double most_reach(std::size_t height, std::size_t node) const {
    const double* first = levels_[height - 1].reach.data() + node * sixteen;
    return *std::max_element(first, first + sixteen);
  }

  std::size_t width_ = 0;
  std::vector<TreeLevel> levels_;
};

}  // namespace tokumei::spatial
