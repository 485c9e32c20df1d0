// What the cost changes where a record changes places with each member of another group, eight
// members at once: the sums of `Squares::replacing`, to the last bit.
//
// There a lane is an attribute, and eight lanes are added at the end; here a lane is a member, and
// its eight sums are added in the same order (simd/reductions.hpp). O(d) a member, without adding
// across lanes.
#pragma once

#include <algorithm>
#include <cstddef>

#include "tokumei/refine/group_cost.hpp"
#include "tokumei/simd/lanes.hpp"

namespace tokumei::refine {

template <std::size_t bytes>
struct MemberSwaps {
  using V = Lanes<double, bytes, lane_count>;

  // x is of group a; the chunk (member_tiles.hpp) of group b.
  TOKUMEI_HOT static V of_chunk(const double* x, const double* chunk, std::size_t columns,
                                const GroupStatistics& a, const GroupStatistics& b) {
    const double a_share = 1.0 / a.mass, b_share = 1.0 / b.mass;
    V in_a[lane_count] = {}, in_b[lane_count] = {};
    for (std::size_t first = 0; first < columns; first += lane_count) {
      const std::size_t some = std::min(lane_count, columns - first);
      TOKUMEI_UNROLL for (std::size_t lane = 0; lane < lane_count; ++lane) {
        if (lane >= some) break;
        const std::size_t j = first + lane;
        const V y = load<V>(chunk + j * lane_count);
        const V to_y = y - x[j], to_x = x[j] - y;
        const double from_a = (x[j] - a.statistics[j]) * 2.0;
        const V from_b = (y - b.statistics[j]) * 2.0;
        in_a[lane] = in_a[lane] + to_y * (to_y + from_a - to_y * a_share);
        in_b[lane] = in_b[lane] + to_x * (to_x + from_b - to_x * b_share);
      }
    }
    return in_order(in_a) + in_order(in_b);
  }

 private:
  TOKUMEI_HOT static V in_order(const V (&sum)[lane_count]) {
    return ((sum[0] + sum[4]) + (sum[2] + sum[6])) + ((sum[1] + sum[5]) + (sum[3] + sum[7]));
  }
};

}  // namespace tokumei::refine
