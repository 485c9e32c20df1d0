// What a search among records in blocks is for: records near a point, or far from it.
//
// Scores make both alike: the squared distance as squared_distances.hpp computes it, or its
// negative. A bound is a score that no record of a node is below.
//
// Nearest: no record of a box is nearer than the box. Farthest: none is farther than the box's
// farthest corner; nor, for the anchor c, any t > 0 and the point y = c - t (p - c) opposite to the
// point p, farther than
//     |x - p|^2 = (1 + 1/t) |x - c|^2 + (1 + t) |p - c|^2 - |x - y|^2 / t
// allows, where |x - c| is at most the reach of the node. With t = reach / |p - c| the records that
// can be farthest are those near y: looking for the farthest is looking near the opposite point.
// That bound is computed with a margin for its roundings; boxes need none (sixteen.hpp).
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "tokumei/numeric/aligned_vector.hpp"
#include "tokumei/runtime/instruction_sets.hpp"
#include "tokumei/simd/sixteen.hpp"
#include "tokumei/spatial/bounding_box_tree.hpp"
#include "tokumei/spatial/quantisation_frame.hpp"
#include "tokumei/spatial/record_blocks.hpp"

namespace tokumei::spatial {

enum class Side { nearest, farthest };

template <Side side>
class DistanceObjective {
 public:
  static constexpr bool far = side == Side::farthest;

  explicit DistanceObjective(const RecordBlocks& records)
      : records_(records), point_(records.width, 0.0), direction_(records.width, 0.0) {}

  // From now on this is the point. The records need an anchor if the farthest are looked for.
  void set(const double* point) {
    std::copy_n(point, records_.attributes, point_.begin());
    if constexpr (far) {
      away_ = std::sqrt(plain_distance(point_.data(), records_.anchor.data(), records_.attributes));
      for (std::size_t j = 0; j < records_.attributes; ++j)
        direction_[j] = away_ > 0.0 ? (point_[j] - records_.anchor[j]) / away_ : 0.0;
    }
  }

  // Numbers that a question takes in the frame of a block.
  std::size_t room() const { return records_.width; }
  QuantisationFrame frame(std::size_t block) const {
    return QuantisationFrame(records_.scales[block], records_.attributes);
  }

  double score(std::size_t place) const {
    const double distance = plain_distance(records_.values.data() + place * records_.attributes,
                                           point_.data(), records_.attributes);
    return far ? -distance : distance;
  }

  // The bounds of the sixteen nodes of a group; infinity where there is no record.
  TOKUMEI_HOT void find_bounds(std::size_t height, std::size_t group, double* out) const {
    const TreeLevel& level = records_.tree[height];
    const double* boxes = level.boxes(group);
    if constexpr (!far) {
      box_distances(boxes, point_.data(), records_.width, out);
    } else {
      const double* reach = level.reach.data() + group * sixteen;
      const double* anchor = records_.anchor.data();
      const double* direction = direction_.data();
      double gaps[sixteen], corners[sixteen];
      sum_attributes(records_.width, gaps, [=](std::size_t j, std::size_t i) {
        const double lower = boxes[j * 2 * sixteen + i] - anchor[j];
        const double upper = boxes[(j * 2 + 1) * sixteen + i] - anchor[j];
        const double opposite = -direction[j] * reach[i];
        double nearest = opposite < lower ? lower : opposite;
        nearest = nearest > upper ? upper : nearest;
        const double by = nearest - opposite;
        return by * by;
      });
      corner_distances(boxes, point_.data(), records_.width, corners);
      const double away = away_, rounding = margin(0x1p-49);
      TOKUMEI_SIXTEEN(i) {
        const double top = (away + reach[i]) * (away + reach[i]);
        const double bound = top + top * rounding + 1e-290 - away / reach[i] * gaps[i];
        const double least = bound < corners[i] ? bound : corners[i];
        out[i] = reach[i] < 0.0 ? infinite : -least;
      }
    }
  }

  // The point in the frame of a block.
  TOKUMEI_HOT void enter(std::size_t block, float* frame) const {
    const double* centre = records_.centres.data() + block * records_.width;
    const double scale = records_.scales[block];
    for (std::size_t j = 0; j < records_.width; ++j)
      frame[j] = static_cast<float>((point_[j] - centre[j]) * scale);
  }

  // The leaves of a block that may hold a record with a score up to `limit`; the smaller gaps[i],
  // the more leaf i promises. `point` is the point in the block's frame, `room` as much for
  // another.
  TOKUMEI_HOT unsigned find_leaves(std::size_t block, const QuantisationFrame& frame, double limit,
                                   const float* point, float* room, float* gaps) const {
    const float* boxes = records_.leaf_boxes.data() + block * records_.width * 2 * sixteen;
    if constexpr (!far) {
      box_distances(boxes, point, records_.width, gaps);
      const float within = frame.code_within(limit);
      return where_floats([=](std::size_t i) { return gaps[i] <= within; });
    } else {
      const double* anchor = records_.anchor.data();
      const double* centre = records_.centres.data() + block * records_.width;
      const double scale = records_.scales[block], reach = records_.tree[0].reach[block];
      for (std::size_t j = 0; j < records_.width; ++j)
        room[j] = static_cast<float>(((anchor[j] - centre[j]) - direction_[j] * reach) * scale);
      box_distances(boxes, room, records_.width, gaps);
      // |x - y|^2 / t <= (1 + 1/t) |x - c|^2 + (1 + t) |p - c|^2 - |x - p|^2 with t = reach / away,
      // which may be anything up to infinity.
      const double around = away_ + reach;
      const double rest = away_ * around + limit + around * around * margin(0x1p-48) + 1e-290;
      const double share = 1.0 + away_ / reach;
      const double t = away_ > 0.0 ? std::min(reach / away_, 1e300) : 1e300;
      const double* leaf_reach = records_.leaf_reach.data() + block * sixteen;
      // What is infinite in float32 only may still be within.
      double wide_gaps[sixteen];
      TOKUMEI_SIXTEEN(i) {
        const double gap = gaps[i];
        wide_gaps[i] = gap < QuantisationFrame::largest ? gap : QuantisationFrame::largest;
      }
      return where_doubles([&](std::size_t i) {
        return wide_gaps[i] <= frame.wide_code_within((share * leaf_reach[i] + rest) * t);
      });
    }
  }

  TOKUMEI_HOT void measure_codes(const float* codes, const float* point, float* out) const {
    record_distances(codes, point, records_.width, out);
  }

  // Records with scores up to `limit` have codes that pass this edge.
  TOKUMEI_HOT static float edge(const QuantisationFrame& frame, double limit) {
    return far ? frame.code_beyond(-limit) : frame.code_within(limit);
  }
  TOKUMEI_HOT static bool passes(float distance, float edge) {
    return far ? distance >= edge : distance <= edge;
  }
  // Records whose codes pass this edge have scores up to the result.
  TOKUMEI_HOT static double limit(const QuantisationFrame& frame, float edge) {
    return far ? -frame.beyond(edge) : frame.within(edge);
  }

 private:
  // More than the roundings of a sum over the attributes, as a share of it.
  double margin(double unit) const { return static_cast<double>(records_.attributes + 16) * unit; }

  const RecordBlocks& records_;
  AlignedVector<double> point_;
  AlignedVector<double> direction_;  // from the anchor to the point, of length 1
  double away_ = 0.0;                // distance from the anchor to the point
};

}  // namespace tokumei::spatial
