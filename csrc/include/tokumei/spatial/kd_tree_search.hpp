// Search in a record tree: of the unvisited records below a node, the nearest to a point.
//
// "Nearest" is the least (ring, squared distance, row), compared in this order. Rings are what a
// bound makes of the blocks: `NoRings` knows none (all are 0), `CellRings` of cell_grid.hpp counts
// them. For the box of a node a bound gives the least ring and squared distance that a record in it
// can have. A leaf lies in one block, so its ring is the ring of each of its records.
//
// Squared distances are summed by attributes (squared_distances.hpp); bounds may be too small by
// rounding, never too large. So the answer is the one that a look at every record would give, at
// every instruction set.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "tokumei/numeric/squared_distances.hpp"
#include "tokumei/runtime/instruction_sets.hpp"
#include "tokumei/simd/lanes.hpp"
#include "tokumei/simd/reductions.hpp"
#include "tokumei/spatial/kd_tree.hpp"
#include "tokumei/spatial/kd_tree_boxes.hpp"

namespace tokumei::spatial {

struct Nearness {
  std::int32_t ring = std::numeric_limits<std::int32_t>::max();
  double distance = std::numeric_limits<double>::infinity();

  TOKUMEI_HOT bool beyond(const Nearness& other) const {
    return ring > other.ring || (ring == other.ring && distance > other.distance);
  }
};

struct FoundRecord {
  Nearness nearness;
  std::size_t row = KdTree::none;
  KdTree::Place place;

  bool any() const { return row != KdTree::none; }
};

// A row of a tree of which no record was visited yet. O(n).
inline FoundRecord at_row(const KdTree& tree, std::size_t row) {
  return {{0, 0.0}, row, tree.place_of(row)};
}

struct NoRings {
  template <std::size_t bytes>
  TOKUMEI_HOT Nearness least(const double* box, std::size_t sides, const double* point) const {
    return {0, least_distance<bytes>(box, sides, point)};
  }
};

struct PendingNode {
  Nearness least;
  std::size_t node;
};

// Improves `best` by the unvisited records below a node. `pending` is room to work in.
template <class Bound>
struct NearestBelow {
  template <std::size_t bytes>
  struct Body {
    TOKUMEI_HOT static void run(const KdTree* tree, const Bound* bound, std::size_t below,
                                const double* point, FoundRecord* best,
                                std::vector<PendingNode>* pending) {
      const auto least = [&](std::size_t node) TOKUMEI_HOT_LAMBDA {
        return bound->template least<bytes>(tree->box(node), tree->sides(), point);
      };
      pending->clear();
      if (!tree->empty(below)) pending->push_back({least(below), below});
      while (!pending->empty()) {
        const PendingNode here = pending->back();
        pending->pop_back();
        if (here.least.beyond(best->nearness)) continue;
        const auto& node = tree->node(here.node);
        if (node.left == KdTree::none) {
          look_into(*tree, here, point, *best);
          continue;
        }
        PendingNode nearer{{}, node.left}, farther{{}, node.right};
        if (!tree->empty(node.left)) nearer.least = least(node.left);
        if (!tree->empty(node.right)) farther.least = least(node.right);
        if (nearer.least.beyond(farther.least)) std::swap(nearer, farther);
        if (!tree->empty(farther.node) && !farther.least.beyond(best->nearness))
          pending->push_back(farther);
        if (!tree->empty(nearer.node)) pending->push_back(nearer);
      }
    }

   private:
    TOKUMEI_HOT static void look_into(const KdTree& tree, const PendingNode& here,
                                      const double* point, FoundRecord& best) {
      using V = Lanes<double, bytes, lane_count>;
      const auto& leaf = tree.node(here.node);
      const double* records = tree.slots(leaf);
      double distances[KdTree::leaf_rows];
      auto least = broadcast<V>(std::numeric_limits<double>::infinity());
      const auto measure = [&]<class Some>(std::size_t slot) TOKUMEI_HOT_LAMBDA {
        const auto some = squared_distances_by_attributes<Some>(records + slot, leaf.stride, point,
                                                                tree.attributes());
        for (std::size_t i = 0; i < Some::count; i += V::count)
          least = smaller(lanes_from<V>(some, i), least);
        store(distances + slot, some);
      };
      // Several at a time: the sum of one waits for each of its terms.
      std::size_t slot = 0;
      for (; slot + 4 * lane_count <= leaf.slots; slot += 4 * lane_count)
        measure.template operator()<typename V::template Some<4 * lane_count>>(slot);
      for (; slot < leaf.slots; slot += lane_count) measure.template operator()<V>(slot);
      const Nearness nearness{here.least.ring, lowest(least)};
      if (nearness.beyond(best.nearness)) return;
      slot = 0;  // the first of the nearest, and so the lowest row
      unsigned found = 0;
      for (;; slot += lane_count)
        if ((found = bits_of(load<V>(distances + slot) == nearness.distance)) != 0) break;
      slot += static_cast<std::size_t>(std::countr_zero(found));
      const std::size_t row = tree.row(leaf, slot);
      if (best.nearness.beyond(nearness) || row < best.row)
        best = {nearness, row, {here.node, slot}};
    }
  };
};

// A search with its room to work in.
class KdTreeSearch {
 public:
  KdTreeSearch(const KdTree& tree, InstructionSet isa) : tree_(tree), isa_(isa) {}

  // `point`: as many numbers as boxes have sides, zeros after the attributes.
  template <class Bound>
  void below(std::size_t node, const Bound& bound, const std::vector<double>& point,
             FoundRecord& best) {
    dispatch_lanes<NearestBelow<Bound>::template Body>(isa_, &tree_, &bound, node, point.data(),
                                                       &best, &pending_);
  }

 private:
  const KdTree& tree_;
  InstructionSet isa_;
  std::vector<PendingNode> pending_;
};

}  // namespace tokumei::spatial
