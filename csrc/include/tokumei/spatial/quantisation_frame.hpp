// What a distance or a width measured in a block's float32 frame says about the true one, and the
// other way round.
//
// Let D be the distance of a record and a point, S the distance of their codes (record_blocks.hpp),
// both in units of the frame, where records have norms of at most 1. Rounding a coordinate to
// float32 moves it by at most e = 2^-24 of itself, so the codes of record and point lie within e (1
// + |point|) <= e (2 + D) of where they should; forming S^2 from them in float32 errs by a factor 1
// +- (d + 3) e. Hence
//     (1 - s) D - c <= S <= (1 + s) D + c        with s = (d + 3) e and c = 4 e,
// and as 2 a c <= a^2 / 2^20 + 2^20 c^2,
//     (1 - slack) D^2 - blur <= S^2 <= (1 + slack) D^2 + blur,
// and likewise with S and D exchanged, for slack = (d + 16) / 2^22 and blur = 2^-21: far more than
// is needed, so that they also cover every rounding in double precision and in the use of the
// bounds. What underflows in a squared distance in double precision is below (1e-150)^2; blur
// covers that too. A distance too large for float32 becomes infinite, which every bound below takes
// the safe way.
//
// Widths (bounding_box.hpp) likewise. With W the width, S that of the codes, both in units of the
// frame: a coordinate of the box is at most the record's own plus the side, so rounding moves a
// side by at most 2 e (|x_j| + side), and the sides' sum by 2 e (sqrt(d) + W), as records have
// norms of at most 1; forming S errs by a factor 1 +- (d + 1) e. So |S - W| <= (d + 4) e W + 2 e
// sqrt(d), of which slack and blur are several times as much.
#pragma once

#include <cstddef>
#include <limits>

#include "tokumei/runtime/instruction_sets.hpp"

namespace tokumei::spatial {

class QuantisationFrame {
 public:
  static constexpr double largest = std::numeric_limits<float>::max();

  TOKUMEI_HOT static QuantisationFrame of_distances(double scale, std::size_t attributes) {
    return {scale * scale, attributes, 0x1p-21 + 1e-292 * (scale * scale)};
  }
  TOKUMEI_HOT static QuantisationFrame of_widths(double scale, std::size_t attributes) {
    return {scale, attributes, static_cast<double>(attributes + 4) * 0x1p-21};
  }

  // Records within (beyond) this measure have codes within (beyond) the result.
  TOKUMEI_HOT float code_within(double measure) const {
    const double bound = wide_code_within(measure);
    return bound > largest ? std::numeric_limits<float>::infinity() : static_cast<float>(bound);
  }
  template <class Real>
  TOKUMEI_HOT Real wide_code_within(const Real& measure) const {
    return measure * unit_ * (1.0 + slack_) + blur_;
  }
  TOKUMEI_HOT float code_beyond(double measure) const {
    const double bound = measure * unit_ * (1.0 - slack_) - blur_;
    // May be below 0: so may, by rounding, the code of a record of categories at their mean.
    return static_cast<float>(bound > largest ? largest : bound);
  }

  // Records whose codes are within (beyond) this have measures within (beyond) the result.
  TOKUMEI_HOT double within(float code) const {
    return (static_cast<double>(code) * (1.0 + slack_) + blur_) / unit_;
  }
  TOKUMEI_HOT double beyond(float code) const {
    const double bound = (static_cast<double>(code) * (1.0 - slack_) - blur_) / unit_;
    return bound > 0.0 ? bound : 0.0;
  }

 private:
  TOKUMEI_HOT QuantisationFrame(double unit, std::size_t attributes, double blur)
      : unit_(unit), slack_(static_cast<double>(attributes + 16) * 0x1p-22), blur_(blur) {}

  double unit_;
  double slack_;
  double blur_;
};

// Scores are measures, or their negatives where a search is for what is far. Records with scores up
// to `limit` have codes that pass this edge.
template <bool far>
TOKUMEI_HOT float edge_of(const QuantisationFrame& frame, double limit) {
  return far ? frame.code_beyond(-limit) : frame.code_within(limit);
}

template <bool far, class Codes>
TOKUMEI_HOT auto passing(const Codes& codes, float edge) {
  if constexpr (far)
    return codes >= edge;
  else
    return codes <= edge;
}

// Records whose codes pass this edge have scores up to the result.
template <bool far>
TOKUMEI_HOT double limit_of(const QuantisationFrame& frame, float edge) {
  return far ? -frame.beyond(edge) : frame.within(edge);
}

}  // namespace tokumei::spatial
