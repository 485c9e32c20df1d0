// Sums of squares as costs of groups (see group_cost.hpp): of records that all weigh 1, and of
// records with weights.
#pragma once

#include <cstddef>
#include <vector>

#include "tokumei/refine/group_cost.hpp"
#include "tokumei/simd/eight.hpp"

namespace tokumei::refine {

// Squared distances to the mean.
struct Squares {
  static constexpr std::size_t lines = 1;
  static constexpr bool weighted = false, tiled = true;

  TOKUMEI_HOT static double refresh(const StateGroup& group, double* centre, double* mass,
                                    std::vector<double>&) {
    *mass = static_cast<double>(group.size);
    const double share = 1.0 / *mass;
    Eight squares = {};
    for (std::size_t j = 0; j < group.width; j += lane_count) {
      const double* at = group.values + j;
      Eight sum = load(at + group.members[0] * group.width);
      for (std::size_t m = 1; m < group.size; ++m)
        sum = sum + load(at + group.members[m] * group.width);
      const Eight mean = sum * share;
      store(centre + j, mean);
      for (std::size_t m = 0; m < group.size; ++m) {
        const Eight difference = load(at + group.members[m] * group.width) - mean;
        squares = squares + difference * difference;
      }
    }
    return total(squares);
  }

  TOKUMEI_HOT static double joining(Weighed x, const GroupStatistics& group) {
    return group.mass / (group.mass + 1) * squared_distance(x.values, group.lines, group.width);
  }

  TOKUMEI_HOT static double leaving(Weighed x, const GroupStatistics& group) {
    return -group.mass / (group.mass - 1) * squared_distance(x.values, group.lines, group.width);
  }

  TOKUMEI_HOT static double replacing(Weighed x, Weighed y, const GroupStatistics& group) {
    const double share = 1.0 / group.mass;
    Eight sum = {};
    for (std::size_t j = 0; j < group.width; j += lane_count) {
      const Eight step = load(y.values + j) - load(x.values + j);
      const Eight twice = load(x.values + j) - load(group.lines + j);
      sum = sum + step * (step + twice * 2.0 - step * share);
    }
    return total(sum);
  }

  TOKUMEI_HOT static double apart(const double* x, const double* y, std::size_t width) {
    return squared_distance(x, y, width);
  }
};

// Squared distances to the weighted mean, weighted.
struct WeightedSquares {
  static constexpr std::size_t lines = 1;
  static constexpr bool weighted = true, tiled = false;

  TOKUMEI_HOT static double refresh(const StateGroup& group, double* centre, double* mass,
                                    std::vector<double>&) {
    double sum_of_weights = 0;
    for (std::size_t m = 0; m < group.size; ++m) sum_of_weights += group.weights[group.members[m]];
    *mass = sum_of_weights;
    Eight squares = {};
    for (std::size_t j = 0; j < group.width; j += lane_count) {
      const double* at = group.values + j;
      Eight sum = {};
      for (std::size_t m = 0; m < group.size; ++m) {
        const std::size_t row = group.members[m];
        sum = sum + load(at + row * group.width) * group.weights[row];
      }
      const Eight mean = sum * (1.0 / sum_of_weights);
      store(centre + j, mean);
      for (std::size_t m = 0; m < group.size; ++m) {
        const std::size_t row = group.members[m];
        const Eight difference = load(at + row * group.width) - mean;
        squares = squares + difference * difference * group.weights[row];
      }
    }
    return total(squares);
  }

  TOKUMEI_HOT static double joining(Weighed x, const GroupStatistics& group) {
    return group.mass * (x.weight / (group.mass + x.weight)) *
           squared_distance(x.values, group.lines, group.width);
  }

  TOKUMEI_HOT static double leaving(Weighed x, const GroupStatistics& group) {
    return -group.mass * (x.weight / (group.mass - x.weight)) *
           squared_distance(x.values, group.lines, group.width);
  }

  // Around the old centre the members' weighted sum is zero; what the new mean saves is the square
  // of their new sum over the new mass.
  TOKUMEI_HOT static double replacing(Weighed x, Weighed y, const GroupStatistics& group) {
    const double share = 1.0 / (group.mass - x.weight + y.weight);
    Eight sum = {};
    for (std::size_t j = 0; j < group.width; j += lane_count) {
      const Eight centre = load(group.lines + j);
      const Eight out = load(x.values + j) - centre, in = load(y.values + j) - centre;
      const Eight pull = in * y.weight - out * x.weight;
      sum = sum + (in * in * y.weight - out * out * x.weight - pull * pull * share);
    }
    return total(sum);
  }

  TOKUMEI_HOT static double apart(const double* x, const double* y, std::size_t width) {
    return squared_distance(x, y, width);
  }
};

}  // namespace tokumei::refine
