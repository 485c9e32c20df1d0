// Absolute deviations from the median, attribute by attribute, as the cost of a group (see
// group_cost.hpp).
//
// The statistics are the median (between the two middle values of an even number), the greatest
// value not above and the least not below it that may become the median when one record leaves. Who
// leaves takes with it the distance to the farther of the two middle values; who joins brings the
// distance to the nearer one, and nothing between the two.
#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>
#include <vector>

#include "tokumei/refine/codes_of_groups.hpp"
#include "tokumei/refine/group_cost.hpp"
#include "tokumei/runtime/instruction_sets.hpp"
#include "tokumei/simd/lanes.hpp"

namespace tokumei::refine {

struct AbsoluteDeviations {
  static constexpr std::size_t rows = 3;
  static constexpr bool weighted = false, tiled = false;
  using Codes = NoCodes;

  template <std::size_t = narrowest>
  TOKUMEI_HOT static double refresh(const StateGroup& group, double* statistics, double* mass,
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

  template <std::size_t = narrowest>
  TOKUMEI_HOT static double joining(Weighed x, const GroupStatistics& group) {
    double sum = 0;
    for (std::size_t j = 0; j < group.width; ++j) {
      const Middle now = middle(group, j);
      sum += now.to(x.values[j]);
    }
    return sum;
  }

  template <std::size_t = narrowest>
  TOKUMEI_HOT static double leaving(Weighed x, const GroupStatistics& group) {
    double sum = 0;
    for (std::size_t j = 0; j < group.width; ++j) sum -= middle(group, j).past(x.values[j]);
    return sum;
  }

  template <std::size_t = narrowest>
  TOKUMEI_HOT static double replacing(Weighed x, Weighed y, const GroupStatistics& group) {
    double sum = 0;
    for (std::size_t j = 0; j < group.width; ++j) {
      const double gone = x.values[j], come = y.values[j];
      const Middle now = middle(group, j);
      sum += without(group, j, gone).to(come) - now.past(gone);
    }
    return sum;
  }

  template <std::size_t = narrowest>
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

  TOKUMEI_HOT static bool odd(const GroupStatistics& group) {
    return static_cast<std::size_t>(group.mass) % 2 == 1;
  }

  TOKUMEI_HOT static Middle middle(const GroupStatistics& group, std::size_t j) {
    const double median = group.statistics[j];
    if (odd(group)) return {median, median};
    return {group.statistics[group.width + j], group.statistics[2 * group.width + j]};
  }

  // The medians once a member of value `gone` has left.
  TOKUMEI_HOT static Middle without(const GroupStatistics& group, std::size_t j, double gone) {
    const double median = group.statistics[j];
    const double below = group.statistics[group.width + j],
                 above = group.statistics[2 * group.width + j];
    if (!odd(group)) return gone <= below ? Middle{above, above} : Middle{below, below};
    if (gone < median) return {median, above};
    if (gone > median) return {below, median};
    return {below, above};
  }
};

// The same where records have codes as well (codes_of_groups.hpp).
struct AbsoluteDeviationsOfCodes : AbsoluteDeviations {
  using Codes = TalliedCategories<TalliedDeviations>;
};

}  // namespace tokumei::refine
