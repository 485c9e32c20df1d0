// The records still to be taken, in blocks that fill space, under a tree of boxes.
//
// Records stand in the order given, which should be a kd_order.hpp: 16 are a leaf, 16 leaves a
// block, and the blocks stand under a bounding_box_tree.hpp. A record keeps its place until it is
// removed or the blocks are built anew; a place that holds no record has the row `no_row`. Whatever
// is known of a block is as tight after every removal as if built anew; the boxes of leaves are so
// after every few.
//
// Each block has a frame of its own: its records less its centre, times a power of two that brings
// them into the unit ball, rounded to float32 (`codes`). Rounding is monotone, so whatever is true
// of the box of a leaf's codes is true of the codes in it. NaN marks a gap. Frames of their own
// keep float32 useful wherever the blocks lie and however they are scaled, and let an outlier spoil
// one block only.
//
// Memory: the data once, the codes half of it, and some 16 bytes a record: under two copies of the
// data from d = 8 on. Building takes O(n d + n log n), removing O(d).
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "tokumei/numeric/aligned_vector.hpp"
#include "tokumei/numeric/squared_distances.hpp"
#include "tokumei/runtime/monitored_blocks.hpp"
#include "tokumei/runtime/progress_monitor.hpp"
#include "tokumei/runtime/records.hpp"
#include "tokumei/runtime/thread_team.hpp"
#include "tokumei/simd/lanes.hpp"
#include "tokumei/simd/reductions.hpp"
#include "tokumei/spatial/bounding_box_tree.hpp"
#include "tokumei/spatial/box_bounds.hpp"
#include "tokumei/spatial/category_anchor.hpp"
#include "tokumei/spatial/category_blocks.hpp"

namespace tokumei::spatial {

inline constexpr std::size_t block_rows = sixteen * sixteen;

class RecordBlocks {
 public:
  explicit RecordBlocks(const Records& x)
      : table(x), attributes(x.numbers.columns()), anchor(attributes, 0.0), categories(x) {
    for (const double weight : x.weights) spread_of_codes_ += 2.0 * weight;
  }

  // Attributes of either kind: terms of a squared distance.
  std::size_t terms() const { return attributes + categories.columns; }

  // Holds the records of these rows, in this order, and no others; forgets the anchor.
  void build(const std::vector<std::size_t>& chosen, ThreadTeam& team, ProgressMonitor& monitor) {
    size = chosen.size();
    const std::size_t blocks = (size + block_rows - 1) / block_rows;
    rows.assign(blocks * block_rows, no_row);
    std::copy(chosen.begin(), chosen.end(), rows.begin());
    values.resize(rows.size() * attributes);
    codes.resize(rows.size() * attributes);
    leaf_boxes.resize(blocks * attributes * 2 * sixteen);
    leaf_reach.resize(blocks * sixteen);
    centres.resize(blocks * attributes + lane_count);  // the last are read as whole lanes
    scales.resize(blocks);
    leaf_sizes.resize(blocks * sixteen);
    categories.resize(blocks);
    tree = BoundingBoxTree(blocks, attributes);
    each_block(team, monitor, [&](std::size_t block) { fill(block); });
    tree.settle();
    categories.settle();
    anchored = false;
  }

  // Measures every reach from this point, which should lie near the centre of the data.
  void set_anchor(const double* point, ThreadTeam& team, ProgressMonitor& monitor) {
    if (point != anchor.data()) std::copy_n(point, attributes, anchor.begin());
    each_block(team, monitor, [&](std::size_t block) {
      for (std::size_t leaf = block * sixteen; leaf < (block + 1) * sixteen; ++leaf)
        leaf_reach[leaf] = reach_of_leaf(leaf);
      tree[0].reach[block] = reach_of_block(block);
    });
    tree.settle();
    anchored = true;
  }

  void remove(std::size_t place) {
    const std::size_t block = place / block_rows, leaf = place / sixteen;
    const std::size_t row = rows[place];
    rows[place] = no_row;
    --size;
    float* code = codes.data() + leaf * attributes * sixteen + place % sixteen;
    for (std::size_t j = 0; j < attributes; ++j, code += sixteen)
      *code = std::numeric_limits<float>::quiet_NaN();
    if (--leaf_sizes[leaf] % leaf_patience == 0) {
      fit_leaf(leaf);
      categories.fit_leaf(leaf, rows.data());
    }
    const double* record = values.data() + place * attributes;
    const double* face = tree[0].boxes(block / sixteen) + block % sixteen;
    for (std::size_t j = 0; j < attributes; ++j, face += 2 * sixteen) {
      if (record[j] == face[0]) tree.set_lower(block, j, extreme<false>(block, j, record[j]));
      if (record[j] == face[sixteen]) tree.set_upper(block, j, extreme<true>(block, j, record[j]));
    }
    if (row == tree[0].lowest[block]) tree.set_lowest(block, lowest_row(block));
    if (anchored && from_anchor(place) == leaf_reach[leaf]) {
      leaf_reach[leaf] = reach_of_leaf(leaf);
      tree.set_reach(block, reach_of_block(block));
    }
  }

  // Brings a record nearer that will be looked at soon.
  void fetch([[maybe_unused]] std::size_t place) const {
#if defined(__GNUC__) || defined(__clang__)
    __builtin_prefetch(rows.data() + place);
    __builtin_prefetch(values.data() + place * attributes);
#endif
  }

  // The record at a place is from now on the equal one of another row.
  void replace(std::size_t place, std::size_t row) {
    const std::size_t block = place / block_rows, before = rows[place];
    rows[place] = row;
    if (before == tree[0].lowest[block]) tree.set_lowest(block, lowest_row(block));
  }

  // No record is farther than this from a point in the middle. Needs an anchor.
  double most_squared_distance(const double* point) const {
    const auto& reach = tree[tree.height() - 1].reach;
    const double most = *std::max_element(reach.begin(), reach.end()) +
                        std::sqrt(squared_distance_by_attributes(point, anchor.data(), attributes));
    return 1.01 * most * most + 2.0 * spread_of_codes_;
  }

  // Whether all records of a node are the same point, as far as its box and its sets tell.
  bool holds_one_point(std::size_t height, std::size_t node) const {
    const double* face = tree[height].boxes(node / sixteen) + node % sixteen;
    for (std::size_t j = 0; j < attributes; ++j, face += 2 * sixteen)
      if (face[0] != face[sixteen]) return false;
    return categories.holds_one_point(height, node);
  }

  // The place of the lowest row of a node. Needs a record there.
  std::size_t place_of_lowest(std::size_t height, std::size_t node) const {
    const std::size_t row = tree[height].lowest[node];
    for (; height > 0; --height) {
      node *= sixteen;
      while (tree[height - 1].lowest[node] != row) ++node;
    }
    std::size_t place = node * block_rows;
    while (rows[place] != row) ++place;
    return place;
  }

  Records table;
  std::size_t attributes;  // of numbers
  std::size_t size = 0;
  std::vector<std::size_t> rows;    // by place
  AlignedVector<double> values;     // record after record
  AlignedVector<float> codes;       // leaf after leaf
  AlignedVector<float> leaf_boxes;  // block after block
  AlignedVector<double>
      leaf_reach;  // largest squared distance from the anchor; negative without record
  AlignedVector<double> centres;  // block after block
  AlignedVector<double> scales;
  std::vector<std::uint8_t> leaf_sizes;
  BoundingBoxTree tree;
  AlignedVector<double> anchor;
  bool anchored = false;
  CategoryBlocks categories;
  CategoryAnchor category_anchor;

 protected:
  // Of the rows that stand in its places.
  void fill(std::size_t block) {
    const std::size_t begin = block * block_rows;
    std::size_t places[block_rows], count = 0;  // of records
    for (std::size_t place = begin; place < begin + block_rows; ++place)
      if (rows[place] != no_row) places[count++] = place;
    double diagonal = spread_of_codes_;  // squared
    for (std::size_t j = 0; j < attributes; ++j) {
      const auto column = table.numbers.column(j);
      double least = infinite, most = -infinite;
      for (std::size_t i = 0; i < count; ++i) {
        const double value = column[rows[places[i]]];
        values[places[i] * attributes + j] = value;
        least = std::min(least, value);
        most = std::max(most, value);
      }
      tree[0].lower(block, j) = least;
      tree[0].upper(block, j) = most;
      centres[block * attributes + j] = count > 0 ? least + (most - least) / 2 : 0.0;
      if (count > 0) diagonal += (most - least) * (most - least);
    }
    tree[0].lowest[block] = lowest_row(block);
    int exponent = 0;
    std::frexp(std::sqrt(diagonal), &exponent);
    // Bounded so that its square is a number too.
    scales[block] = std::ldexp(1.0, -std::clamp(exponent, -505, 505));
    float* code = codes.data() + begin * attributes;
    if (count < block_rows)
      std::fill_n(code, block_rows * attributes, std::numeric_limits<float>::quiet_NaN());
    std::fill_n(&leaf_sizes[block * sixteen], sixteen, std::uint8_t{0});
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t leaf = places[i] / sixteen, lane = places[i] % sixteen;
      ++leaf_sizes[leaf];
      for (std::size_t j = 0; j < attributes; ++j) {
        const double from_centre =
            values[places[i] * attributes + j] - centres[block * attributes + j];
        codes[(leaf * attributes + j) * sixteen + lane] =
            static_cast<float>(from_centre * scales[block]);
      }
    }
    for (std::size_t leaf = block * sixteen; leaf < (block + 1) * sixteen; ++leaf) fit_leaf(leaf);
    categories.fill(block, rows.data());
  }

  void fit_leaf(std::size_t leaf) {
    const float* code = codes.data() + leaf * attributes * sixteen;
    float* box = leaf_boxes.data() + leaf / sixteen * attributes * 2 * sixteen + leaf % sixteen;
    for (std::size_t j = 0; j < attributes; ++j, code += sixteen, box += 2 * sixteen) {
      // Without records an empty box, finite so that no difference to a point is NaN. NaN is
      // neither less nor more.
      const auto none = broadcast<Codes>(std::numeric_limits<float>::max());
      box[0] = lowest(smaller(load<Codes>(code), none));
      box[sixteen] = highest(larger(load<Codes>(code), 0.0F - none));
    }
  }

  std::size_t lowest_row(std::size_t block) const {
    const std::size_t* first = rows.data() + block * block_rows;
    return *std::min_element(first, first + block_rows);
  }

 private:
  using Codes = Sixteen<float, narrowest>;

  // The box of a leaf is fitted anew after so many removals: oftener costs more than it saves.
  static constexpr std::size_t leaf_patience = 8;

  template <class Work>
  void each_block(ThreadTeam& team, ProgressMonitor& monitor, Work&& work) {
    constexpr std::size_t grain = 16, batch = 16;
    const std::size_t grains = (scales.size() + grain - 1) / grain;
    each_watched_block(team, monitor, grains, batch, [&](std::size_t first) {
      const std::size_t end = std::min((first + 1) * grain, scales.size());
      for (std::size_t block = first * grain; block < end; ++block) work(block);
    });
  }

  // The extreme value of a block that has lost a record with the extreme `lost`; infinite without
  // records. The record sought has the extreme code: only such records are looked at.
  template <bool greatest>
  double extreme(std::size_t block, std::size_t j, double lost) const {
    const float* codes_of_j = codes.data() + (block * sixteen * attributes + j) * sixteen;
    const std::size_t step = attributes * sixteen;  // from one leaf to the next
    double best = greatest ? -infinite : infinite;
    auto faces = broadcast<Codes>(best);
    for (std::size_t leaf = 0; leaf < sixteen; ++leaf) {
      const auto code = load<Codes>(codes_of_j + leaf * step);
      faces = greatest ? larger(code, faces) : smaller(code, faces);
    }
    const float face = greatest ? highest(faces) : lowest(faces);
    for (unsigned found = bits_of(faces == face); found != 0; found &= found - 1) {
      const auto i = static_cast<std::size_t>(std::countr_zero(found));
      for (std::size_t leaf = 0; leaf < sixteen; ++leaf) {
        if (codes_of_j[leaf * step + i] != face) continue;
        const double value = values[((block * sixteen + leaf) * sixteen + i) * attributes + j];
        if (value == lost) return lost;
        best = greatest ? larger(value, best) : smaller(value, best);
      }
    }
    return best;
  }

  double reach_of_leaf(std::size_t leaf) const {
    double most = -1.0;
    for (std::size_t place = leaf * sixteen; place < (leaf + 1) * sixteen; ++place)
      if (rows[place] != no_row) most = std::max(most, from_anchor(place));
    return most;
  }

  double from_anchor(std::size_t place) const {
    const double sum = squared_distance_by_attributes(values.data() + place * attributes,
                                                      anchor.data(), attributes);
    return category_anchor.add_terms(sum, categories.slots(place));
  }

  // Above every rounding of the sum and its root, and above what underflow may have hidden.
  double reach_of_block(std::size_t block) const {
    const double* first = leaf_reach.data() + block * sixteen;
    const double most = *std::max_element(first, first + sixteen);
    const double rounding = static_cast<double>(terms() + 8) * 0x1p-52;
    return most < 0.0 ? -1.0 : std::sqrt(most) * (1.0 + rounding) + 1e-150;
  }

  double spread_of_codes_ = 0.0;
};

}  // namespace tokumei::spatial
