// Negative columns as a search meets them: the best of them, and what all of them ask for.
#pragma once

#include <algorithm>
#include <cstddef>
#include <map>
#include <utility>
#include <vector>

#include "tokumei/rooms.hpp"

namespace tokumei::bounds {

// A group that costs less than its records' dual values, and by how much; rows ascending.
struct NegativeColumn {
  double gain = 0.0;
  std::vector<std::size_t> rows;
};

// What the dual value of a row must fall by: at least so much, or so much on top of all that.
struct DualCorrection {
  std::size_t row;
  double amount;
  bool on_top;
};

class ColumnPool {
 public:
  explicit ColumnPool(std::size_t kept) : kept_(kept) {}

  // Every record of a column of negative reduced cost is to bear its part of the gain.
  void enter(NegativeColumn negative_column) {
    const double part = negative_column.gain / static_cast<double>(negative_column.rows.size());
    for (const std::size_t row : negative_column.rows) {
      double& most = corrections_[row];
      most = std::max(most, part);
    }
    if (best_.size() == kept_) {
      if (kept_ == 0 || !(negative_column.gain > best_.back().gain)) return;
      best_.pop_back();
    }
    std::sort(negative_column.rows.begin(), negative_column.rows.end());
    const auto gains_more = [](const NegativeColumn& a, const NegativeColumn& b) {
      return a.gain > b.gain;
    };
    best_.insert(std::upper_bound(best_.begin(), best_.end(), negative_column, gains_more),
                 std::move(negative_column));
  }

  // Hands out what was entered since the last time.
  void close(std::vector<NegativeColumn>& found, std::vector<DualCorrection>& corrections) {
    for (const auto& [row, amount] : corrections_) corrections.push_back({row, amount, false});
    corrections_.clear();
    found.insert(found.end(), best_.begin(), best_.end());
    best_.clear();
  }

 private:
  std::size_t kept_;
  std::vector<NegativeColumn> best_;
  std::map<std::size_t, double> corrections_;  // by row
};

}  // namespace tokumei::bounds
