// Who may be in a group of negative reduced cost with a record: asked of a tree, not of all.
//
// In a group of m records a pair weighs w = |x - y|^2 / m - (dual of x + dual of y) / (m - 1), and
// all pairs together are its reduced cost. Beside a root, a record adds its pair with the root and
// half of its pairs with m - 2 others, at least those of least weight. So the tree holds records
// with discounts, twice for each size: m / (m - 1) times their dual value finds the pairs of least
// weight; that less m times half the sum of those finds who may be beside a root.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "tokumei/runtime/instruction_sets.hpp"
#include "tokumei/runtime/monitored_blocks.hpp"
#include "tokumei/runtime/run.hpp"
#include "tokumei/runtime/thread_team.hpp"
#include "tokumei/runtime/views.hpp"
#include "tokumei/spatial/weighted_neighbour_tree.hpp"

namespace tokumei::bounds {

class PricingIndex {
 public:
  // For groups of k to 2k - 1 records, two at least. Borrows nothing beyond the call.
  PricingIndex(Table<double> x, Column<double> duals, std::size_t k, ThreadTeam& team, Run& run)
      : tree_(x, team, run.monitor), duals_(duals.begin(), duals.end()), places_(x.rows()),
        sizes_(2 * k) {
    for (std::size_t place = 0; place < x.rows(); ++place) places_[tree_.row(place)] = place;
    for (std::size_t m = std::max<std::size_t>(k, 2); m <= std::min(2 * k - 1, x.rows()); ++m)
      measure(m, team, run);
  }

  struct Candidates {
    double least = 0.0;  // what m - 1 records beside the root weigh at least
    double last = 0.0;   // the part of the heaviest of those
    std::vector<WeightedNeighbour> nearest, found;
    std::vector<std::size_t> rows;  // ascending, once `gather` has found them
  };

  // The least that a group of m with the root weighs.
  void bound(std::size_t root, std::size_t m, Candidates& out, InstructionSet isa) const {
    const double size = static_cast<double>(m), own = duals_[root] / (size - 1);
    out.nearest.resize(m - 1);
    tree_.find(places_[root], sizes_[m].of_roots, m - 1, out.nearest.data(), isa);
    out.least = 0.0;
    for (const WeightedNeighbour& one : out.nearest) out.least += one.value / size - own;
    out.last = out.nearest.back().value / size - own;
  }

  // All records whose part is below a limit.
  void gather(std::size_t root, std::size_t m, double limit, Candidates& out,
              InstructionSet isa) const {
    const double size = static_cast<double>(m), own = duals_[root] / (size - 1);
    out.found.clear();
    tree_.find_below(places_[root], sizes_[m].of_roots, (limit + own) * size, out.found, isa);
    out.rows.clear();
    for (const WeightedNeighbour& one : out.found) out.rows.push_back(tree_.row(one.place));
    std::sort(out.rows.begin(), out.rows.end());
  }

  // Half the sum of the `others` pairs of least weight of a row, in groups of m; others < m - 1.
  double half_least(std::size_t row, std::size_t others, std::size_t m) const {
    return sizes_[m].half_least[places_[row] * (m - 1) + others];
  }

 private:
  struct OfSize {
    Discounts of_roots;
    std::vector<double> half_least;  // by place, over 0 to m - 2 others
  };

  void measure(std::size_t m, ThreadTeam& team, Run& run) {
    constexpr std::size_t places_a_block = 64;
    const std::size_t n = places_.size();
    const double size = static_cast<double>(m), factor = size / (size - 1);
    std::vector<double> values(n);
    for (std::size_t place = 0; place < n; ++place)
      values[place] = factor * duals_[tree_.row(place)];
    Discounts of_pairs;
    tree_.discount(values, of_pairs);
    auto& sums = sizes_[m].half_least;
    sums.assign(n * (m - 1), 0.0);
    const std::size_t blocks = (n + places_a_block - 1) / places_a_block;
    each_watched_block(team, run.monitor, blocks, 8, [&](std::size_t block) {
      std::vector<WeightedNeighbour> found(m - 2);
      const std::size_t end = std::min(n, (block + 1) * places_a_block);
      for (std::size_t place = block * places_a_block; place < end && m > 2; ++place) {
        tree_.find(place, of_pairs, m - 2, found.data(), run.isa);
        const double own = duals_[tree_.row(place)] / (size - 1);
        for (std::size_t j = 1; j + 1 < m; ++j)
          sums[place * (m - 1) + j] =
              sums[place * (m - 1) + j - 1] + (found[j - 1].value / size - own) / 2;
      }
    });
    for (std::size_t place = 0; place < n; ++place)
      values[place] -= size * sums[place * (m - 1) + m - 2];
    tree_.discount(values, sizes_[m].of_roots);
  }

  WeightedNeighbourTree tree_;
  std::vector<double> duals_;
  std::vector<std::size_t> places_;  // by row
  std::vector<OfSize> sizes_;
};

}  // namespace tokumei::bounds
