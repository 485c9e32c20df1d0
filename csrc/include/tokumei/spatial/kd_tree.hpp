// The records that a path has not visited, kept so that a near one is found without looking at all.
//
// Records come in blocks (row_blocks.hpp). A binary tree over the blocks ends in one node a block;
// below it the block's records are halved at the median of their widest attribute, down to leaves
// of `leaf_rows`. Every node knows the smallest box around its unvisited records. Identical records
// are never separated: a leaf of more than `leaf_rows` holds copies of one record, stores it once
// and hands out its rows from the lowest on. So a million equal rows are one leaf and cost what a
// million steps cost.
//
// A leaf keeps its records attribute after attribute in slots, rows ascending. A visited record is
// struck out by an infinite first attribute; when half of its records are, the leaf is packed and
// the boxes above it are drawn anew. All visits of a path together cost O(n (d + log n)).
//
// Building costs O(n d log n). Memory: one copy of the data and 2 d numbers a node, about
// 2 (B + n / leaf_rows) nodes for B blocks. Needs finite data. Throws Interrupted.
#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>
#include <numeric>
#include <span>
#include <vector>

#include "tokumei/numeric/part_rows.hpp"
#include "tokumei/numeric/row_blocks.hpp"
#include "tokumei/runtime/progress_monitor.hpp"
#include "tokumei/runtime/views.hpp"
#include "tokumei/spatial/kd_tree_boxes.hpp"

namespace tokumei::spatial {

class KdTree {
 public:
  static constexpr std::size_t none = std::numeric_limits<std::size_t>::max();
  static constexpr std::size_t leaf_rows = 128;

  struct Node {
    std::size_t parent = none;
    std::size_t left = none;  // none: a leaf, which the fields below describe
    std::size_t right = none;
    std::size_t block = none;
    std::size_t first_row = 0;  // in rows_
    std::size_t data = 0;       // in data_
    std::size_t stride = 0;     // from one attribute to the next
    std::size_t slots = 0;      // whole lanes, with the struck out and the empty slots
    std::size_t left_over = 0;  // unvisited records
    std::size_t pack_at = 0;    // so many unvisited records
    bool copies = false;        // of the one record in slot 0
  };

  // Where an unvisited record stands.
  struct Place {
    std::size_t leaf = none;
    std::size_t slot = 0;
  };

  KdTree(Table<double> x, const RowBlocks& blocks, ProgressMonitor& monitor)
      : x_(x), sides_(padded(x.columns())), rows_(blocks.rows), root_of_(blocks.size()) {
    std::vector<double> boxes(blocks.size() * 2 * sides_);
    data_.reserve(x.rows() * attributes());
    std::size_t largest = 0;
    for (std::size_t b = 0; b < blocks.size(); ++b) {
      monitor.tick(0.0);
      fit_bounds(x_, &rows_[blocks.borders[b]], blocks.borders[b + 1] - blocks.borders[b],
                 &boxes[b * 2 * sides_], sides_);
      largest = std::max(largest, blocks.borders[b + 1] - blocks.borders[b]);
    }
    room_.resize(largest);
    values_.resize(largest);
    std::vector<std::size_t> all(blocks.size());
    std::iota(all.begin(), all.end(), std::size_t{0});
    join(blocks, boxes, all.data(), all.size(), none, monitor);
    room_ = {};
    values_ = {};
  }

  std::size_t attributes() const { return x_.columns(); }
  std::size_t sides() const { return sides_; }
  std::size_t root() const { return 0; }
  std::size_t root_of(std::size_t block) const { return root_of_[block]; }
  const Node& node(std::size_t number) const { return nodes_[number]; }
  const double* slots(const Node& leaf) const { return data_.data() + leaf.data; }
  std::size_t row(const Node& leaf, std::size_t slot) const { return rows_[leaf.first_row + slot]; }
  const double* box(std::size_t number) const { return boxes_.data() + number * 2 * sides_; }
  bool empty(std::size_t number) const { return box(number)[0] > box(number)[sides_]; }

  // The place of a row, before any visit. O(n).
  Place place_of(std::size_t row) const {
    for (std::size_t number = 0; number < nodes_.size(); ++number) {
      const Node& leaf = nodes_[number];
      if (leaf.left != none) continue;
      for (std::size_t i = 0; i < leaf.left_over; ++i)
        if (rows_[leaf.first_row + i] == row) return {number, leaf.copies ? 0 : i};
    }
    return {};
  }

  // The attributes of an unvisited record.
  void copy_record(Place place, double* point) const {
    const Node& leaf = nodes_[place.leaf];
    for (std::size_t j = 0; j < attributes(); ++j)
      point[j] = data_[leaf.data + j * leaf.stride + place.slot];
  }

  // Visits the record at a place; of copies, the lowest row.
  void visit(Place place) {
    Node& leaf = nodes_[place.leaf];
    --leaf.left_over;
    if (leaf.copies) ++leaf.first_row;
    if (!leaf.copies || leaf.left_over == 0) data_[leaf.data + place.slot] = struck_out;
    if (leaf.left_over > leaf.pack_at) return;
    if (!leaf.copies) pack(leaf);
    fit_bounds(&data_[leaf.data], leaf.stride, leaf.left_over, attributes(), own_box(place.leaf),
               sides_);
    for (std::size_t above = leaf.parent; above != none; above = nodes_[above].parent)
      if (!cover_both(box(nodes_[above].left), box(nodes_[above].right), own_box(above), sides_))
        break;
  }

 private:
  static constexpr double struck_out = std::numeric_limits<double>::infinity();

  double* own_box(std::size_t number) { return boxes_.data() + number * 2 * sides_; }

  std::size_t add(std::size_t parent) {
    nodes_.emplace_back();
    nodes_.back().parent = parent;
    boxes_.resize(nodes_.size() * 2 * sides_);
    return nodes_.size() - 1;
  }

  // A node over some blocks, split at the median of their middles.
  std::size_t join(const RowBlocks& blocks, const std::vector<double>& boxes, std::size_t* some,
                   std::size_t count, std::size_t parent, ProgressMonitor& monitor) {
    if (count == 1) {
      root_of_[*some] = add(parent);
      std::copy_n(&boxes[*some * 2 * sides_], 2 * sides_, own_box(root_of_[*some]));
      halve(root_of_[*some], blocks.borders[*some], blocks.borders[*some + 1], *some, monitor);
      return root_of_[*some];
    }
    monitor.tick(0.0);
    const std::size_t number = add(parent);
    const auto box_of = [&](std::size_t block) { return &boxes[block * 2 * sides_]; };
    std::copy_n(box_of(*some), 2 * sides_, own_box(number));
    for (std::size_t i = 1; i < count; ++i)
      cover_both(box(number), box_of(some[i]), own_box(number), sides_);
    const std::size_t j = widest_axis(box(number), sides_);
    const auto middle = [&](std::size_t b) { return box_of(b)[j] / 2 + box_of(b)[sides_ + j] / 2; };
    const std::size_t half = count / 2;
    std::nth_element(some, some + half, some + count,
                     [&](std::size_t a, std::size_t b) { return middle(a) < middle(b); });
    const std::size_t left = join(blocks, boxes, some, half, number, monitor);
    const std::size_t right = join(blocks, boxes, some + half, count - half, number, monitor);
    nodes_[number].left = left;
    nodes_[number].right = right;
    return number;
  }

  // What is below a node over records of one block, whose box is known.
  void halve(std::size_t number, std::size_t begin, std::size_t end, std::size_t block,
             ProgressMonitor& monitor) {
    const std::size_t j = widest_axis(box(number), sides_);
    const double low = box(number)[j], high = box(number)[sides_ + j];
    if (low == high || end - begin <= leaf_rows) {
      fill(nodes_[number], begin, end, block, low == high);
      return;
    }
    monitor.tick(0.0);
    const auto column = x_.column(j);
    const std::span rows(&rows_[begin], end - begin);
    std::ranges::transform(rows, values_.begin(), [&](std::size_t row) { return column[row]; });
    const auto half = values_.begin() + static_cast<std::ptrdiff_t>(rows.size() / 2);
    std::nth_element(values_.begin(), half,
                     values_.begin() + static_cast<std::ptrdiff_t>(rows.size()));
    const double median = *half;
    const std::size_t split =
        begin +
        (low < median
             ? part_rows(
                   rows, room_.data(), [&](auto row) { return column[row] >= median; })
             : part_rows(rows, room_.data(), [&](auto row) { return column[row] > median; }));
    const std::size_t left = below(number, begin, split, block, monitor);
    const std::size_t right = below(number, split, end, block, monitor);
    nodes_[number].left = left;
    nodes_[number].right = right;
  }

  std::size_t below(std::size_t parent, std::size_t begin, std::size_t end, std::size_t block,
                    ProgressMonitor& monitor) {
    const std::size_t number = add(parent);
    fit_bounds(x_, &rows_[begin], end - begin, own_box(number), sides_);
    halve(number, begin, end, block, monitor);
    return number;
  }

  void fill(Node& leaf, std::size_t begin, std::size_t end, std::size_t block, bool copies) {
    const std::size_t records = copies ? 1 : end - begin;
    leaf.block = block;
    leaf.first_row = begin;
    leaf.data = data_.size();
    leaf.stride = leaf.slots = padded(records);
    leaf.left_over = end - begin;
    leaf.pack_at = copies ? 0 : records / 2;
    leaf.copies = copies;
    data_.resize(leaf.data + leaf.stride * attributes());
    for (std::size_t j = 0; j < attributes(); ++j)
      for (std::size_t i = 0; i < records; ++i)
        data_[leaf.data + j * leaf.stride + i] = x_(rows_[begin + i], j);
    std::fill_n(&data_[leaf.data + records], leaf.stride - records, struck_out);
  }

  // Moves the unvisited records of a leaf to its first slots.
  void pack(Node& leaf) {
    double* slot = &data_[leaf.data];
    std::size_t kept = 0;
    for (std::size_t i = 0; kept < leaf.left_over; ++i) {
      if (slot[i] == struck_out) continue;
      for (std::size_t j = 0; j < attributes(); ++j)
        slot[j * leaf.stride + kept] = slot[j * leaf.stride + i];
      rows_[leaf.first_row + kept++] = rows_[leaf.first_row + i];
    }
    std::fill(slot + kept, slot + leaf.slots, struck_out);
    leaf.slots = padded(kept);
    leaf.pack_at = kept / 2;
  }

  Table<double> x_;
  std::size_t sides_;
  std::vector<std::size_t> rows_;
  std::vector<std::size_t> root_of_;
  std::vector<Node> nodes_;
  std::vector<double> boxes_;
  std::vector<double> data_;
  std::vector<std::size_t> room_;  // to part rows in, and their values; while the tree is built
  std::vector<double> values_;
};

}  // namespace tokumei::spatial
