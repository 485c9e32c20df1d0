// What a search among records in blocks is for where boxes grow: the record that leaves a box the
// least width, or the one that leaves a point's box the greatest.
//
// The width of a box is the sum of its sides, from the first attribute to the last
// (bounding_box.hpp), and then of the widths in the columns of codes (held_categories.hpp); the
// score is the width with the record, or its negative. Each term is monotone in the record, so the
// best point of a node's box gives a bound that needs no margin, in float64 as in float32.
#pragma once

#include <algorithm>
#include <cstddef>

#include "tokumei/numeric/aligned_vector.hpp"
#include "tokumei/numeric/squared_distances.hpp"
#include "tokumei/runtime/instruction_sets.hpp"
#include "tokumei/simd/lanes.hpp"
#include "tokumei/simd/reductions.hpp"
#include "tokumei/spatial/bounding_box_tree.hpp"
#include "tokumei/spatial/box_bounds.hpp"
#include "tokumei/spatial/category_widths.hpp"
#include "tokumei/spatial/held_categories.hpp"
#include "tokumei/spatial/quantisation_frame.hpp"
#include "tokumei/spatial/record_blocks.hpp"

namespace tokumei::spatial {

// A box, or where the greatest width is looked for a point: its corners are one.
struct BoxQuestion {
  const double* lower;
  const double* upper;
  const HeldCategories* held;
};

template <bool greatest>
class WidthObjective {
 public:
  static constexpr bool far = greatest;

  using Question = BoxQuestion;

  explicit WidthObjective(const RecordBlocks& records)
      : records_(records), lower_(records.attributes), upper_(records.attributes),
        categories_(records.categories) {}

  void set(const BoxQuestion& question) {
    std::copy_n(question.lower, records_.attributes, lower_.begin());
    std::copy_n(question.upper, records_.attributes, upper_.begin());
    categories_.ask(*question.held);
  }

  // Numbers that a question takes in the frame of a block.
  std::size_t room() const { return 2 * records_.attributes + categories_.room(); }
  QuantisationFrame frame(std::size_t block) const {
    return QuantisationFrame::of_widths(records_.scales[block], records_.terms());
  }

  double score(std::size_t place) const {
    const double* record = records_.values.data() + place * records_.attributes;
    double width = 0.0;
    for (std::size_t j = 0; j < records_.attributes; ++j)
      width += std::max(upper_[j], record[j]) - std::min(lower_[j], record[j]);
    width = categories_.add_widths(width, records_.categories.slots(place));
    return far ? -width : width;
  }

  // The bounds of the sixteen nodes of a group; infinity where there is no record.
  template <class V>
  TOKUMEI_HOT void find_bounds(std::size_t height, std::size_t group, V& out) const {
    out = best_widths<V>(records_.tree[height].boxes(group), lower_.data(), upper_.data());
    if (has_codes()) out = categories_.template add_best<far>(out, height, group);
    if constexpr (far) out = out * -1.0;
  }

  // The question in the frame of a block.
  template <std::size_t bytes>
  TOKUMEI_HOT void enter(std::size_t block, float* frame) const {
    const double* centre = records_.centres.data() + block * records_.attributes;
    const double scale = records_.scales[block];
    for (std::size_t j = 0; j < records_.attributes; ++j) {
      frame[j] = static_cast<float>((lower_[j] - centre[j]) * scale);
      frame[records_.attributes + j] = static_cast<float>((upper_[j] - centre[j]) * scale);
    }
    categories_.enter(scale, frame + 2 * records_.attributes);
  }

  // The leaves of a block that may hold a record with a score up to `limit`; the smaller lane i of
  // `gaps`, the more leaf i promises. `question` is in the block's frame.
  template <class Codes>
  TOKUMEI_HOT unsigned find_leaves(std::size_t block, const QuantisationFrame& frame, double limit,
                                   const float* question, float*, Codes& gaps) const {
    const float* boxes = records_.leaf_boxes.data() + block * records_.attributes * 2 * sixteen;
    auto widths = best_widths<Codes>(boxes, question, question + records_.attributes);
    if (has_codes())
      widths = categories_.template add_best_screened<far>(widths, block,
                                                           question + 2 * records_.attributes);
    gaps = far ? widths * -1.0F : widths;
    return bits_of(passing<far>(widths, edge_of<far>(frame, limit)));
  }

  // The widths with sixteen records; NaN where there is none.
  template <class Codes>
  TOKUMEI_HOT Codes measure_codes(std::size_t leaf, const float* question) const {
    const float* codes = records_.codes.data() + leaf * records_.attributes * sixteen;
    const float* lower = question;
    const float* upper = question + records_.attributes;
    const auto widths =
        sum_by_attributes<Codes>(records_.attributes, [=](std::size_t j) TOKUMEI_HOT_LAMBDA {
          const auto x = load<Codes>(codes + j * sixteen);
          return larger(broadcast<Codes>(upper[j]), x) - smaller(broadcast<Codes>(lower[j]), x);
        });
    return has_codes() ? categories_.add_screened(widths, leaf, upper + records_.attributes)
                       : widths;
  }

  // The same of records that are sure to count.
  template <class Codes>
  TOKUMEI_HOT Codes measure_surely(std::size_t leaf, const float* question) const {
    return measure_codes<Codes>(leaf, question);
  }

 private:
  bool has_codes() const { return records_.categories.columns > 0; }

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
  CategoryWidths categories_;
};

}  // namespace tokumei::spatial
