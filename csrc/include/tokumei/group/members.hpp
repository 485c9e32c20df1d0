// The records of each group, one group after another: labels turned round.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "tokumei/runtime/views.hpp"

namespace tokumei::group {

// rows[starts[g]..starts[g + 1]) are the records of group g, in row order.
struct Members {
  std::vector<std::size_t> starts, rows;
  std::size_t groups() const { return starts.size() - 1; }
  std::size_t size(std::size_t group) const { return starts[group + 1] - starts[group]; }
};

inline Members members_of(Column<std::int64_t> labels, std::size_t groups) {
  Members members{std::vector<std::size_t>(groups + 1, 0), std::vector<std::size_t>(labels.size())};
  for (const auto label : labels) ++members.starts[static_cast<std::size_t>(label) + 1];
  for (std::size_t group = 0; group < groups; ++group)
    members.starts[group + 1] += members.starts[group];
  auto next = members.starts;
  for (std::size_t row = 0; row < labels.size(); ++row)
    members.rows[next[static_cast<std::size_t>(labels[row])]++] = row;
  return members;
}

}  // namespace tokumei::group
