// What a search among records in blocks is for: records near a point, or far from it.
//
// Scores make both alike: the squared distance, summed by attributes (squared_distances.hpp), or
// its negative. A bound is a score that no record of a node is below.
//
// Nearest: no record of a box is nearer than the box. Farthest: none is farther than the box's
// farthest corner; nor, for the anchor c, any t > 0 and the point y = c - t (p - c) opposite to the
// point p, farther than
//     |x - p|^2 = (1 + 1/t) |x - c|^2 + (1 + t) |p - c|^2 - |x - y|^2 / t
// allows, where |x - c| is at most the reach of the node. With t = reach / |p - c| the records that
// can be farthest are those near y: looking for the farthest is looking near the opposite point.
// That bound is computed with a margin for its roundings; boxes need none (box_bounds.hpp).
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "tokumei/numeric/aligned_vector.hpp"
#include "tokumei/numeric/squared_distances.hpp"
#include "tokumei/runtime/instruction_sets.hpp"
#include "tokumei/simd/lanes.hpp"
#include "tokumei/simd/reductions.hpp"
#include "tokumei/spatial/bounding_box_tree.hpp"
#include "tokumei/spatial/box_bounds.hpp"
#include "tokumei/spatial/category_listing.hpp"
#include "tokumei/spatial/category_question.hpp"
#include "tokumei/spatial/quantisation_frame.hpp"
#include "tokumei/spatial/record_blocks.hpp"

namespace tokumei::spatial {

enum class Side { nearest, farthest };

template <Side side>
class DistanceObjective {
 public:
  static constexpr bool far = side == Side::farthest;

  using Question = Point;

  explicit DistanceObjective(const RecordBlocks& records)
      : records_(records), point_(padded(records.attributes)), direction_(records.attributes),
        categories_(records.categories) {}

  // From now on this is the point. The records need an anchor if the farthest are looked for.
  void set(const Point& point) {
    std::copy_n(point.numbers, records_.attributes, point_.begin());
    if (has_codes()) {
      if (point.mean != nullptr)
        categories_.ask(*point.mean);
      else
        categories_.ask(point.slots);
    }
    if constexpr (far) {
      double apart = squared_distance_by_attributes(point_.data(), records_.anchor.data(),
                                                    records_.attributes);
      opposite_ = {};
      if (has_codes() && point.mean != nullptr) {
        for (std::size_t j = 0; j < records_.categories.columns; ++j)
          apart += records_.categories.weights[j] * (point.mean->apart(j) + 1e-14);
      } else if (has_codes()) {
        apart = records_.category_anchor.add_terms(apart, point.slots);
        opposite_ = records_.category_anchor.opposite(point.slots);
      }
      away_ = std::sqrt(std::max(apart, 0.0));
      for (std::size_t j = 0; j < records_.attributes; ++j)
        direction_[j] = away_ > 0.0 ? (point_[j] - records_.anchor[j]) / away_ : 0.0;
    }
  }

  // Hands the records that share a category with the point to take(place), where a listing tells
  // few enough of them; bounds are then those of all others.
  template <class Take>
  void take_listed(const CategoryListing& listing, const Take& take) {
    for (std::size_t i = 0; i < listing.columns() && !categories_.is_mean(); ++i) {
      const std::size_t j = listing.column(i);
      const auto places = listing.places(i, categories_.slots()[j]);
      if (places.size() > most_listed) continue;
      for (const std::size_t place : places)
        if (records_.rows[place] != no_row) take(place);
      categories_.leave_out(j);
    }
  }

  // Numbers that a question takes in the frame of a block.
  std::size_t room() const { return padded(records_.attributes) + categories_.room(); }
  QuantisationFrame frame(std::size_t block) const {
    return QuantisationFrame::of_distances(records_.scales[block], records_.terms());
  }

  TOKUMEI_HOT double score(std::size_t place) const {
    double distance = squared_distance_by_attributes(
        records_.values.data() + place * records_.attributes, point_.data(), records_.attributes);
    if (has_codes()) distance = categories_.add_terms(distance, records_.categories.slots(place));
    return far ? -distance : distance;
  }

  // The bounds of the sixteen nodes of a group; infinity where there is no record.
  template <class V>
  TOKUMEI_HOT void find_bounds(std::size_t height, std::size_t group, V& out) const {
    const TreeLevel& level = records_.tree[height];
    const double* boxes = level.boxes(group);
    if constexpr (!far) {
      out = nearest_distances<V>(boxes, point_.data(), records_.attributes);
      if (has_codes()) out = categories_.add_least(out, height, group);
    } else {
      const V reach = load<V>(level.reach.data() + group * sixteen);
      const double* anchor = records_.anchor.data();
      const double* direction = direction_.data();
      const V gaps =
          sum_by_attributes<V>(records_.attributes, [=](std::size_t j) TOKUMEI_HOT_LAMBDA {
            const auto [lower, upper] = sides_of<V>(boxes, j);
            const V opposite = reach * -direction[j];
            const V by =
                Sides<V>{lower - anchor[j], upper - anchor[j]}.nearest(opposite) - opposite;
            return by * by;
          });
      V corners = corner_distances<V>(boxes, point_.data(), records_.attributes);
      const V top = (reach + away_) * (reach + away_);
      V bound = top + top * margin(0x1p-49) + 1e-290 - away_ / reach * gaps;
      if (has_codes()) {
        corners = categories_.add_greatest(corners, records_.categories.sets(height, group));
        bound = bound - opposite_of_codes(reach);
      }
      out = select(reach < 0.0, broadcast<V>(infinite), -1.0 * smaller(bound, corners));
    }
  }

  // The point in the frame of a block.
  template <std::size_t bytes>
  TOKUMEI_HOT void enter(std::size_t block, float* frame) const {
    using Numbers = Lanes<double, bytes, lane_count>;
    const double* centre = records_.centres.data() + block * records_.attributes;
    const double scale = records_.scales[block];
    for (std::size_t j = 0; j < records_.attributes; j += lane_count)
      store(frame + j, converted<float>(
                           (load<Numbers>(point_.data() + j) - load<Numbers>(centre + j)) * scale));
    if (has_codes()) categories_.enter(scale * scale, frame + records_.attributes);
  }

  // The leaves of a block that may hold a record with a score up to `limit`; the smaller lane i of
  // `gaps`, the more leaf i promises. `point` is the point in the block's frame, `room` as much for
  // another.
  template <std::size_t bytes>
  TOKUMEI_HOT unsigned find_leaves(std::size_t block, const QuantisationFrame& frame, double limit,
                                   const float* point, float* room,
                                   Sixteen<float, bytes>& gaps) const {
    using Codes = Sixteen<float, bytes>;
    const float* boxes = records_.leaf_boxes.data() + block * records_.attributes * 2 * sixteen;
    if constexpr (!far) {
      gaps = nearest_distances<Codes>(boxes, point, records_.attributes);
      if (has_codes())
        gaps = categories_.add_least_screened(gaps, block, point[records_.attributes]);
      return bits_of(passing<far>(gaps, edge_of<far>(frame, limit)));
    } else {
      using Wide = Sixteen<double, bytes>;
      const double* anchor = records_.anchor.data();
      const double* centre = records_.centres.data() + block * records_.attributes;
      const double scale = records_.scales[block], reach = records_.tree[0].reach[block];
      for (std::size_t j = 0; j < records_.attributes; ++j)
        room[j] = static_cast<float>(((anchor[j] - centre[j]) - direction_[j] * reach) * scale);
      gaps = nearest_distances<Codes>(boxes, room, records_.attributes);
      // |x - y|^2 / t <= (1 + 1/t) |x - c|^2 + (1 + t) |p - c|^2 - |x - p|^2 with t = reach / away,
      // which may be anything up to infinity.
      const double around = away_ + reach;
      const double rest = away_ * around + limit + around * around * margin(0x1p-48) + 1e-290;
      const double share = 1.0 + away_ / reach;
      const double t = away_ > 0.0 ? std::min(reach / away_, 1e300) : 1e300;
      // What the codes take of it, too (category_anchor.hpp).
      const double of_codes =
          std::max(0.0, opposite_.constant + t * (opposite_.linear + t * opposite_.square));
      const double gap_of_codes = has_codes() && t < 1e100 ? of_codes : 0.0;
      const auto leaf_reach = load<Wide>(records_.leaf_reach.data() + block * sixteen);
      // What is infinite in float32 only may still be within.
      const auto largest = broadcast<Wide>(QuantisationFrame::largest);
      const Wide wide_gaps = smaller(converted<double>(gaps), largest);
      return bits_of(wide_gaps <=
                     frame.wide_code_within((leaf_reach * share + rest) * t - gap_of_codes));
    }
  }

  template <class Codes>
  TOKUMEI_HOT Codes measure_codes(std::size_t leaf, const float* point) const {
    const float* codes = records_.codes.data() + leaf * records_.attributes * sixteen;
    const auto sums =
        squared_distances_by_attributes<Codes>(codes, sixteen, point, records_.attributes);
    return has_codes() ? categories_.add_screened(sums, leaf, point[records_.attributes]) : sums;
  }

  // The same of records that are sure to count.
  template <class Codes>
  TOKUMEI_HOT Codes measure_surely(std::size_t leaf, const float* point) const {
    return measure_codes<Codes>(leaf, point);
  }

  // Those of four leaves: the sum of one waits for each of its terms.
  template <class Codes>
  TOKUMEI_HOT void measure_four(std::size_t leaf, const float* point, Codes* out) const {
    const std::size_t step = records_.attributes * sixteen;
    const float* codes = records_.codes.data() + leaf * step;
    Codes a{}, b{}, c{}, d{};
    for (std::size_t j = 0; j < records_.attributes; ++j, codes += sixteen) {
      const auto at = broadcast<Codes>(point[j]);
      const auto by_a = load<Codes>(codes) - at, by_b = load<Codes>(codes + step) - at;
      const auto by_c = load<Codes>(codes + 2 * step) - at;
      const auto by_d = load<Codes>(codes + 3 * step) - at;
      a = a + by_a * by_a;
      b = b + by_b * by_b;
      c = c + by_c * by_c;
      d = d + by_d * by_d;
    }
    out[0] = a;
    out[1] = b;
    out[2] = c;
    out[3] = d;
    for (std::size_t i = 0; has_codes() && i < 4; ++i)
      out[i] = categories_.add_screened(out[i], leaf + i, point[records_.attributes]);
  }

 private:
  // More records are found faster by their leaves.
  static constexpr std::size_t most_listed = 128;

  // More than the roundings of a sum over the attributes, as a share of it.
  double margin(double unit) const { return static_cast<double>(records_.terms() + 16) * unit; }

  bool has_codes() const { return records_.categories.columns > 0; }

  // What is to be taken from a bound for the codes: their gap at t = reach / away, over t.
  template <class V>
  TOKUMEI_HOT V opposite_of_codes(const V& reach) const {
    if (!(away_ > 0.0)) return V{};
    const V t = reach / away_;
    const V gap = (t * opposite_.square + opposite_.linear) * t + opposite_.constant;
    return select(t > 1e-100, larger(gap, V{}) / t, V{});
  }

  const RecordBlocks& records_;
  AlignedVector<double> point_;
  AlignedVector<double> direction_;  // from the anchor to the point, of length 1
  double away_ = 0.0;                // distance from the anchor to the point, or more
  CategoryQuestion categories_;
  OppositeGap opposite_;
};

}  // namespace tokumei::spatial
