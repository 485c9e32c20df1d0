// The cheapest full-domain generalisation: levels for all records alike that leave no group which
// may not be published, with some records suppressed.
//
// A first answer comes from above: from the top down, the attribute is lowered that leaves least to
// pay, for as long as one can be. In lattices of more than `most_nodes` nodes it is improved: an
// attribute is raised, and all go down again. Then nodes are looked at best first, in the order of
// a bound from below, each once: an attribute is raised only if none behind it has been. The search
// ends when no bound is below the best cost: then it is the least there is, and of equal costs (to
// 1e-12 of them) the levels are the lowest in lexicographic order. A node that fails is raised for
// as long as it fails, and all below where that ends is never looked at.
//
// A search that is cut short, after `most_nodes` nodes or by its monitor, leaves the best levels so
// far and the largest bound it has proven: nothing costs less than that. Outputs are whole whenever
// the monitor is asked. Memory: 4 bytes a row and level, 60 a row, 48 a node that waits. Throws
// Interrupted.
//
// After K. LeFevre, D. DeWitt, R. Ramakrishnan, "Incognito: efficient full-domain k-anonymity",
// SIGMOD 2005, and F. Kohlmayer, F. Prasser, C. Eckert, A. Kemper, K. Kuhn, "Flash: efficient,
// stable and optimal k-anonymity", PASSAT 2012 (predictive tagging).
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <queue>
#include <utility>
#include <vector>

#include "tokumei/lattice/frontier.hpp"
#include "tokumei/lattice/node_check.hpp"
#include "tokumei/runtime/run.hpp"

namespace tokumei::lattice {

struct SearchLimits {
  std::int64_t k;                // least number of records in a group
  std::int64_t most_suppressed;  // records
  std::size_t most_nodes;        // that wait to be looked at
};

// What a search leaves; `figures` are the cost (untouched where nothing was found), the proven
// bound and the number of nodes looked at.
struct BestNode {
  OutColumn<std::int64_t> levels;
  OutColumn<std::uint8_t> suppressed;  // by row
  OutColumn<double> figures;
};

class FullDomainSearch {
 public:
  FullDomainSearch(const Lattice& lattice, const Costs& costs, std::vector<Demand> demands,
                   SearchLimits limits, BestNode out, Run run)
      : lattice_(lattice),
        check_(lattice, costs, std::move(demands), limits.k, limits.most_suppressed),
        rises_(check_.metric().rises(limits.most_suppressed)), most_nodes_(limits.most_nodes),
        out_(out), run_(run) {}

  // Whether there are any levels that are allowed.
  bool operator()() {
    const Verdict top = look(lattice_.top());
    if (!top.allowed) return false;
    Levels levels = descend(lattice_.top());
    if (lattice_.nodes() > static_cast<double>(most_nodes_)) improve(levels);
    best_first();
    return true;
  }

 private:
  // Costs are sums of the same numbers in different orders; closer ones count as equal.
  static constexpr double grain = 1e-12;

  struct Waiting {
    double bound;
    Levels levels;
    std::size_t from;  // attributes before this one are not raised any more

    bool operator<(const Waiting& other) const {  // a queue hands out the largest
      return bound != other.bound ? bound > other.bound : levels > other.levels;
    }
  };

  Verdict look(const Levels& levels) {
    const Verdict verdict = check_(levels);
    out_.figures[2] = static_cast<double>(check_.looked_at());
    if (verdict.fails_below)
      frontier_.add_failing(levels);
    else
      frontier_.add_passing(levels);
    if (verdict.allowed && better(verdict.cost, levels)) take(verdict.cost, levels);
    if ((verdict.allowed && rises_) || beaten(verdict.bound)) frontier_.add_settled(levels);
    run_.monitor.tick(0.0);  // last: a search that is stopped at once has seen the top
    return verdict;
  }

  bool better(double cost, const Levels& levels) const {
    if (!found_) return true;
    if (std::abs(cost - best_cost_) <= grain * std::abs(best_cost_)) return levels < best_levels_;
    return cost < best_cost_;
  }

  void take(double cost, const Levels& levels) {
    found_ = true;
    best_cost_ = cost;
    best_levels_ = levels;
    const auto rows = check_.suppressed_rows(levels);
    std::copy(rows.begin(), rows.end(), out_.suppressed.data());
    for (std::size_t j = 0; j < lattice_.attributes(); ++j)
      out_.levels[j] = static_cast<std::int64_t>(levels[j]);
    out_.figures[0] = cost;
  }

  bool beaten(double bound) const {
    return found_ && bound > best_cost_ + grain * std::abs(best_cost_);
  }

  // Lowers one attribute after the other, each time the one with which least is left to pay; the
  // one that is held stays where it is.
  Levels descend(Levels levels, std::size_t held = most_attributes) {
    for (;;) {
      bool any = false;
      Levels next = levels;
      double least = 0.0;
      for (std::size_t j = 0; j < lattice_.attributes(); ++j) {
        if (levels[j] == 0 || j == held) continue;
        Levels below = levels;
        below.lower(j);
        if (frontier_.fails(below)) continue;
        const Verdict verdict = look(below);
        if (verdict.allowed && (!any || verdict.cost < least)) {
          any = true;
          least = verdict.cost;
          next = below;
        }
      }
      if (!any) return levels;
      levels = next;
    }
  }

  void improve(Levels levels) {
    for (double before = best_cost_;; before = best_cost_) {
      for (std::size_t j = 0; j < lattice_.attributes(); ++j)
        for (std::size_t up = 1; levels[j] + up <= lattice_.top()[j]; ++up)
          descend(descend(levels.raised(j, up), j));
      if (!(best_cost_ < before)) return;
      levels = best_levels_;
    }
  }

  void best_first() {
    std::priority_queue<Waiting> waiting;
    waiting.push({check_.metric().bound(Levels()), Levels(), 0});
    while (!waiting.empty() && !beaten(waiting.top().bound)) {
      out_.figures[1] = std::min(waiting.top().bound, best_cost_);
      if (waiting.size() > most_nodes_) return;
      run_.monitor.tick(0.0);
      const Waiting node = waiting.top();
      waiting.pop();
      if (frontier_.settled(node.levels)) continue;
      double bound = node.bound;
      if (!frontier_.fails(node.levels)) {
        const Verdict verdict = look(node.levels);
        bound = std::max(bound, verdict.bound);
        if (verdict.fails_below) climb(node.levels);
      }
      for (std::size_t j = node.from; j < lattice_.attributes(); ++j) {
        if (node.levels[j] == lattice_.top()[j]) continue;
        const Levels above = node.levels.raised(j);
        const double least = std::max(bound, check_.metric().bound(above));
        if (!beaten(least) && !frontier_.settled(above)) waiting.push({least, above, j});
      }
    }
    out_.figures[1] = best_cost_;
  }

  // From a node that fails to the highest above it that do.
  void climb(Levels levels) {
    for (std::size_t j = 0; j < lattice_.attributes(); ++j)
      while (levels[j] < lattice_.top()[j]) {
        const Levels above = levels.raised(j);
        if (!frontier_.fails(above) && (frontier_.passes(above) || !look(above).fails_below)) break;
        levels = above;
      }
  }

  const Lattice& lattice_;
  NodeCheck check_;
  bool rises_;
  std::size_t most_nodes_;
  BestNode out_;
  Run run_;
  Frontier frontier_;
  bool found_ = false;
  double best_cost_ = 0.0;
  Levels best_levels_;
};

// The entry: see above. Returns whether there are any levels that are allowed.
inline bool full_domain(Table<std::int64_t> values, Column<std::int64_t> counts,
                        Hierarchies hierarchies, Costs costs, std::vector<Demand> demands,
                        SearchLimits limits, BestNode out, Run run) {
  const Lattice lattice(values, counts, hierarchies);
  return FullDomainSearch(lattice, costs, std::move(demands), limits, out, run)();
}

}  // namespace tokumei::lattice
