// Groups of records that are published alike, their differing cells suppressed.
//
// They grow from the cheapest masks up: records that are alike outside a mask, k or more, are a
// group. Fewer may borrow records of groups that have more than k, if they are at least a share of
// k themselves (`patience`). What is left joins the group where that costs least. Then records
// whose group can spare them move to cheaper ones, until none can. O(masks x records) time.
#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "tokumei/lattice/cell_masks.hpp"

namespace tokumei::lattice {

struct CellGroup {
  Mask mask = 0;
  std::vector<std::size_t> records;
};

class CellGroups {
 public:
  CellGroups(const CellTable& table, const std::vector<Mask>& masks, std::size_t k,
             ProgressMonitor& monitor)
      : table_(table), masks_(masks), k_(k), monitor_(monitor) {}

  // The mask of each record.
  std::vector<Mask> operator()(double patience) {
    groups_.clear();
    left_.assign(table_.records(), 1);
    remaining_ = table_.records();
    for (const Mask mask : masks_) {
      if (remaining_ == 0) break;
      monitor_.tick(0.0);
      grow(mask, patience);
    }
    for (std::size_t i = 0; i < left_.size(); ++i)
      if (left_[i]) join(i);
    while (moves()) monitor_.tick(0.0);
    std::vector<Mask> mask_of(table_.records());
    for (const CellGroup& group : groups_)
      for (const std::size_t record : group.records) mask_of[record] = group.mask;
    return mask_of;
  }

 private:
  static constexpr std::size_t none = ~std::size_t{0};

  void grow(Mask mask, double patience) {
    std::vector<std::size_t> records, from;
    for (std::size_t i = 0; i < left_.size(); ++i)
      if (left_[i]) records.push_back(i);
    from.assign(records.size(), none);
    if (patience > 1.0)
      for (std::size_t g = 0; g < groups_.size(); ++g)
        if ((groups_[g].mask & ~mask) == 0)
          for (std::size_t i = k_; i < groups_[g].records.size(); ++i) {
            records.push_back(groups_[g].records[i]);
            from.push_back(g);
          }
    std::vector<std::size_t> number;
    const std::size_t kinds = table_.number(mask, records, numbers_, number);
    std::vector<std::size_t> own(kinds, 0), all(kinds, 0);
    for (std::size_t i = 0; i < records.size(); ++i) {
      ++all[number[i]];
      if (from[i] == none) ++own[number[i]];
    }
    std::vector<std::size_t> group_of(kinds, none);
    std::vector<std::size_t> wanted(kinds, 0);
    for (std::size_t i = 0; i < records.size(); ++i) {
      const std::size_t kind = number[i];
      const bool enough =
          own[kind] >= k_ || (own[kind] > 0 && all[kind] >= k_ &&
                              patience * static_cast<double>(own[kind]) >= static_cast<double>(k_));
      if (!enough) continue;
      if (group_of[kind] == none) {
        group_of[kind] = groups_.size();
        groups_.push_back({0, {}});
        wanted[kind] = own[kind] >= k_ ? 0 : k_ - own[kind];
      }
      CellGroup& group = groups_[group_of[kind]];
      if (from[i] == none) {
        left_[records[i]] = 0;
        --remaining_;
      } else if (wanted[kind] > 0) {
        --wanted[kind];
        std::erase(groups_[from[i]].records, records[i]);
      } else {
        continue;
      }
      group.records.push_back(records[i]);
    }
    for (const std::size_t g : group_of)
      if (g != none) tighten(groups_[g]);
  }

  // Only the columns in which members differ are suppressed.
  void tighten(CellGroup& group) const {
    group.mask = 0;
    for (const std::size_t record : group.records)
      group.mask |= table_.differing(group.records[0], record);
  }

  void join(std::size_t record) {
    std::size_t best = 0;
    double least = 0.0;
    for (std::size_t g = 0; g < groups_.size(); ++g) {
      const CellGroup& group = groups_[g];
      const Mask wider = group.mask | table_.differing(group.records[0], record);
      const auto size = static_cast<double>(group.records.size());
      const double cost = (size + 1) * table_.weight(wider) - size * table_.weight(group.mask);
      if (g == 0 || cost < least) {
        best = g;
        least = cost;
      }
    }
    groups_[best].records.push_back(record);
    tighten(groups_[best]);
    left_[record] = 0;
  }

  // Whether any record has moved to a group in which it needs less.
  bool moves() {
    bool any = false;
    for (std::size_t g = 0; g < groups_.size(); ++g)
      for (std::size_t i = groups_[g].records.size(); i-- > 0;) {
        if (groups_[g].mask == 0 || groups_[g].records.size() <= k_) break;
        const std::size_t record = groups_[g].records[i];
        const double weight = table_.weight(groups_[g].mask);
        for (CellGroup& other : groups_)
          if (table_.weight(other.mask) < weight &&
              (table_.differing(other.records[0], record) & ~other.mask) == 0) {
            other.records.push_back(record);
            std::erase(groups_[g].records, record);
            tighten(groups_[g]);
            any = true;
            break;
          }
      }
    return any;
  }

  const CellTable& table_;
  const std::vector<Mask>& masks_;
  std::size_t k_;
  ProgressMonitor& monitor_;
  std::vector<CellGroup> groups_;
  std::vector<std::uint8_t> left_;
  std::size_t remaining_ = 0;
  RowNumbers numbers_;
};

}  // namespace tokumei::lattice
