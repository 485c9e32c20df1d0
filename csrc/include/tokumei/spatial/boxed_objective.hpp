// What a search among records in blocks is for where only those in a box count: the nearest of
// them.
//
// A record is in the box if no number of it is outside, the sides belonging to it. Rounding to a
// block's frame is monotone, so no record in the box has codes outside the box's: what is screened
// away is outside. A record whose codes are on a side of the box may be on either side of it; its
// score is infinite if it is outside.
#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>

#include "tokumei/numeric/aligned_vector.hpp"
#include "tokumei/runtime/instruction_sets.hpp"
#include "tokumei/runtime/records.hpp"
#include "tokumei/simd/lanes.hpp"
#include "tokumei/simd/reductions.hpp"
#include "tokumei/spatial/bounding_box_tree.hpp"
#include "tokumei/spatial/box_bounds.hpp"
#include "tokumei/spatial/distance_objective.hpp"
#include "tokumei/spatial/quantisation_frame.hpp"
#include "tokumei/spatial/record_blocks.hpp"

namespace tokumei::spatial {

// A point, and the corners of the box.
struct BoxedQuestion {
  Point point;
  const double* lower;
  const double* upper;
};

class BoxedObjective {
 public:
  static constexpr bool far = false;

  using Question = BoxedQuestion;

  explicit BoxedObjective(const RecordBlocks& records)
      : records_(records), nearest_(records), lower_(records.attributes),
        upper_(records.attributes) {}

  void set(const BoxedQuestion& question) {
    nearest_.set(question.point);
    std::copy_n(question.lower, records_.attributes, lower_.begin());
    std::copy_n(question.upper, records_.attributes, upper_.begin());
  }

  // The point in the frame of a block, then the corners.
  std::size_t room() const { return nearest_.room() + 2 * records_.attributes; }
  QuantisationFrame frame(std::size_t block) const { return nearest_.frame(block); }

  TOKUMEI_HOT double score(std::size_t place) const {
    const double* record = records_.values.data() + place * records_.attributes;
    bool inside = true;
    for (std::size_t j = 0; j < records_.attributes; ++j)
      inside = inside && lower_[j] <= record[j] && record[j] <= upper_[j];
    return inside ? nearest_.score(place) : infinite;
  }

  template <class V>
  TOKUMEI_HOT void find_bounds(std::size_t height, std::size_t group, V& out) const {
    nearest_.find_bounds(height, group, out);
    const double* boxes = records_.tree[height].boxes(group);
    out = select(touching<V>(boxes, lower_.data(), upper_.data()), out, broadcast<V>(infinite));
  }

  template <std::size_t bytes>
  TOKUMEI_HOT void enter(std::size_t block, float* frame) const {
    nearest_.template enter<bytes>(block, frame);
    const double* centre = records_.centres.data() + block * records_.attributes;
    const double scale = records_.scales[block];
    float* lower = frame + nearest_.room();
    float* upper = lower + records_.attributes;
    for (std::size_t j = 0; j < records_.attributes; ++j) {
      lower[j] = static_cast<float>((lower_[j] - centre[j]) * scale);
      upper[j] = static_cast<float>((upper_[j] - centre[j]) * scale);
    }
  }

  template <std::size_t bytes>
  TOKUMEI_HOT unsigned find_leaves(std::size_t block, const QuantisationFrame& frame, double limit,
                                   const float* question, float* room,
                                   Sixteen<float, bytes>& gaps) const {
    using Codes = Sixteen<float, bytes>;
    const unsigned near = nearest_.find_leaves(block, frame, limit, question, room, gaps);
    const float* boxes = records_.leaf_boxes.data() + block * records_.attributes * 2 * sixteen;
    const float* lower = question + nearest_.room();
    const auto touch = touching<Codes>(boxes, lower, lower + records_.attributes);
    gaps = select(touch, gaps, broadcast<Codes>(std::numeric_limits<float>::infinity()));
    return near & bits_of(touch);
  }

  // NaN where there is no record, or one outside.
  template <class Codes>
  TOKUMEI_HOT Codes measure_codes(std::size_t leaf, const float* question) const {
    return measure<Codes>(leaf, question,
                          [](const Codes& a, const Codes& b) TOKUMEI_HOT_LAMBDA { return a <= b; });
  }
  template <class Codes>
  TOKUMEI_HOT Codes measure_surely(std::size_t leaf, const float* question) const {
    return measure<Codes>(leaf, question,
                          [](const Codes& a, const Codes& b) TOKUMEI_HOT_LAMBDA { return a < b; });
  }

 private:
  // Which of sixteen boxes have points in the box.
  template <class V>
  TOKUMEI_HOT MaskOf<V> touching(const typename V::Value* boxes, const typename V::Value* lower,
                                 const typename V::Value* upper) const {
    MaskOf<V> touch = V{} == V{};
    for (std::size_t j = 0; j < records_.attributes; ++j) {
      const auto [least, most] = sides_of<V>(boxes, j);
      touch = touch & (least <= broadcast<V>(upper[j])) & (most >= broadcast<V>(lower[j]));
    }
    return touch;
  }

  template <class Codes, class Before>
  TOKUMEI_HOT Codes measure(std::size_t leaf, const float* question, Before&& before) const {
    const float* codes = records_.codes.data() + leaf * records_.attributes * sixteen;
    const float* lower = question + nearest_.room();
    const float* upper = lower + records_.attributes;
    MaskOf<Codes> inside = Codes{} == Codes{};
    for (std::size_t j = 0; j < records_.attributes; ++j) {
      const auto code = load<Codes>(codes + j * sixteen);
      inside = inside & before(broadcast<Codes>(lower[j]), code) &
               before(code, broadcast<Codes>(upper[j]));
    }
    return select(inside, nearest_.template measure_codes<Codes>(leaf, question),
                  broadcast<Codes>(std::numeric_limits<float>::quiet_NaN()));
  }

  const RecordBlocks& records_;
  DistanceObjective<Side::nearest> nearest_;
  AlignedVector<double> lower_;
  AlignedVector<double> upper_;
};

}  // namespace tokumei::spatial
