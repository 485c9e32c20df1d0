// Segments of an order as groups.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "tokumei/runtime/monitored_blocks.hpp"
#include "tokumei/runtime/progress_monitor.hpp"
#include "tokumei/runtime/thread_team.hpp"
#include "tokumei/runtime/views.hpp"

namespace tokumei::cut {

// The nodes of a shortest path from 0 to n: previous[j - 1] is the node before j, at least k away.
inline std::vector<std::size_t> nodes_of_path(Column<std::int64_t> previous, std::size_t k) {
  std::vector<std::size_t> nodes;
  nodes.reserve(previous.size() / k + 1);
  nodes.push_back(previous.size());
  while (nodes.back() != 0) nodes.push_back(static_cast<std::size_t>(previous[nodes.back() - 1]));
  std::reverse(nodes.begin(), nodes.end());
  return nodes;
}

// The canonical labels of the groups order[nodes[g]..nodes[g+1]-1], which are numbered by their
// lowest rows. O(n). Throws Interrupted.
template <class Row>
void label_segments(const Row* order, const std::vector<std::size_t>& nodes,
                    OutColumn<std::int64_t> labels, ThreadTeam& team, ProgressMonitor& monitor) {
  constexpr std::size_t block = 65536, batch = 4;
  constexpr std::size_t word_bits = 64;
  const std::size_t groups = nodes.size() - 1;
  std::vector<std::size_t> lowest(groups);
  std::vector<std::uint64_t> is_lowest(labels.size() / word_bits + 1);
  const std::size_t together = std::max<std::size_t>(1, block / (labels.size() / groups));
  for (std::size_t group = 0; group < groups; ++group) {
    if (group % together == 0) monitor.tick(1.0);
    const auto row =
        static_cast<std::size_t>(*std::min_element(order + nodes[group], order + nodes[group + 1]));
    lowest[group] = row;
    is_lowest[row / word_bits] |= std::uint64_t{1} << row % word_bits;
  }
  std::vector<std::size_t> lower_words(is_lowest.size());
  std::size_t count = 0;
  for (std::size_t word = 0; word < is_lowest.size(); ++word) {
    lower_words[word] = count;
    count += static_cast<std::size_t>(std::popcount(is_lowest[word]));
  }
  const auto label_group = [&](std::size_t group) {
    const std::size_t row = lowest[group], word = row / word_bits;
    const std::uint64_t lower = is_lowest[word] & ((std::uint64_t{1} << row % word_bits) - 1);
    const auto label = static_cast<std::int64_t>(lower_words[word] +
                                                 static_cast<std::size_t>(std::popcount(lower)));
    for (std::size_t place = nodes[group]; place < nodes[group + 1]; ++place)
      labels[static_cast<std::size_t>(order[place])] = label;
  };
  const auto label_block = [&](std::size_t b) {
    const std::size_t end = std::min(groups, (b + 1) * together);
    for (std::size_t group = b * together; group < end; ++group) label_group(group);
  };
  each_watched_block(team, monitor, (groups + together - 1) / together, batch, label_block, 1.0);
}

}  // namespace tokumei::cut
