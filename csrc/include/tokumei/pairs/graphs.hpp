// Lengths of shortest paths from one node of a graph to all others (Dijkstra 1959).
//
// O(edges log nodes). The length of a path is summed from its start. Needs positive weights; a node
// that cannot be reached is at infinity.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <queue>
#include <utility>
#include <vector>

#include "tokumei/runtime/views.hpp"

namespace tokumei::pairs {

// The edges that leave node v are edges starts[v] .. starts[v + 1] - 1, to targets[e], of length
// weights[e].
struct Graph {
  Column<std::int64_t> starts, targets;
  Column<double> weights;
};

inline void shortest_paths(const Graph& graph, std::size_t source, OutColumn<double> out) {
  using Reached = std::pair<double, std::size_t>;
  std::priority_queue<Reached, std::vector<Reached>, std::greater<>> waiting;
  for (std::size_t v = 0; v < out.size(); ++v) out[v] = std::numeric_limits<double>::infinity();
  out[source] = 0.0;
  waiting.push({0.0, source});
  while (!waiting.empty()) {
    const auto [length, v] = waiting.top();
    waiting.pop();
    if (length > out[v]) continue;
    for (auto e = graph.starts[v]; e < graph.starts[v + 1]; ++e) {
      const auto edge = static_cast<std::size_t>(e);
      const auto to = static_cast<std::size_t>(graph.targets[edge]);
      const double through = length + graph.weights[edge];
      if (through < out[to]) {
        out[to] = through;
        waiting.push({through, to});
      }
    }
  }
}

}  // namespace tokumei::pairs
