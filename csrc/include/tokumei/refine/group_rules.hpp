// What every group must show besides its k records.
//
// distinct: at least so many different values of a variable (l-diversity of a sensitive one, a
//           least number of households).
// close:    the group's distribution of a variable within a distance of the whole table's: half the
//           sum of absolute differences, or, where the values have an order, the earth mover's
//           distance with neighbours 1/(values-1) apart (Li, Li & Venkatasubramanian 2007).
//
// Asking costs O(size log size) a rule, whatever the number of values, and O(size) where these are
// few. Rules are made once and read by all threads; each brings its own room.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "tokumei/runtime/views.hpp"

namespace tokumei::refine {

class GroupRules {
 public:
  struct Room {
    std::vector<std::int64_t> codes;
    std::vector<std::size_t> counts;
  };

  // codes: 0..values-1, the value of each record.
  void ask_distinct(Column<std::int64_t> codes, std::size_t least) {
    distinct_.push_back({codes, least});
  }

  void ask_close(Column<std::int64_t> codes, std::size_t values, bool ordered, double most) {
    Close rule{codes, ordered, most, std::vector<double>(values, 0.0), {0.0}, {0.0}};
    std::vector<std::size_t> counts(values, 0);
    for (const auto code : codes) ++counts[static_cast<std::size_t>(code)];
    double below = 0, sum = 0;
    std::size_t records = 0;
    for (std::size_t value = 0; value < values; ++value) {
      rule.shares[value] = static_cast<double>(counts[value]) / static_cast<double>(codes.size());
      records += counts[value];
      below = static_cast<double>(records) / static_cast<double>(codes.size());
      sum += below;
      rule.below.push_back(below);
      rule.sums.push_back(sum);
    }
    close_.push_back(rule);
  }

  bool empty() const { return distinct_.empty() && close_.empty(); }

  // Whether these records of the table may be a group.
  bool hold(const std::size_t* rows, std::size_t count, Room& room) const {
    return excess(rows, count, room) == 0;
  }

  // Whether no rule tells two records apart.
  bool alike(std::size_t row, std::size_t other) const {
    const auto same = [&](const auto& rule) { return rule.codes[row] == rule.codes[other]; };
    return std::all_of(distinct_.begin(), distinct_.end(), same) &&
           std::all_of(close_.begin(), close_.end(), same);
  }

  // By how much they break the rules: values that are missing, and distance beyond the bound.
  double excess(const std::size_t* rows, std::size_t count, Room& room) const {
    double sum = 0;
    for (const auto& rule : distinct_) {
      const auto& codes = sorted(rule.codes, rows, count, room);
      std::size_t different = 1;
      for (std::size_t i = 1; i < count; ++i) different += codes[i] != codes[i - 1];
      if (different < rule.least) sum += static_cast<double>(rule.least - different);
    }
    for (const auto& rule : close_) {
      double apart;
      if (rule.ordered)
        apart = earth_moved(rule, sorted(rule.codes, rows, count, room));
      else if (rule.shares.size() <= few_values)
        apart = half_difference_counted(rule, rows, count, room);
      else
        apart = half_difference(rule, sorted(rule.codes, rows, count, room));
      if (apart > rule.most + grain) sum += apart - rule.most;
    }
    return sum;
  }

 private:
  // A distance this much above the bound is rounding.
  static constexpr double grain = 1e-12;
  // So few are counted faster than a group is sorted.
  static constexpr std::size_t few_values = 32;

  struct Distinct {
    Column<std::int64_t> codes;
    std::size_t least;
  };

  struct Close {
    Column<std::int64_t> codes;
    bool ordered;
    double most;
    std::vector<double> shares;  // of each value in the table
    std::vector<double> below;   // below[v]: share of the values less than v
    std::vector<double> sums;    // sums[v]: below[1] + .. + below[v]
  };

  static const std::vector<std::int64_t>&
  sorted(Column<std::int64_t> codes, const std::size_t* rows, std::size_t count, Room& room) {
    room.codes.resize(count);
    for (std::size_t i = 0; i < count; ++i) room.codes[i] = codes[rows[i]];
    std::sort(room.codes.begin(), room.codes.end());
    return room.codes;
  }

  // Values that the group has too seldom are as many as it has too often.
  static double half_difference(const Close& rule, const std::vector<std::int64_t>& codes) {
    double excess = 0;
    for (std::size_t i = 0, run = 1; i < codes.size(); i += run) {
      for (run = 1; i + run < codes.size() && codes[i + run] == codes[i]; ++run) {}
      const double share = static_cast<double>(run) / static_cast<double>(codes.size());
      excess += std::max(0.0, share - rule.shares[static_cast<std::size_t>(codes[i])]);
    }
    return excess;
  }

  // The same, bit for bit, of values that are counted one by one.
  static double half_difference_counted(const Close& rule, const std::size_t* rows,
                                        std::size_t count, Room& room) {
    room.counts.assign(rule.shares.size(), 0);
    for (std::size_t i = 0; i < count; ++i)
      ++room.counts[static_cast<std::size_t>(rule.codes[rows[i]])];
    double excess = 0;
    for (std::size_t value = 0; value < room.counts.size(); ++value) {
      if (room.counts[value] == 0) continue;
      const double share = static_cast<double>(room.counts[value]) / static_cast<double>(count);
      excess += std::max(0.0, share - rule.shares[value]);
    }
    return excess;
  }

  // Sum of |share of the group up to v - share of the table up to v| over all v but the last, over
  // their number. Between two values of the group the first is constant and the second rises: it
  // crosses it at most once, and sums of it are known.
  static double earth_moved(const Close& rule, const std::vector<std::int64_t>& codes) {
    const std::size_t values = rule.shares.size();
    if (values < 2) return 0;
    double moved = 0;
    std::size_t from = 1;
    for (std::size_t i = 0; i <= codes.size(); ++i) {
      const std::size_t to = i < codes.size() ? static_cast<std::size_t>(codes[i]) + 1 : values;
      if (to <= from) continue;
      const double share = static_cast<double>(i) / static_cast<double>(codes.size());
      const auto begin = rule.below.begin() + static_cast<std::ptrdiff_t>(from);
      const auto end = rule.below.begin() + static_cast<std::ptrdiff_t>(to);
      const auto cross =
          from + static_cast<std::size_t>(std::lower_bound(begin, end, share) - begin);
      moved +=
          share * static_cast<double>(cross - from) - (rule.sums[cross - 1] - rule.sums[from - 1]);
      moved += (rule.sums[to - 1] - rule.sums[cross - 1]) - share * static_cast<double>(to - cross);
      from = to;
    }
    return moved / static_cast<double>(values - 1);
  }

  std::vector<Distinct> distinct_;
  std::vector<Close> close_;
};

}  // namespace tokumei::refine
