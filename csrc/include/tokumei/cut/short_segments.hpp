// The sums of squares of all short segments, by the record they end with.
//
// A segment is a stretch of consecutive records; its cost is the sum of squared distances to its
// mean. `fill` gives the costs of all segments of k..2k-1 records that end with one of some
// records, eight ends side by side: the policy `Costs` of shortest_path.hpp. Per attribute, with
// y the difference to the last record of the segment,
//   cost = sum y^2 - (sum y)^2 / length,
// grown record by record. The origin is a member of the segment, so however far from zero the data
// lie the two terms are at most about `length` times their difference, and a constant segment costs
// exactly 0.
//
// O(k d) per end: meant for small k (from k = 16 or so, prefix_sum_path.hpp needs a third of the
// work). Needs |x| <= 1e130. `Records` is OrderedRecords or has its `attributes` and `from`.
#pragma once

#include <cstddef>
#include <vector>

#include "tokumei/runtime/instruction_sets.hpp"
#include "tokumei/simd/each_lane.hpp"

namespace tokumei::cut {

struct ShortSegments {
  // columns[j][e + 2k - 2] is the last record of the segments of end e.
  TOKUMEI_HOT static void run(const double* const* columns, std::size_t attributes, std::size_t k,
                              std::size_t ends, const double* share, double* out,
                              std::size_t stride) {
    for (std::size_t e = 0; e < ends; e += lane_count) {
      std::size_t j = 0;
      if (attributes >= 4) {
        attribute_block<4, true>(columns, e, k, share, out, stride);
        j = 4;
      } else if (attributes >= 2) {
        attribute_block<2, true>(columns, e, k, share, out, stride);
        j = 2;
      } else {
        attribute_block<1, true>(columns, e, k, share, out, stride);
        j = 1;
      }
      for (; j + 4 <= attributes; j += 4)
        attribute_block<4, false>(columns + j, e, k, share, out, stride);
      if (j + 2 <= attributes) {
        attribute_block<2, false>(columns + j, e, k, share, out, stride);
        j += 2;
      }
      if (j < attributes) attribute_block<1, false>(columns + j, e, k, share, out, stride);
    }
  }

  // Writes the costs over `count` attributes, or adds them.
  template <std::size_t count, bool first>
  TOKUMEI_HOT static void attribute_block(const double* const* columns, std::size_t e,
                                          std::size_t k, const double* share, double* out,
                                          std::size_t stride) {
    const double* x[count];
    double last[count][lane_count], sum[count][lane_count], squares[lane_count];
    for (std::size_t j = 0; j < count; ++j) {
      x[j] = columns[j] + e + 2 * k - 2;
      TOKUMEI_EACH_LANE(lane) {
        last[j][lane] = x[j][lane];
        sum[j][lane] = 0.0;
      }
    }
    TOKUMEI_EACH_LANE(lane) squares[lane] = 0.0;
    for (std::size_t back = 1; back + 1 < k; ++back) {
      for (std::size_t j = 0; j < count; ++j) --x[j];
      TOKUMEI_EACH_LANE(lane) squares[lane] += grow<count>(x, last, sum, lane);
    }
    for (std::size_t length = k; length < 2 * k; ++length) {
      if (length > 1)
        for (std::size_t j = 0; j < count; ++j) --x[j];
      double here[lane_count];
      TOKUMEI_EACH_LANE(lane) {
        squares[lane] += grow<count>(x, last, sum, lane);
        here[lane] = squares[lane] - of_sums<count>(sum, lane) * share[length];
      }
      double* cost = out + (length - k) * stride + e;
      TOKUMEI_EACH_LANE(lane) cost[lane] = first ? here[lane] : cost[lane] + here[lane];
    }
  }

  // Takes one more record into the sums; returns its squared distance to the last record.
  template <std::size_t count>
  TOKUMEI_HOT static double grow(const double* const* x, double (&last)[count][lane_count],
                                 double (&sum)[count][lane_count], std::size_t lane) {
    double squared[count];
    for (std::size_t j = 0; j < count; ++j) {
      const double y = x[j][lane] - last[j][lane];
      sum[j][lane] += y;
      squared[j] = y * y;
    }
    return total(squared);
  }

  template <std::size_t count>
  TOKUMEI_HOT static double of_sums(double (&sum)[count][lane_count], std::size_t lane) {
    double squared[count];
    for (std::size_t j = 0; j < count; ++j) squared[j] = sum[j][lane] * sum[j][lane];
    return total(squared);
  }

  // Added in pairs, so that no long chain of additions waits for itself.
  template <std::size_t count>
  TOKUMEI_HOT static double total(double (&x)[count]) {
    if constexpr (count == 4) return (x[0] + x[1]) + (x[2] + x[3]);
    if constexpr (count == 2) return x[0] + x[1];
    return x[0];
  }
};

// How far the records for so many ends reach.
inline std::size_t short_reach(std::size_t k, std::size_t ends) { return 2 * k + padded(ends); }

template <class Records>
class ShortSegmentCosts {
 public:
  ShortSegmentCosts(Records& records, std::size_t k, InstructionSet isa)
      : records_(records), k_(k), isa_(isa), share_(2 * k) {
    for (std::size_t length = 1; length < 2 * k; ++length)
      share_[length] = 1.0 / static_cast<double>(length);
  }

  void fill(std::size_t first_end, std::size_t ends, double* out, std::size_t stride) {
    const auto first =
        static_cast<std::ptrdiff_t>(first_end) - static_cast<std::ptrdiff_t>(2 * k_) + 1;
    dispatch<ShortSegments>(isa_, records_.from(first), records_.attributes(), k_, padded(ends),
                            static_cast<const double*>(share_.data()), out, stride);
  }

 private:
  Records& records_;
  std::size_t k_;
  InstructionSet isa_;
  std::vector<double> share_;
};

}  // namespace tokumei::cut
