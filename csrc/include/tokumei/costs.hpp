// What a group costs, and what moves and swaps change of it: the search asks for nothing else.
//
// A cost keeps `lines` rows of statistics a group, the first of them the group's centre, and its
// mass. From these alone, without looking at the members, it tells what joining, leaving and
// swapping change, each in O(d); `refresh` makes the statistics anew from the members. To plug in
// another cost is to write another such struct:
//
//   lines, weighted, tiled                  rows of statistics; whether records have weights;
//                                           whether best_change.hpp has a kernel for it
//   refresh(members)     -> cost            and writes statistics and mass
//   joining(x, group)    -> change          of a group that x is not in
//   leaving(x, group)    -> change          of a group of two or more that x is in
//   replacing(x, y, group) -> change        of a group that x leaves and y joins
//   apart(x, y)                             how far, in the cost's own unit: sets the temperature
//
// Rows are filled up with zeros to whole lanes, and zeros cost nothing.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "tokumei/eight.hpp"

namespace tokumei {

// Local index of a record or of a group. A block is small; tables are not, and use size_t.
using BoardIndex = std::uint32_t;

// The records of a group, by index.
struct BoardGroup {
  const double* values;   // of all records, row after row
  const double* weights;  // of all records; null where all weigh 1
  std::size_t width;
  const BoardIndex* members;
  std::size_t size;
};

// Statistics of a group.
struct GroupLines {
  const double* lines;
  double mass;
  std::size_t width;
};

// A record and its weight.
struct Weighed {
  const double* values;
  double weight;
};

// Squared distances to the mean.
struct Squares {
  static constexpr std::size_t lines = 1;
  static constexpr bool weighted = false, tiled = true;

  TOKUMEI_HOT static double refresh(const BoardGroup& group, double* centre, double* mass,
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

  TOKUMEI_HOT static double joining(Weighed x, const GroupLines& group) {
    return group.mass / (group.mass + 1) * squared_distance(x.values, group.lines, group.width);
  }

  TOKUMEI_HOT static double leaving(Weighed x, const GroupLines& group) {
    return -group.mass / (group.mass - 1) * squared_distance(x.values, group.lines, group.width);
  }

  TOKUMEI_HOT static double replacing(Weighed x, Weighed y, const GroupLines& group) {
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

  TOKUMEI_HOT static double refresh(const BoardGroup& group, double* centre, double* mass,
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

  TOKUMEI_HOT static double joining(Weighed x, const GroupLines& group) {
    return group.mass * (x.weight / (group.mass + x.weight)) *
           squared_distance(x.values, group.lines, group.width);
  }

  TOKUMEI_HOT static double leaving(Weighed x, const GroupLines& group) {
    return -group.mass * (x.weight / (group.mass - x.weight)) *
           squared_distance(x.values, group.lines, group.width);
  }

  // Around the old centre the members' weighted sum is zero; what the new mean saves is the square
  // of their new sum over the new mass.
  TOKUMEI_HOT static double replacing(Weighed x, Weighed y, const GroupLines& group) {
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

// Absolute deviations from the median, attribute by attribute.
//
// The lines are the median (between the two middle values of an even number), the greatest value
// not above and the least not below it that may become the median when one record leaves. Who
// leaves takes with it the distance to the farther of the two middle values; who joins brings the
// distance to the nearer one, and nothing between the two.
struct AbsoluteDeviations {
  static constexpr std::size_t lines = 3;
  static constexpr bool weighted = false, tiled = false;

  TOKUMEI_HOT static double refresh(const BoardGroup& group, double* statistics, double* mass,
                                    std::vector<double>& sorted) {
    const std::size_t size = group.size, half = size / 2;
    constexpr double infinite = std::numeric_limits<double>::infinity();
    *mass = static_cast<double>(size);
    double cost = 0;
    sorted.resize(size);
    for (std::size_t j = 0; j < group.width; ++j) {
      for (std::size_t m = 0; m < size; ++m)
        sorted[m] = group.values[group.members[m] * group.width + j];
      std::sort(sorted.begin(), sorted.end());
      const bool odd = size % 2 == 1;
      const double below = half > 0 ? sorted[half - 1] : -infinite;
      const double above = !odd ? sorted[half] : size > 1 ? sorted[half + 1] : infinite;
      const double median = odd ? sorted[half] : below + (above - below) / 2;
      statistics[j] = median;
      statistics[group.width + j] = below;
      statistics[2 * group.width + j] = above;
      for (std::size_t m = 0; m < half; ++m) cost += sorted[size - 1 - m] - sorted[m];
    }
    return cost;
  }

  TOKUMEI_HOT static double joining(Weighed x, const GroupLines& group) {
    double sum = 0;
    for (std::size_t j = 0; j < group.width; ++j) {
      const Middle now = middle(group, j);
      sum += now.to(x.values[j]);
    }
    return sum;
  }

  TOKUMEI_HOT static double leaving(Weighed x, const GroupLines& group) {
    double sum = 0;
    for (std::size_t j = 0; j < group.width; ++j) sum -= middle(group, j).past(x.values[j]);
    return sum;
  }

  TOKUMEI_HOT static double replacing(Weighed x, Weighed y, const GroupLines& group) {
    double sum = 0;
    for (std::size_t j = 0; j < group.width; ++j) {
      const double gone = x.values[j], come = y.values[j];
      const Middle now = middle(group, j);
      sum += without(group, j, gone).to(come) - now.past(gone);
    }
    return sum;
  }

  TOKUMEI_HOT static double apart(const double* x, const double* y, std::size_t width) {
    double sum = 0;
    for (std::size_t j = 0; j < width; ++j) sum += x[j] > y[j] ? x[j] - y[j] : y[j] - x[j];
    return sum;
  }

 private:
  // All values that are medians: from `low` to `high`.
  struct Middle {
    double low, high;
    double to(double x) const { return x < low ? low - x : x > high ? x - high : 0.0; }
    double past(double x) const { return std::max(high - x, x - low); }
  };

  TOKUMEI_HOT static bool odd(const GroupLines& group) {
    return static_cast<std::size_t>(group.mass) % 2 == 1;
  }

  TOKUMEI_HOT static Middle middle(const GroupLines& group, std::size_t j) {
    const double median = group.lines[j];
    if (odd(group)) return {median, median};
    return {group.lines[group.width + j], group.lines[2 * group.width + j]};
  }

  // The medians once a member of value `gone` has left.
  TOKUMEI_HOT static Middle without(const GroupLines& group, std::size_t j, double gone) {
    const double median = group.lines[j];
    const double below = group.lines[group.width + j], above = group.lines[2 * group.width + j];
    if (!odd(group)) return gone <= below ? Middle{above, above} : Middle{below, below};
    if (gone < median) return {median, above};
    if (gone > median) return {below, median};
    return {below, above};
  }
};

}  // namespace tokumei
