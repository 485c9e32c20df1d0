// The groups of a pool, by group and by record: who is in each, and in which each record is.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "tokumei/runtime/views.hpp"

namespace tokumei::bounds {

class PoolColumns {
 public:
  // One group a row, ended by -1 where it is shorter than the table is wide.
  PoolColumns(Table<std::int64_t> groups, std::size_t records)
      : begins_(1, 0), firsts_(records + 1, 0) {
    begins_.reserve(groups.rows() + 1);
    for (std::size_t group = 0; group < groups.rows(); ++group) {
      for (std::size_t j = 0; j < groups.columns() && groups(group, j) >= 0; ++j) {
        members_.push_back(static_cast<std::size_t>(groups(group, j)));
        ++firsts_[members_.back() + 1];
      }
      begins_.push_back(members_.size());
    }
    for (std::size_t row = 0; row < records; ++row) firsts_[row + 1] += firsts_[row];
    auto next = firsts_;
    groups_.resize(members_.size());
    for (std::size_t group = 0; group < groups.rows(); ++group)
      for (std::size_t i = begins_[group]; i < begins_[group + 1]; ++i)
        groups_[next[members_[i]]++] = group;
  }

  std::size_t groups() const { return begins_.size() - 1; }
  std::size_t records() const { return firsts_.size() - 1; }
  std::size_t size(std::size_t group) const { return begins_[group + 1] - begins_[group]; }

  // The sum of values over the members of a group, or over the groups of a record, in their order.
  double over_members(std::size_t group, const std::vector<double>& values) const {
    double sum = 0.0;
    for (std::size_t i = begins_[group]; i < begins_[group + 1]; ++i) sum += values[members_[i]];
    return sum;
  }
  double over_groups(std::size_t row, const std::vector<double>& values) const {
    double sum = 0.0;
    for (std::size_t i = firsts_[row]; i < firsts_[row + 1]; ++i) sum += values[groups_[i]];
    return sum;
  }

  template <class Work>
  void each_member(std::size_t group, Work&& work) const {
    for (std::size_t i = begins_[group]; i < begins_[group + 1]; ++i) work(members_[i]);
  }
  template <class Work>
  void each_group(std::size_t row, Work&& work) const {
    for (std::size_t i = firsts_[row]; i < firsts_[row + 1]; ++i) work(groups_[i]);
  }

 private:
  std::vector<std::size_t> begins_, members_;  // of groups
  std::vector<std::size_t> firsts_, groups_;   // of records
};

}  // namespace tokumei::bounds
