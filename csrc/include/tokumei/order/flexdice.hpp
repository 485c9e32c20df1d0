// FlexDice blocks: boxes of different sizes and their neighbours, a graph instead of a tree.
//
// (Nakamura, Kamidoi, Wakabayashi & Yoshida 2005, as Suzaki et al. use it; NOTES section 2.) All
// records start in one block, the smallest box around them. Layer after layer the open blocks are
// halved across `axes` sides, the longest that blocks of this layer have (of equal ones those of
// the lowest axes). Halves without records are not made, and the halved block is dropped.
//
// - A block of more than c1 records is open.
// - A lighter one founds a family: itself and all that comes of it. The whole family is open as
//   long as the next layer would make it c2 blocks or fewer; then it stays as it is.
// - A block of identical records is never open. It counts in its family.
//
// Neighbours are linked in every layer (block_links.hpp), at most one on each side of each axis.
//
// Blocks are numbered in the order of their lowest rows. A layer costs O(n axes + B d), and a block
// whose records stay together only O(d). Memory: 4 d numbers a block. Throws Interrupted.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "tokumei/order/block_graph.hpp"
#include "tokumei/order/block_links.hpp"
#include "tokumei/order/halving.hpp"
#include "tokumei/runtime/monitored_blocks.hpp"
#include "tokumei/runtime/progress_monitor.hpp"
#include "tokumei/runtime/run.hpp"
#include "tokumei/runtime/thread_team.hpp"
#include "tokumei/runtime/views.hpp"

namespace tokumei::order {

struct FlexDiceRule {
  std::size_t c1 = 1;    // at least 1
  std::size_t c2 = 0;    // 0: light blocks are never halved
  std::size_t axes = 1;  // from 1 to 64
};

class FlexDiceLayers {
 public:
  FlexDiceLayers(Table<double> x, const FlexDiceRule& rule, Run& run)
      : x_(x), rule_(rule), run_(run), team_(run.n_threads), rows_(x.rows()), sides_(x.columns()),
        links_(x.columns()) {
    std::iota(rows_.begin(), rows_.end(), std::size_t{0});
    const std::size_t all = add(0, x.rows());
    const auto ranges = value_ranges(x, rows_);
    for (std::size_t j = 0; j < x.columns(); ++j) {
      lower_[j] = ranges[j].least;
      upper_[j] = ranges[j].most;
      sides_[j] = upper_[j] - lower_[j];
    }
    admit(all, none);
  }

  // Halves the open blocks. False where there was nothing to halve.
  bool halve_layer() {
    choose_axes();
    if (open_.empty() || axes_.empty()) return false;
    std::vector<std::vector<BlockChild>> children(open_.size());
    ProgressMonitor silent;  // for blocks that helping threads may take
    ProgressMonitor& monitor = open_.size() < 2 ? run_.monitor : silent;
    each_watched_block(team_, run_.monitor, open_.size(), 256,
                       [&](std::size_t i) { children[i] = halve(open_[i], monitor); });
    close_full_families(children);
    for (std::size_t i = 0; i < open_.size(); ++i) make(open_[i], children[i]);
    for (const std::size_t parent : open_)
      for (std::size_t j = 0; j < x_.columns(); ++j)
        links_.hand_down(parent, j, upper_half(j), heirs_);
    for (const std::size_t parent : std::exchange(open_, {})) {
      for (const auto& heir : std::exchange(heirs_[parent], {}))
        admit(heir.block, blocks_[parent].family);
      blocks_[parent] = {};
      free_.push_back(parent);
    }
    return true;
  }

  BlockGraph graph() const {
    std::vector<std::size_t> alive, number(blocks_.size());
    for (std::size_t b = 0; b < blocks_.size(); ++b)
      if (blocks_[b].size > 0) alive.push_back(b);
    std::sort(alive.begin(), alive.end(), [&](std::size_t a, std::size_t b) {
      return rows_[blocks_[a].begin] < rows_[blocks_[b].begin];
    });
    for (std::size_t i = 0; i < alive.size(); ++i) number[alive[i]] = i;
    const auto numbered = [&](std::size_t b) { return b == none ? none : number[b]; };
    BlockGraph graph;
    graph.attributes = x_.columns();
    graph.blocks.borders.push_back(0);
    for (const std::size_t b : alive) {
      for (std::size_t i = 0; i < blocks_[b].size; ++i)
        graph.blocks.rows.push_back(rows_[blocks_[b].begin + i]);
      graph.blocks.borders.push_back(graph.blocks.rows.size());
      for (std::size_t j = 0; j < x_.columns(); ++j) {
        graph.lower.push_back(lower_[side(b, j)]);
        graph.upper.push_back(upper_[side(b, j)]);
        graph.below.push_back(numbered(links_.below(b, j)));
        graph.above.push_back(numbered(links_.above(b, j)));
      }
    }
    return graph;
  }

 private:
  static constexpr std::size_t none = BlockGraph::none;

  struct Block {
    std::size_t begin = 0, size = 0;  // in rows_, rows ascending
    std::size_t family = none;
    std::vector<ValueRange> ranges{};  // where known
  };

  std::size_t side(std::size_t block, std::size_t j) const { return block * x_.columns() + j; }
  std::span<std::size_t> rows_of(const Block& block) {
    return std::span(rows_).subspan(block.begin, block.size);
  }

  // A block without box and neighbours.
  std::size_t add(std::size_t begin, std::size_t size) {
    if (free_.empty()) {
      free_.push_back(blocks_.size());
      blocks_.emplace_back();
      for (auto* corner : {&lower_, &upper_}) corner->resize(side(blocks_.size(), 0));
      links_.resize(blocks_.size());
      heirs_.emplace_back();
    }
    const std::size_t number = free_.back();
    free_.pop_back();
    blocks_[number].begin = begin;
    blocks_[number].size = size;
    links_.cut(number);
    return number;
  }

  // Opens a new block where the rules say so.
  void admit(std::size_t number, std::size_t family) {
    Block& block = blocks_[number];
    const bool light = block.size <= rule_.c1;
    if (light && rule_.c2 == 0) return;
    if (light && family == none) {
      family = settled_.size();
      settled_.push_back(0);
    }
    block.family = family;
    if (!identical(x_, rows_of(block)))
      open_.push_back(number);
    else if (light)
      ++settled_[family];
  }

  // The axes of this layer, and the sides that it leaves.
  void choose_axes() {
    axes_.resize(x_.columns());
    std::iota(axes_.begin(), axes_.end(), std::size_t{0});
    std::stable_sort(axes_.begin(), axes_.end(),
                     [&](std::size_t a, std::size_t b) { return sides_[a] > sides_[b]; });
    axes_.resize(std::min(rule_.axes, axes_.size()));
    std::erase_if(axes_, [&](std::size_t j) { return sides_[j] == 0.0; });
    std::sort(axes_.begin(), axes_.end());
    for (const std::size_t j : axes_) sides_[j] /= 2;
  }

  std::vector<AxisMiddle> middles_of(std::size_t block) const {
    std::vector<AxisMiddle> middles;
    for (const std::size_t j : axes_)
      middles.push_back({j, middle_of(lower_[side(block, j)], upper_[side(block, j)])});
    return middles;
  }

  std::vector<BlockChild> halve(std::size_t number, ProgressMonitor& monitor) {
    Block& block = blocks_[number];
    if (!block.ranges.empty()) {
      auto children = halve_ranges(block.ranges, block.size, middles_of(number));
      if (!children.empty()) return children;
    }
    auto children = halve_rows(x_, rows_of(block), middles_of(number), monitor);
    if (children.size() == 1) block.ranges = value_ranges(x_, rows_of(block));
    return children;
  }

  // Takes the families that this layer would make too large out of the open blocks.
  void close_full_families(std::vector<std::vector<BlockChild>>& children) {
    auto would_be = settled_;
    for (std::size_t i = 0; i < open_.size(); ++i)
      if (const auto family = blocks_[open_[i]].family; family != none)
        would_be[family] += children[i].size();
    std::size_t kept = 0;
    for (std::size_t i = 0; i < open_.size(); ++i) {
      const Block& block = blocks_[open_[i]];
      if (block.family != none && would_be[block.family] > rule_.c2) {
        std::ranges::sort(rows_of(block));
        continue;
      }
      std::swap(open_[kept], open_[i]);
      std::swap(children[kept++], children[i]);
    }
    open_.resize(kept);
  }

  void make(std::size_t parent, const std::vector<BlockChild>& children) {
    const auto halves = middles_of(parent);
    for (const auto& child : children) {
      const std::size_t block = add(blocks_[parent].begin + child.begin, child.end - child.begin);
      std::copy_n(&lower_[side(parent, 0)], x_.columns(), &lower_[side(block, 0)]);
      std::copy_n(&upper_[side(parent, 0)], x_.columns(), &upper_[side(block, 0)]);
      for (std::size_t t = 0; t < halves.size(); ++t)
        ((child.code >> t & 1) != 0 ? lower_ : upper_)[side(block, halves[t].axis)] =
            halves[t].value;
      if (children.size() == 1) blocks_[block].ranges = std::move(blocks_[parent].ranges);
      heirs_[parent].push_back({child.code, block, blocks_[block].size});
    }
  }

  // The bit of an axis in the codes of this layer's children; 0 where it was not halved.
  std::uint64_t upper_half(std::size_t j) const {
    const auto place = std::ranges::lower_bound(axes_, j);
    const bool halved = place != axes_.end() && *place == j;
    return halved ? std::uint64_t{1} << (place - axes_.begin()) : 0;
  }

  Table<double> x_;
  FlexDiceRule rule_;
  Run& run_;
  ThreadTeam team_;
  std::vector<std::size_t> rows_;
  std::vector<double> sides_, lower_, upper_;
  std::vector<std::size_t> axes_;  // of this layer, ascending
  std::vector<Block> blocks_;
  std::vector<std::size_t> free_, open_;  // numbers of dropped blocks and of those to be halved
  std::vector<std::size_t> settled_;      // by family: blocks of identical records
  BlockLinks links_;
  std::vector<Heirs> heirs_;  // by block
};

inline BlockGraph flexdice(Table<double> x, const FlexDiceRule& rule, Run& run) {
  FlexDiceLayers layers(x, rule, run);
  while (layers.halve_layer()) {}
  return layers.graph();
}

}  // namespace tokumei::order
