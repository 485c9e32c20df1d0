// What is asked of every group beside its size: different values, or values distributed as in the
// whole table.
//
// A column is given by its distinct pairs of a row and a value's code, with how many records each
// has. Distances are those of t-closeness (Li, Li & Venkatasubramanian 2007): half the differences
// of shares, or the area between two distribution functions over the codes, 1 at most. O(pairs) a
// grouping, and O(codes) a group for the area.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "tokumei/runtime/views.hpp"

namespace tokumei::lattice {

enum class DemandKind : std::int64_t { distinct = 0, equal_distance = 1, ordered_distance = 2 };

struct Demand {
  DemandKind kind;
  double limit;                              // least number of values, or largest distance
  Column<double> shares;                     // of the codes in the whole table
  Column<std::int64_t> rows, codes, counts;  // the pairs
};

// Two groups that fulfil a demand may fulfil it together; only with distinct values and sizes does
// a group that fails consist of groups that fail.
inline bool fails_downwards(const Demand& demand) { return demand.kind == DemandKind::distinct; }

class DemandCheck {
 public:
  // Takes away `fine` of groups that do not fulfil the demand; `group` is that of each row.
  void operator()(const Demand& demand, const std::vector<std::size_t>& group,
                  std::vector<std::uint8_t>& fine) {
    by_group(demand, group, fine.size());
    for (std::size_t g = 0; g < fine.size(); ++g)
      if (fine[g] && !holds(demand, g)) fine[g] = 0;
  }

 private:
  struct Part {
    std::size_t code;
    std::int64_t count;
  };
  static constexpr double rounding = 1e-12;  // of shares, as tokumei.privacy has it

  // Sorts pairs by group, then joins those of one code.
  void by_group(const Demand& demand, const std::vector<std::size_t>& group, std::size_t groups) {
    begin_.assign(groups + 1, 0);
    for (const std::int64_t row : demand.rows) ++begin_[group[static_cast<std::size_t>(row)] + 1];
    for (std::size_t g = 0; g < groups; ++g) begin_[g + 1] += begin_[g];
    parts_.resize(demand.rows.size());
    end_ = begin_;
    for (std::size_t i = 0; i < demand.rows.size(); ++i) {
      const std::size_t g = group[static_cast<std::size_t>(demand.rows[i])];
      parts_[end_[g]++] = {static_cast<std::size_t>(demand.codes[i]), demand.counts[i]};
    }
    place_.assign(demand.shares.size(), 0);
    seen_.assign(demand.shares.size(), groups);
    for (std::size_t g = 0; g < groups; ++g) {
      std::size_t kept = begin_[g];
      for (std::size_t i = begin_[g]; i < begin_[g + 1]; ++i) {
        const Part part = parts_[i];
        if (seen_[part.code] == g) {
          parts_[place_[part.code]].count += part.count;
        } else {
          seen_[part.code] = g;
          place_[part.code] = kept;
          parts_[kept++] = part;
        }
      }
      end_[g] = kept;
    }
  }

  bool holds(const Demand& demand, std::size_t g) {
    if (demand.kind == DemandKind::distinct)
      return static_cast<double>(end_[g] - begin_[g]) >= demand.limit;
    double size = 0.0;
    for (std::size_t i = begin_[g]; i < end_[g]; ++i) size += static_cast<double>(parts_[i].count);
    const double far =
        demand.kind == DemandKind::equal_distance ? apart(demand, g, size) : area(demand, g, size);
    return far <= demand.limit + rounding;
  }

  double apart(const Demand& demand, std::size_t g, double size) const {
    double sum = 1.0;
    for (std::size_t i = begin_[g]; i < end_[g]; ++i) {
      const double whole = demand.shares[parts_[i].code];
      sum += std::abs(static_cast<double>(parts_[i].count) / size - whole) - whole;
    }
    return sum / 2.0;
  }

  double area(const Demand& demand, std::size_t g, double size) {
    const std::size_t codes = demand.shares.size();
    if (codes < 2) return 0.0;
    dense_.assign(codes, 0.0);
    for (std::size_t i = begin_[g]; i < end_[g]; ++i)
      dense_[parts_[i].code] = static_cast<double>(parts_[i].count) / size;
    double ahead = 0.0, sum = 0.0;
    for (std::size_t code = 0; code < codes; ++code) {
      ahead += dense_[code] - demand.shares[code];
      sum += std::abs(ahead);
    }
    return sum / static_cast<double>(codes - 1);
  }

  std::vector<std::size_t> begin_, end_, place_, seen_;
  std::vector<Part> parts_;
  std::vector<double> dense_;
};

}  // namespace tokumei::lattice
