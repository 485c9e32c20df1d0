// FlexDice blocks written out, to be looked at and plotted.
//
// Two steps, because only the blocks themselves tell how many there are: count, then list. Each
// builds them anew. Cost and rules: flexdice.hpp. Throws Interrupted.
#pragma once

#include <cstddef>
#include <cstdint>

#include "tokumei/order/block_graph.hpp"
#include "tokumei/order/flexdice.hpp"
#include "tokumei/runtime/run.hpp"
#include "tokumei/runtime/views.hpp"

namespace tokumei::order {

struct BlockCounts {
  std::size_t blocks = 0;
  std::size_t links = 0;
};

inline BlockCounts count_blocks(Table<double> x, const FlexDiceRule& rule, Run run) {
  const auto graph = flexdice(x, rule, run);
  BlockCounts counts{graph.blocks.size(), 0};
  for (const std::size_t above : graph.above) counts.links += above != BlockGraph::none;
  return counts;
}

// The block of each record, two corners a block, and each link by its block below, its block above
// and its axis, ordered by the block below, then by the axis.
inline void list_blocks(Table<double> x, const FlexDiceRule& rule, OutColumn<std::int64_t> block_of,
                        OutTable<double> lower, OutTable<double> upper,
                        OutTable<std::int64_t> links, Run run) {
  const auto graph = flexdice(x, rule, run);
  const std::size_t d = graph.attributes;
  std::size_t link = 0;
  for (std::size_t b = 0; b < graph.blocks.size(); ++b) {
    for (std::size_t i = graph.blocks.borders[b]; i < graph.blocks.borders[b + 1]; ++i)
      block_of[graph.blocks.rows[i]] = static_cast<std::int64_t>(b);
    for (std::size_t j = 0; j < d; ++j) {
      lower.column(j)[b] = graph.lower[b * d + j];
      upper.column(j)[b] = graph.upper[b * d + j];
      const std::size_t above = graph.above[b * d + j];
      if (above == BlockGraph::none) continue;
      links.column(0)[link] = static_cast<std::int64_t>(b);
      links.column(1)[link] = static_cast<std::int64_t>(above);
      links.column(2)[link] = static_cast<std::int64_t>(j);
      ++link;
    }
  }
}

}  // namespace tokumei::order
