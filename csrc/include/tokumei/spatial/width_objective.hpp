// What a search among records in blocks is for where boxes grow: the record that leaves a box the
// least width, or the one that leaves a point's box the greatest.
//
// The width of a box is the sum of its sides, from the first attribute to the last
// (bounding_box.hpp); the score is the width with the record, or its negative. Each side is
// monotone in the record, so the best point of a node's box gives a bound that needs no margin, in
// float64 as in float32.
#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>

#include "tokumei/numeric/aligned_vector.hpp"
#include "tokumei/numeric/squared_distances.hpp"
#include "tokumei/runtime/instruction_sets.hpp"
#include "tokumei/simd/lanes.hpp"
#include "tokumei/simd/reductions.hpp"
#include "tokumei/spatial/bounding_box_tree.hpp"
#include "tokumei/spatial/box_bounds.hpp"
#include "tokumei/spatial/record_blocks.hpp"

namespace tokumei::spatial {

// What a width measured in a block's float32 frame says about the true one, and the other way
// round.
//
// With W the width, S that of the codes, both in units of the frame, and e = 2^-24: a coordinate of
// the box is at most the record's own plus the side, so rounding moves a side by at most 2 e (|x_j|
// + side), and the sides' sum by 2 e (sqrt(d) + W), as records have norms of at most 1; forming S
// errs by a factor 1 +- (d + 1) e. So |S - W| <= (d + 4) e W + 2 e sqrt(d), of which slack and blur
// are several times as much.
class WidthFrame {
 public:
  TOKUMEI_HOT WidthFrame(double scale, std::size_t attributes)
      : scale_(scale), slack_(static_cast<double>(attributes + 16) * 0x1p-22),
        blur_(static_cast<double>(attributes + 4) * 0x1p-21) {}

  // Records up to (from) this width have codes up to (from) the result.
  TOKUMEI_HOT float code_within(double width) const {
    const double bound = width * scale_ * (1.0 + slack_) + blur_;
    return bound > largest ? std::numeric_limits<float>::infinity() : static_cast<float>(bound);
  }
  TOKUMEI_HOT float code_beyond(double width) const {
    const double bound = width * scale_ * (1.0 - slack_) - blur_;
    return bound > 0.0 ? static_cast<float>(bound > largest ? largest : bound) : 0.0F;
  }

  // Records whose codes are within (beyond) this have widths within (beyond) the result.
  TOKUMEI_HOT double within(float code) const {
    return (static_cast<double>(code) * (1.0 + slack_) + blur_) / scale_;
  }
  TOKUMEI_HOT double beyond(float code) const {
    const double bound = (static_cast<double>(code) * (1.0 - slack_) - blur_) / scale_;
    return bound > 0.0 ? bound : 0.0;
  }

 private:
  static constexpr double largest = std::numeric_limits<float>::max();
  double scale_;
  double slack_;
  double blur_;
};

// The least width: the question is a box, its lower corner and then its upper one. The greatest:
// it is a point.
template <bool greatest>
class WidthObjective {
 public:
  static constexpr bool far = greatest;

  using Question = const double*;

  explicit WidthObjective(const RecordBlocks& records)
      : records_(records), lower_(records.attributes), upper_(records.attributes) {}

  void set(const double* question) {
    std::copy_n(question, records_.attributes, lower_.begin());
    std::copy_n(question + (far ? 0 : records_.attributes), records_.attributes, upper_.begin());
  }

  // Numbers that a question takes in the frame of a block.
  std::size_t room() const { return 2 * records_.attributes; }
  WidthFrame frame(std::size_t block) const {
    return WidthFrame(records_.scales[block], records_.attributes);
  }

  double score(std::size_t place) const {
    const double* record = records_.values.data() + place * records_.attributes;
    double width = 0.0;
    for (std::size_t j = 0; j < records_.attributes; ++j)
      width += std::max(upper_[j], record[j]) - std::min(lower_[j], record[j]);
    return far ? -width : width;
  }

  // The bounds of the sixteen nodes of a group; infinity where there is no record.
  template <class V>
  TOKUMEI_HOT void find_bounds(std::size_t height, std::size_t group, V& out) const {
    out = best_widths<V>(records_.tree[height].boxes(group), lower_.data(), upper_.data());
    if constexpr (far) out = out * -1.0;
  }

  // The question in the frame of a block.
  TOKUMEI_HOT void enter(std::size_t block, float* frame) const {
    const double* centre = records_.centres.data() + block * records_.attributes;
    const double scale = records_.scales[block];
    for (std::size_t j = 0; j < records_.attributes; ++j) {
      frame[j] = static_cast<float>((lower_[j] - centre[j]) * scale);
      frame[records_.attributes + j] = static_cast<float>((upper_[j] - centre[j]) * scale);
    }
  }

  // The leaves of a block that may hold a record with a score up to `limit`; the smaller lane i of
  // `gaps`, the more leaf i promises. `question` is in the block's frame.
  template <class Codes>
  TOKUMEI_HOT unsigned find_leaves(std::size_t block, const WidthFrame& frame, double limit,
                                   const float* question, float*, Codes& gaps) const {
    const float* boxes = records_.leaf_boxes.data() + block * records_.attributes * 2 * sixteen;
    const auto widths = best_widths<Codes>(boxes, question, question + records_.attributes);
    gaps = far ? widths * -1.0F : widths;
    return bits_of(passes(widths, edge(frame, limit)));
  }

  // The widths with sixteen records; NaN where there is none.
  template <class Codes>
  TOKUMEI_HOT Codes measure_codes(std::size_t leaf, const float* question) const {
    const float* codes = records_.codes.data() + leaf * records_.attributes * sixteen;
    const float* lower = question;
    const float* upper = question + records_.attributes;
    return sum_by_attributes<Codes>(records_.attributes, [=](std::size_t j) TOKUMEI_HOT_LAMBDA {
      const auto x = load<Codes>(codes + j * sixteen);
      return larger(broadcast<Codes>(upper[j]), x) - smaller(broadcast<Codes>(lower[j]), x);
    });
  }

  // Records with scores up to `limit` have codes that pass this edge.
  TOKUMEI_HOT static float edge(const WidthFrame& frame, double limit) {
    return far ? frame.code_beyond(-limit) : frame.code_within(limit);
  }
  template <class Codes>
  TOKUMEI_HOT static auto passes(const Codes& widths, float edge) {
    if constexpr (far)
      return widths >= edge;
    else
      return widths <= edge;
  }
  // Records whose codes pass this edge have scores up to the result.
  TOKUMEI_HOT static double limit(const WidthFrame& frame, float edge) {
    return far ? -frame.beyond(edge) : frame.within(edge);
  }

 private:
  // The least (greatest) widths with a point of each of sixteen boxes.
  template <class V>
  TOKUMEI_HOT V best_widths(const typename V::Value* boxes, const typename V::Value* lower,
                            const typename V::Value* upper) const {
    return sum_by_attributes<V>(records_.attributes, [=](std::size_t j) TOKUMEI_HOT_LAMBDA {
      const auto [least, most] = sides_of<V>(boxes, j);
      if constexpr (far)
        return larger(upper[j] - least, most - lower[j]);
      else
        return larger(broadcast<V>(upper[j]), least) - smaller(broadcast<V>(lower[j]), most);
    });
  }

  const RecordBlocks& records_;
  AlignedVector<double> lower_;
  AlignedVector<double> upper_;
};

}  // namespace tokumei::spatial
