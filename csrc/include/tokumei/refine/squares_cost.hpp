// Sums of squares as costs of groups (see group_cost.hpp): of records that all weigh 1, and of
// records with weights.
#pragma once

#include <cstddef>
#include <vector>

#include "tokumei/numeric/squared_distances.hpp"
#include "tokumei/refine/codes_of_groups.hpp"
#include "tokumei/refine/group_cost.hpp"
#include "tokumei/simd/lanes.hpp"
#include "tokumei/simd/reductions.hpp"

namespace tokumei::refine {

// Squared distances to the mean.
struct Squares {
  static constexpr std::size_t rows = 1;
  static constexpr bool weighted = false, tiled = true;
  using Codes = NoCodes;

  template <std::size_t bytes = narrowest>
  TOKUMEI_HOT static double refresh(const StateGroup& group, double* centre, double* mass,
                                    std::vector<double>&) {
    using V = Lanes<double, bytes, lane_count>;
    *mass = static_cast<double>(group.size);
    const double share = 1.0 / *mass;
    V squares{};
    for (std::size_t j = 0; j < group.width; j += lane_count) {
      const double* at = group.values + j;
      V sum = load<V>(at + group.members[0] * group.width);
      for (std::size_t m = 1; m < group.size; ++m)
        sum = sum + load<V>(at + group.members[m] * group.width);
      const V mean = sum * share;
      store(centre + j, mean);
      for (std::size_t m = 0; m < group.size; ++m) {
        const V difference = load<V>(at + group.members[m] * group.width) - mean;
        squares = squares + difference * difference;
      }
    }
    return total(squares);
  }

  template <std::size_t bytes = narrowest>
  TOKUMEI_HOT static double joining(Weighed x, const GroupStatistics& group) {
    return group.mass / (group.mass + 1) *
           squared_distance_by_lanes<bytes>(x.values, group.statistics, group.width);
  }

  template <std::size_t bytes = narrowest>
  TOKUMEI_HOT static double leaving(Weighed x, const GroupStatistics& group) {
    return -group.mass / (group.mass - 1) *
           squared_distance_by_lanes<bytes>(x.values, group.statistics, group.width);
  }

  template <std::size_t bytes = narrowest>
  TOKUMEI_HOT static double replacing(Weighed x, Weighed y, const GroupStatistics& group) {
    using V = Lanes<double, bytes, lane_count>;
    const double share = 1.0 / group.mass;
    V sum{};
    for (std::size_t j = 0; j < group.width; j += lane_count) {
      const V step = load<V>(y.values + j) - load<V>(x.values + j);
      const V twice = load<V>(x.values + j) - load<V>(group.statistics + j);
      sum = sum + step * (step + twice * 2.0 - step * share);
    }
    return total(sum);
  }

  template <std::size_t bytes = narrowest>
  TOKUMEI_HOT static double apart(const double* x, const double* y, std::size_t width) {
    return squared_distance_by_lanes<bytes>(x, y, width);
  }
};

// The same where records have codes as well (codes_of_groups.hpp).
struct SquaresOfCodes : Squares {
  using Codes = SquaresOfCategories;
};

// Squared distances to the weighted mean, weighted.
struct WeightedSquares {
  static constexpr std::size_t rows = 1;
  static constexpr bool weighted = true, tiled = false;
  using Codes = NoCodes;

  template <std::size_t bytes = narrowest>
  TOKUMEI_HOT static double refresh(const StateGroup& group, double* centre, double* mass,
                                    std::vector<double>&) {
    using V = Lanes<double, bytes, lane_count>;
    double sum_of_weights = 0;
    for (std::size_t m = 0; m < group.size; ++m) sum_of_weights += group.weights[group.members[m]];
    *mass = sum_of_weights;
    V squares{};
    for (std::size_t j = 0; j < group.width; j += lane_count) {
      const double* at = group.values + j;
      V sum{};
      for (std::size_t m = 0; m < group.size; ++m) {
        const std::size_t row = group.members[m];
        sum = sum + load<V>(at + row * group.width) * group.weights[row];
      }
      const V mean = sum * (1.0 / sum_of_weights);
      store(centre + j, mean);
      for (std::size_t m = 0; m < group.size; ++m) {
        const std::size_t row = group.members[m];
        const V difference = load<V>(at + row * group.width) - mean;
        squares = squares + difference * difference * group.weights[row];
      }
    }
    return total(squares);
  }

  template <std::size_t bytes = narrowest>
  TOKUMEI_HOT static double joining(Weighed x, const GroupStatistics& group) {
    return group.mass * (x.weight / (group.mass + x.weight)) *
           squared_distance_by_lanes<bytes>(x.values, group.statistics, group.width);
  }

  template <std::size_t bytes = narrowest>
  TOKUMEI_HOT static double leaving(Weighed x, const GroupStatistics& group) {
    return -group.mass * (x.weight / (group.mass - x.weight)) *
           squared_distance_by_lanes<bytes>(x.values, group.statistics, group.width);
  }

  // Around the old centre the members' weighted sum is zero; what the new mean saves is the square
  // of their new sum over the new mass.
  template <std::size_t bytes = narrowest>
  TOKUMEI_HOT static double replacing(Weighed x, Weighed y, const GroupStatistics& group) {
    using V = Lanes<double, bytes, lane_count>;
    const double share = 1.0 / (group.mass - x.weight + y.weight);
    V sum{};
    for (std::size_t j = 0; j < group.width; j += lane_count) {
      const V centre = load<V>(group.statistics + j);
      const V out = load<V>(x.values + j) - centre, in = load<V>(y.values + j) - centre;
      const V pull = in * y.weight - out * x.weight;
      sum = sum + (in * in * y.weight - out * out * x.weight - pull * pull * share);
    }
    return total(sum);
  }

  template <std::size_t bytes = narrowest>
  TOKUMEI_HOT static double apart(const double* x, const double* y, std::size_t width) {
    return squared_distance_by_lanes<bytes>(x, y, width);
  }
};

struct WeightedSquaresOfCodes : WeightedSquares {
  using Codes = TalliedCategories<TalliedSquares>;
};

}  // namespace tokumei::refine
