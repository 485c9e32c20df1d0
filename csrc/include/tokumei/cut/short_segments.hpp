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
#include "tokumei/simd/lanes.hpp"

namespace tokumei::cut {

template <std::size_t bytes>
struct ShortSegments {
  using V = Lanes<double, bytes, lane_count>;

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

 private:
  // Writes the costs over `count` attributes, or adds them.
  template <std::size_t count, bool first>
  TOKUMEI_HOT static void attribute_block(const double* const* columns, std::size_t e,
                                          std::size_t k, const double* share, double* out,
                                          std::size_t stride) {
    const double* x[count];
    V last[count], sum[count], squares{};
    TOKUMEI_UNROLL for (std::size_t j = 0; j < count; ++j) {
      x[j] = columns[j] + e + 2 * k - 2;
      last[j] = load<V>(x[j]);
      sum[j] = V{};
    }
    for (std::size_t back = 1; back + 1 < k; ++back)
      squares = squares + grow<count>(x, last, sum, 1);
    for (std::size_t length = k; length < 2 * k; ++length) {
      squares = squares + grow<count>(x, last, sum, length > 1 ? 1 : 0);
      const V here = squares - of_sums<count>(sum) * share[length];
      double* cost = out + (length - k) * stride + e;
      store(cost, first ? here : load<V>(cost) + here);
    }
  }

  // Takes the record `step` before into the sums; returns its squared distance to the last record.
  template <std::size_t count>
  TOKUMEI_HOT static V grow(const double* (&x)[count], const V (&last)[count], V (&sum)[count],
                            std::ptrdiff_t step) {
    V squared[count];
    TOKUMEI_UNROLL for (std::size_t j = 0; j < count; ++j) {
      x[j] -= step;
      const V y = load<V>(x[j]) - last[j];
      sum[j] = sum[j] + y;
      squared[j] = y * y;
    }
    return in_pairs(squared);
  }

  template <std::size_t count>
  TOKUMEI_HOT static V of_sums(const V (&sum)[count]) {
    V squared[count];
    TOKUMEI_UNROLL for (std::size_t j = 0; j < count; ++j) squared[j] = sum[j] * sum[j];
    return in_pairs(squared);
  }

  // Added in pairs, so that no long chain of additions waits for itself.
  template <std::size_t count>
  TOKUMEI_HOT static V in_pairs(const V (&x)[count]) {
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
    dispatch_lanes<ShortSegments>(isa_, records_.from(first), records_.attributes(), k_,
                                  padded(ends), static_cast<const double*>(share_.data()), out,
                                  stride);
  }

 private:
  Records& records_;
  std::size_t k_;
  InstructionSet isa_;
  std::vector<double> share_;
};

}  // namespace tokumei::cut
