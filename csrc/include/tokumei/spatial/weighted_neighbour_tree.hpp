// The records that are nearest to one of them after discounts: least |x - y|^2 - discount of y.
//
// Records stand in a kd_order.hpp; sixteen are a leaf, and every sixteen nodes a node above,
// with the box and the largest discount of what is below. A box's nearest point less its largest
// discount is never above the value of a record inside, also as computed (rounding is monotone), so
// the values found are exactly those of comparing all. Of equal values any may be found, the same
// one each time. Building takes O(n log n + n d), a search O(d log n) where discounts are alike
// among neighbours, and O(n d) at worst. Memory: the data once, and a fifth of it for boxes.
#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>
#include <numeric>
#include <vector>

#include "tokumei/numeric/aligned_vector.hpp"
#include "tokumei/numeric/squared_distances.hpp"
#include "tokumei/runtime/instruction_sets.hpp"
#include "tokumei/runtime/progress_monitor.hpp"
#include "tokumei/runtime/thread_team.hpp"
#include "tokumei/runtime/views.hpp"
#include "tokumei/simd/lanes.hpp"
#include "tokumei/spatial/box_bounds.hpp"
#include "tokumei/spatial/kd_order.hpp"

namespace tokumei::spatial {

// A record, by its place in the order, and its value.
struct WeightedNeighbour {
  double value;
  std::size_t place;
};

// What is taken off the distances to each record, by place, and the most of it below each node.
struct Discounts {
  std::vector<double> of_places;
  std::vector<std::vector<double>> most;
};

class WeightedNeighbourTree {
 public:
  WeightedNeighbourTree(Table<double> x, ThreadTeam& team, ProgressMonitor& monitor)
      : rows_(x.rows()), attributes_(x.columns()) {
    std::iota(rows_.begin(), rows_.end(), std::size_t{0});
    kd_order(x, rows_, team, monitor);
    const std::size_t leaves = (rows_.size() + sixteen - 1) / sixteen;
    values_.assign(leaves * sixteen * attributes_, 0.0);
    for (std::size_t j = 0; j < x.columns(); ++j)
      for (std::size_t place = 0; place < rows_.size(); ++place)
        values_[at(place / sixteen, j) + place % sixteen] = x(rows_[place], j);
    std::size_t nodes = leaves;
    for (std::size_t height = 0; height == 0 || nodes > 1; ++height) {
      const std::size_t groups = (nodes + sixteen - 1) / sixteen;
      boxes_.emplace_back(groups * sixteen * 2 * attributes_, 0.0);
      for (std::size_t node = 0; node < nodes; ++node) fit_bounds(height, node);
      nodes = groups;
    }
  }

  std::size_t size() const { return rows_.size(); }
  std::size_t row(std::size_t place) const { return rows_[place]; }

  // values[place]: finite. The room of `out` is used again.
  void discount(const std::vector<double>& values, Discounts& out) const {
    out.most.resize(boxes_.size());
    out.of_places.assign(nodes_at(0) * sixteen, -infinite);
    std::copy(values.begin(), values.end(), out.of_places.begin());
    for (std::size_t height = 0; height < boxes_.size(); ++height) {
      const auto& below = height == 0 ? out.of_places : out.most[height - 1];
      auto& most = out.most[height];
      most.assign(boxes_[height].size() / (2 * attributes_), -infinite);
      for (std::size_t node = 0; node * sixteen < below.size(); ++node)
        most[node] = *std::max_element(below.data() + node * sixteen,
                                       below.data() + std::min((node + 1) * sixteen, below.size()));
    }
  }

  // The `count` other records of least value, ascending; there must be as many.
  void find(std::size_t place, const Discounts& discounts, std::size_t count,
            WeightedNeighbour* found, InstructionSet isa) const {
    const auto nearest = [=](double value, std::size_t other) {
      std::size_t to = count - 1;
      for (; to > 0 && value < found[to - 1].value; --to) found[to] = found[to - 1];
      found[to] = {value, other};
      return found[count - 1].value;
    };
    for (std::size_t i = 0; i < count; ++i) found[i] = {infinite, place};
    dispatch_lanes<Search>(isa, this, place, &discounts, infinite, &nearest);
  }

  // Appends all other records whose value is below a limit, in an order of their places that is the
  // same each time.
  void find_below(std::size_t place, const Discounts& discounts, double limit,
                  std::vector<WeightedNeighbour>& found, InstructionSet isa) const {
    const auto all = [&found, limit](double value, std::size_t other) {
      found.push_back({value, other});
      return limit;
    };
    dispatch_lanes<Search>(isa, this, place, &discounts, limit, &all);
  }

 private:
  static constexpr double infinite = std::numeric_limits<double>::infinity();
  // Sixteen to the sixteenth is more records than there can be.
  static constexpr std::size_t most_height = 16;

  struct Step {
    double bound;
    std::size_t height, group;
  };

  std::size_t at(std::size_t leaf, std::size_t j) const {
    return (leaf * attributes_ + j) * sixteen;
  }

  void fit_bounds(std::size_t height, std::size_t node) {
    double* box = &boxes_[height][node / sixteen * sixteen * 2 * attributes_ + node % sixteen];
    for (std::size_t j = 0; j < attributes_; ++j) {
      double low = infinite, high = -infinite;
      if (height == 0) {
        const std::size_t count = std::min(sixteen, rows_.size() - node * sixteen);
        for (std::size_t i = 0; i < count; ++i) {
          low = std::min(low, values_[at(node, j) + i]);
          high = std::max(high, values_[at(node, j) + i]);
        }
      } else {
        const double* below = &boxes_[height - 1][(node * attributes_ + j) * 2 * sixteen];
        const std::size_t nodes = nodes_at(height - 1);
        const std::size_t count = std::min(sixteen, nodes - node * sixteen);
        low = *std::min_element(below, below + count);
        high = *std::max_element(below + sixteen, below + sixteen + count);
      }
      box[j * 2 * sixteen] = low;
      box[(j * 2 + 1) * sixteen] = high;
    }
  }

  std::size_t nodes_at(std::size_t height) const {
    std::size_t nodes = rows_.size();
    for (std::size_t h = 0; h <= height; ++h) nodes = (nodes + sixteen - 1) / sixteen;
    return nodes;
  }

  template <std::size_t bytes>
  struct Search {
    template <class Take>
    TOKUMEI_HOT static void run(const WeightedNeighbourTree* tree, std::size_t place,
                                const Discounts* discounts, double limit, const Take* take) {
      tree->search<bytes>(place, *discounts, limit, *take);
    }
  };

  // Members of sixteen, from the least bound on, that are below a limit.
  TOKUMEI_HOT static std::size_t ordered(const double* bounds, double limit, std::size_t* members) {
    std::size_t count = 0;
    for (std::size_t i = 0; i < sixteen; ++i) {
      if (!(bounds[i] < limit)) continue;
      std::size_t to = count++;
      for (; to > 0 && bounds[i] < bounds[members[to - 1]]; --to) members[to] = members[to - 1];
      members[to] = i;
    }
    return count;
  }

  // Hands what is below the limit to `take`, which says the limit from there on.
  template <std::size_t bytes, class Take>
  TOKUMEI_HOT void search(std::size_t place, const Discounts& discounts, double limit,
                          const Take& take) const {
    constexpr std::size_t widest = 64;
    double room[widest];
    std::vector<double> more(attributes_ > widest ? attributes_ : 0);
    double* point = attributes_ > widest ? more.data() : room;
    for (std::size_t j = 0; j < attributes_; ++j)
      point[j] = values_[at(place / sixteen, j) + place % sixteen];
    Step steps[(most_height + 1) * sixteen];
    std::size_t open = 0;
    steps[open++] = {-infinite, boxes_.size() - 1, 0};
    while (open > 0) {
      const Step step = steps[--open];
      if (!(step.bound < limit)) continue;
      using Bounds = Sixteen<double, bytes>;
      double bounds[sixteen];
      std::size_t members[sixteen];
      const double* boxes = &boxes_[step.height][step.group * sixteen * 2 * attributes_];
      store(bounds, nearest_distances<Bounds>(boxes, point, attributes_) -
                        load<Bounds>(&discounts.most[step.height][step.group * sixteen]));
      const std::size_t near = ordered(bounds, limit, members);
      if (step.height > 0) {
        for (std::size_t i = near; i-- > 0;)
          steps[open++] = {bounds[members[i]], step.height - 1, step.group * sixteen + members[i]};
        continue;
      }
      for (std::size_t i = 0; i < near && bounds[members[i]] < limit; ++i)
        limit =
            scan<bytes>(step.group * sixteen + members[i], place, point, discounts, limit, take);
    }
  }

  template <std::size_t bytes, class Take>
  TOKUMEI_HOT double scan(std::size_t leaf, std::size_t place, const double* point,
                          const Discounts& discounts, double limit, const Take& take) const {
    using Values = Sixteen<double, bytes>;
    double values[sixteen];
    const auto distances =
        squared_distances_by_attributes<Values>(&values_[at(leaf, 0)], sixteen, point, attributes_);
    store(values, distances - load<Values>(&discounts.of_places[leaf * sixteen]));
    for (std::size_t i = 0; i < sixteen; ++i)
      if (values[i] < limit && leaf * sixteen + i != place)
        limit = take(values[i], leaf * sixteen + i);
    return limit;
  }

  std::vector<std::size_t> rows_;
  std::size_t attributes_;
  AlignedVector<double> values_;              // of leaves
  std::vector<AlignedVector<double>> boxes_;  // of nodes, by height
};

}  // namespace tokumei::spatial
