// Groups that are too large for a search, split by MDAV: the sum of squares never rises by it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "tokumei/group/local_records.hpp"
#include "tokumei/group/mdav.hpp"
#include "tokumei/group/members.hpp"
#include "tokumei/runtime/records.hpp"
#include "tokumei/runtime/run.hpp"

namespace tokumei::group {

// Splits groups of more than `most` records, which is at least 2k-1, into groups of at least k;
// returns the new number of groups. Throws Interrupted.
inline std::size_t split_groups(const Records& x, OutColumn<std::int64_t> labels,
                                std::size_t groups, std::size_t k, std::size_t most,
                                const Run& run) {
  const auto members = members_of(labels, groups);
  std::size_t next = groups;
  for (std::size_t group = 0; group < groups; ++group) {
    const std::size_t size = members.size(group);
    if (size <= most) continue;
    const std::size_t* rows = &members.rows[members.starts[group]];
    const LocalRecords some(x, rows, size);
    std::vector<std::int64_t> parts(size);
    mdav(some.view(), k, {parts.data(), size}, run);
    const auto last = *std::max_element(parts.begin(), parts.end());
    for (std::size_t i = 0; i < size; ++i)
      if (parts[i] > 0) labels[rows[i]] = static_cast<std::int64_t>(next) + parts[i] - 1;
    next += static_cast<std::size_t>(last);
  }
  return next;
}

}  // namespace tokumei::group
