// The records still to be taken, in blocks that fill space, under a tree of boxes.
//
// Records stand in space order (space_order.hpp): 16 are a leaf, 16 leaves a block, and the blocks
// stand under a box_tree.hpp. A record keeps its place until it is removed or the blocks are built
// anew; a place that holds no record has the row `no_row`. Boxes, lowest rows and reaches are as
// tight after every removal as if built anew.
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
#include <cmath>
#include <cstddef>
#include <functional>
#include <limits>
#include <vector>

#include "tokumei/box_tree.hpp"
#include "tokumei/lines.hpp"
#include "tokumei/sixteen.hpp"
#include "tokumei/space_order.hpp"
#include "tokumei/team.hpp"
#include "tokumei/views.hpp"
#include "tokumei/watch.hpp"

namespace tokumei::detail {

inline constexpr std::size_t block_rows = sixteen * sixteen;

// |a - b|^2 in the order of distance.hpp.
inline double plain_distance(const double* a, const double* b, std::size_t attributes) {
  double sum = 0.0;
  for (std::size_t j = 0; j < attributes; ++j) {
    const double by = a[j] - b[j];
    sum += by * by;
  }
  return sum;
}

class RecordBlocks {
 public:
  explicit RecordBlocks(Table<double> x)
      : table(x), attributes(x.columns()), width(whole_quads(x.columns())), anchor(width, 0.0) {}

  // Holds the records of these rows and no others; forgets the anchor.
  void build(std::vector<std::size_t> chosen, Team& team, Watch& watch) {
    space_order(table, chosen, team, watch);
    size = chosen.size();
    const std::size_t blocks = (size + block_rows - 1) / block_rows;
    rows.assign(blocks * block_rows, no_row);
    std::copy(chosen.begin(), chosen.end(), rows.begin());
    chosen = {};
    values.resize(rows.size() * attributes);
    codes.resize(rows.size() * width);
    leaf_boxes.resize(blocks * width * 2 * sixteen);
    leaf_reach.resize(blocks * sixteen);
    centres.resize(blocks * width);
    scales.resize(blocks);
    tree = BoxTree(blocks, width);
    each_block(team, watch, [&](std::size_t block) { fill(block); });
    tree.settle();
    anchored = false;
  }

  // Measures every reach from this point, which should lie near the centre of the data.
  void set_anchor(const double* point, Team& team, Watch& watch) {
    if (point != anchor.data()) std::copy_n(point, attributes, anchor.begin());
    each_block(team, watch, [&](std::size_t block) {
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
    const double* record = values.data() + place * attributes;
    rows[place] = no_row;
    --size;
    float* code = codes.data() + leaf * width * sixteen + place % sixteen;
    const float* leaf_face = leaf_box(leaf, 0);
    const double* face = tree[0].boxes(block / sixteen) + block % sixteen;
    for (std::size_t j = 0; j < attributes; ++j, code += sixteen) {
      const bool on_leaf_face =
          *code == leaf_face[2 * j * sixteen] || *code == leaf_face[(2 * j + 1) * sixteen];
      *code = std::numeric_limits<float>::quiet_NaN();
      if (on_leaf_face) fit_leaf(leaf, j);
      if (record[j] == face[2 * j * sixteen])
        tree.set_lower(block, j, next_extreme(block, j, record[j], 0, std::less<>()));
      if (record[j] == face[(2 * j + 1) * sixteen])
        tree.set_upper(block, j, next_extreme(block, j, record[j], sixteen, std::greater<>()));
    }
    if (row == tree[0].lowest[block]) tree.set_lowest(block, lowest_row(block));
    if (anchored && plain_distance(record, anchor.data(), attributes) == leaf_reach[leaf]) {
      leaf_reach[leaf] = reach_of_leaf(leaf);
      tree.set_reach(block, reach_of_block(block));
    }
  }

  Table<double> table;
  std::size_t attributes;
  std::size_t width;  // attributes padded with zeros
  std::size_t size = 0;
  std::vector<std::size_t> rows;  // by place
  Lines<double> values;           // record after record
  Lines<float> codes;             // leaf after leaf
  Lines<float> leaf_boxes;        // block after block
  Lines<double> leaf_reach;  // largest squared distance from the anchor; negative without record
  Lines<double> centres;     // block after block
  Lines<double> scales;
  BoxTree tree;
  Lines<double> anchor;
  bool anchored = false;

 private:
  template <class Work>
  void each_block(Team& team, Watch& watch, Work&& work) {
    constexpr std::size_t batch = 256;
    for (std::size_t first = 0; first < scales.size(); first += batch) {
      team.each_block(std::min(batch, scales.size() - first),
                      [&](std::size_t i) { work(first + i); });
      watch.tick(0.0);
    }
  }

  float* leaf_box(std::size_t leaf, std::size_t j) {
    return leaf_boxes.data() + (leaf / sixteen * width + j) * 2 * sixteen + leaf % sixteen;
  }

  void fill(std::size_t block) {
    const std::size_t begin = block * block_rows, end = std::min(begin + block_rows, size);
    double diagonal = 0.0;  // squared
    for (std::size_t j = 0; j < width; ++j) {
      double least = 0.0, most = 0.0;
      if (j < attributes) {
        least = infinite, most = -infinite;
        for (std::size_t place = begin; place < end; ++place) {
          const double value = table(rows[place], j);
          values[place * attributes + j] = value;
          least = std::min(least, value);
          most = std::max(most, value);
        }
      }
      tree[0].lower(block, j) = least;
      tree[0].upper(block, j) = most;
      centres[block * width + j] = least + (most - least) / 2;
      diagonal += (most - least) * (most - least);
    }
    tree[0].lowest[block] = lowest_row(block);
    int exponent = 0;
    std::frexp(std::sqrt(diagonal), &exponent);
    // Bounded so that its square is a number too.
    scales[block] = std::ldexp(1.0, -std::clamp(exponent, -505, 505));
    for (std::size_t leaf = block * sixteen; leaf < (block + 1) * sixteen; ++leaf)
      for (std::size_t j = 0; j < width; ++j) {
        float* code = codes.data() + (leaf * width + j) * sixteen;
        std::fill_n(code, sixteen, j < attributes ? std::numeric_limits<float>::quiet_NaN() : 0.0F);
        for (std::size_t place = leaf * sixteen, i = 0; i < sixteen && place < end; ++i, ++place)
          if (j < attributes) {
            const double from_centre = values[place * attributes + j] - centres[block * width + j];
            code[i] = static_cast<float>(from_centre * scales[block]);
          }
        fit_leaf(leaf, j);
      }
  }

  void fit_leaf(std::size_t leaf, std::size_t j) {
    const float* code = codes.data() + (leaf * width + j) * sixteen;
    float least = std::numeric_limits<float>::infinity(), most = -least;
    for (std::size_t i = 0; i < sixteen; ++i) {  // NaN is neither less nor more
      least = code[i] < least ? code[i] : least;
      most = code[i] > most ? code[i] : most;
    }
    leaf_box(leaf, j)[0] = least;
    leaf_box(leaf, j)[sixteen] = most;
  }

  // The extreme value of a block that has just lost a record with the extreme `lost`. The record
  // sought has the extreme code; only such records are looked at.
  template <class Beyond>
  double next_extreme(std::size_t block, std::size_t j, double lost, std::size_t side,
                      Beyond beyond) {
    const float* faces = leaf_box(block * sixteen, j) + side;
    float face = faces[0];
    for (std::size_t i = 1; i < sixteen; ++i) face = beyond(faces[i], face) ? faces[i] : face;
    double best = beyond(0, 1) ? infinite : -infinite;
    for (std::size_t i = 0; i < sixteen; ++i) {
      if (faces[i] != face) continue;
      const std::size_t leaf = block * sixteen + i;
      const float* code = codes.data() + (leaf * width + j) * sixteen;
      for (std::size_t lane = 0; lane < sixteen; ++lane) {
        if (code[lane] != face) continue;
        const double value = values[(leaf * sixteen + lane) * attributes + j];
        if (value == lost) return lost;
        best = beyond(value, best) ? value : best;
      }
    }
    return best;
  }

  std::size_t lowest_row(std::size_t block) const {
    const std::size_t* first = rows.data() + block * block_rows;
    return *std::min_element(first, first + block_rows);
  }

  double reach_of_leaf(std::size_t leaf) const {
    double most = -1.0;
    for (std::size_t place = leaf * sixteen; place < (leaf + 1) * sixteen; ++place)
      if (rows[place] != no_row)
        most = std::max(
            most, plain_distance(values.data() + place * attributes, anchor.data(), attributes));
    return most;
  }

  // Above every rounding of the sum and its root, and above what underflow may have hidden.
  double reach_of_block(std::size_t block) const {
    const double* first = leaf_reach.data() + block * sixteen;
    const double most = *std::max_element(first, first + sixteen);
    const double rounding = static_cast<double>(attributes + 8) * 0x1p-52;
    return most < 0.0 ? -1.0 : std::sqrt(most) * (1.0 + rounding) + 1e-150;
  }
};

}  // namespace tokumei::detail
