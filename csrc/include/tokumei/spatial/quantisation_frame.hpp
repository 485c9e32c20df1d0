// What a distance measured in a block's float32 frame says about the true one, and the other way
// round.
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
#pragma once

#include <cstddef>
#include <limits>

#include "tokumei/runtime/instruction_sets.hpp"

namespace tokumei::spatial {

class QuantisationFrame {
 public:
  static constexpr double largest = std::numeric_limits<float>::max();

  TOKUMEI_HOT QuantisationFrame(double scale, std::size_t attributes)
      : area_(scale * scale), slack_(static_cast<double>(attributes + 16) * 0x1p-22),
        blur_(0x1p-21 + 1e-292 * area_) {}

  // Records within this squared distance of the point have codes within the result.
  TOKUMEI_HOT float code_within(double squared) const {
    const double bound = wide_code_within(squared);
    return bound > largest ? std::numeric_limits<float>::infinity() : static_cast<float>(bound);
  }
  template <class Real>
  TOKUMEI_HOT Real wide_code_within(const Real& squared) const {
    return squared * area_ * (1.0 + slack_) + blur_;
  }

  // Records beyond this squared distance from the point have codes beyond the result.
  TOKUMEI_HOT float code_beyond(double squared) const {
    const double bound = squared * area_ * (1.0 - slack_) - blur_;
    return static_cast<float>(bound > largest ? largest : bound);
  }

  // Records whose codes are within (beyond) this lie within (beyond) the result.
  TOKUMEI_HOT double within(float code) const {
    return (static_cast<double>(code) * (1.0 + slack_) + blur_) / area_;
  }
  TOKUMEI_HOT double beyond(float code) const {
    const double bound = (static_cast<double>(code) * (1.0 - slack_) - blur_) / area_;
    return bound > 0.0 ? bound : 0.0;
  }

 private:
  double area_;
  double slack_;
  double blur_;
};

}  // namespace tokumei::spatial
