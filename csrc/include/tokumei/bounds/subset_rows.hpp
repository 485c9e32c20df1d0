// Subset rows: of the groups that hold most of an odd set of records a partition has at most one.
//
// Two groups that each hold q of the same 2q - 1 records have a record in common. So the linear
// program over all groups may also ask of any odd set that the shares of the groups that hold most
// of it add up to 1 or less; fractions of groups often break that where partitions cannot. The
// price of such a row, 0 or more, is a toll that each of these groups pays beside its cost, and the
// bound pays it once.
//
// After M. Jepsen, B. Petersen, S. Spoorendonk, D. Pisinger, "Subset-row inequalities applied to
// the vehicle-routing problem with time windows", Operations Research 56, 2008 (q = 2; any q is a
// Chvatal-Gomory inequality of rank 1 with the multiplier 1/q).
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "tokumei/bounds/pool_columns.hpp"
#include "tokumei/runtime/views.hpp"

namespace tokumei::bounds {

class SubsetRows {
 public:
  // One set a row of `sets`, ended by -1 where it is shorter than the table is wide; each of an odd
  // number of different records, with a price of 0 or more.
  SubsetRows(Table<std::int64_t> sets, Column<double> prices, std::size_t records)
      : members_(sets, records), prices_(prices.begin(), prices.end()) {}

  std::size_t size() const { return prices_.size(); }
  double price(std::size_t set) const { return prices_[set]; }
  std::size_t records(std::size_t set) const { return members_.size(set); }
  // So many records are most of the set.
  std::size_t most(std::size_t set) const { return records(set) / 2 + 1; }

  template <class Work>
  void each_with(std::size_t row, Work&& work) const {
    members_.each_group(row, work);
  }

  // More than the rounding errors of the tolls of two groups of `size` records, added in any order.
  double margin(std::size_t size) const {
    double heaviest = 0.0;
    std::size_t many = 0;
    for (std::size_t row = 0; row < members_.records(); ++row) {
      double sum = 0.0;
      std::size_t count = 0;
      each_with(row, [&](std::size_t set) {
        sum += prices_[set];
        ++count;
      });
      heaviest = std::max(heaviest, sum);
      many = std::max(many, count);
    }
    const double terms = static_cast<double>(size * (many + size));
    return 2 * terms * static_cast<double>(size) * heaviest *
           std::numeric_limits<double>::epsilon();
  }

 private:
  PoolColumns members_;
  std::vector<double> prices_;
};

// The toll of a group to which one record after another is added. Borrows the rows.
class Toll {
 public:
  explicit Toll(const SubsetRows& rows) : rows_(rows), held_(rows.size(), 0) {}

  // By how much the toll rises if a row is added.
  double rise(std::size_t row) const {
    double sum = 0.0;
    rows_.each_with(row, [&](std::size_t set) {
      if (held_[set] + 1 == rows_.most(set)) sum += rows_.price(set);
    });
    return sum;
  }

  // The part of a row in that, if `wanted` rows more are added, whichever: the parts of all those
  // added are together no more than what the toll rises by.
  double part(std::size_t row, std::size_t wanted) const {
    double sum = 0.0;
    rows_.each_with(row, [&](std::size_t set) {
      if (held_[set] + 1 != rows_.most(set)) return;
      const std::size_t others = std::min(wanted, rows_.records(set) - held_[set]);
      sum += rows_.price(set) / static_cast<double>(others);
    });
    return sum;
  }

  void add(std::size_t row) {
    rows_.each_with(row, [&](std::size_t set) { ++held_[set]; });
  }
  void take(std::size_t row) {
    rows_.each_with(row, [&](std::size_t set) { --held_[set]; });
  }
  bool none() const { return held_.empty(); }

 private:
  const SubsetRows& rows_;
  std::vector<std::size_t> held_;  // records of each set that the group has
};

}  // namespace tokumei::bounds
