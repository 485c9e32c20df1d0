// A share of the loss for each record that no group can undercut: a lower bound for any table.
//
// In a group of m records the sum of squares is the sum over its pairs of |x - y|^2 / m. Let x
// carry
// (|x - y|^2 + t_x - t_y) / 2m of it and y the rest: what a record carries is at least the sum of
// the m - 1 least such values over all others. The least of that over the sizes k..2k-1 is its
// share. So shares add up to no more than the sum of squares of any group, and over all records to
// no more than that of any partition, whatever the discounts t are. With t = 0 every record counts
// half the distances to its k - 1 nearest; far records, which nobody has among his nearest, then
// count too little. Discounts are raised for records that take more than they are taken, and
// lowered for those that are taken more, sweep after sweep (a subgradient ascent: the bound is
// concave in t).
//
// Shares come with a margin above the rounding of their own sums. What is left to the caller is the
// rounding of the squared distances, (columns + 4) units in the last place, by a factor on all of
// them. The best sweep counts. O(n d log n) a sweep for tame data; memory: 1.3 times the data and
// some 60 bytes a record. The shares do not depend on the number of threads. Throws Interrupted;
// `shares` then holds those of the best sweep so far, or the zeros that it must hold at the
// beginning.
#pragma once

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "tokumei/runtime/monitored_blocks.hpp"
#include "tokumei/runtime/run.hpp"
#include "tokumei/runtime/thread_team.hpp"
#include "tokumei/runtime/views.hpp"
#include "tokumei/spatial/weighted_neighbour_tree.hpp"

namespace tokumei::bounds {

class LagrangianBound {
 public:
  LagrangianBound(Table<double> x, std::size_t k, Run& run)
      : k_(k), most_(std::min(2 * k - 1, x.rows())), run_(run), team_(run.n_threads),
        tree_(x, team_, run.monitor), discounts_(x.rows(), 0.0), shares_(x.rows()),
        sizes_(x.rows()), taken_(x.rows()) {}

  void ascend(std::size_t sweeps, OutColumn<double> out) {
    double best = 0.0;
    for (std::size_t sweep = 0; sweep < sweeps; ++sweep) {
      measure(static_cast<double>(sweep) / static_cast<double>(sweeps));
      double sum = 0.0;
      for (const double share : shares_) sum += share;
      if (sum > best) {
        best = sum;
        for (std::size_t place = 0; place < shares_.size(); ++place)
          out[tree_.row(place)] = shares_[place];
      }
      if (!(sum > 0.0)) return;
      step(0.3 / (1 + static_cast<double>(sweep) / 5), sum);
    }
  }

 private:
  // Fractions in whole numbers, whose sums do not depend on their order.
  static constexpr double whole = 0x1p40;

  void measure(double done) {
    constexpr std::size_t places_a_block = 64;
    tree_.discount(discounts_, taken_off_);
    for (auto& taken : taken_) taken.store(0, std::memory_order_relaxed);
    const std::size_t n = shares_.size();
    each_watched_block(
        team_, run_.monitor, (n + places_a_block - 1) / places_a_block, 8,
        [&](std::size_t block) {
          std::vector<WeightedNeighbour> found(most_ - 1);
          const std::size_t end = std::min(n, (block + 1) * places_a_block);
          for (std::size_t place = block * places_a_block; place < end; ++place)
            measure_one(place, found);
        },
        done);
  }

  void measure_one(std::size_t place, std::vector<WeightedNeighbour>& found) {
    tree_.find(place, taken_off_, most_ - 1, found.data(), run_.isa);
    const double own = discounts_[place];
    double sum = 0.0, size_of_terms = 0.0;
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t others = 1; others < most_; ++others) {
      const double value = found[others - 1].value;
      const double m = static_cast<double>(others + 1);
      sum += value + own;
      size_of_terms += std::abs(value) + std::abs(own);
      if (others + 1 < k_) continue;
      const double margin = 4 * (m + 4) * std::numeric_limits<double>::epsilon() * size_of_terms;
      const double share = (sum - margin) / (2 * m);
      if (share < least) {
        least = share;
        sizes_[place] = others + 1;
      }
    }
    shares_[place] = least;
    const auto part = static_cast<std::uint64_t>(whole / (2 * static_cast<double>(sizes_[place])));
    for (std::size_t i = 0; i + 1 < sizes_[place]; ++i)
      taken_[found[i].place].fetch_add(part, std::memory_order_relaxed);
  }

  // A move along the subgradient, in units of what each record carries.
  void step(double length, double sum) {
    const double k = static_cast<double>(k_);
    const double floor = 1e-3 * sum / static_cast<double>(shares_.size());
    for (std::size_t place = 0; place < shares_.size(); ++place) {
      const double size = static_cast<double>(sizes_[place]);
      const double takes = (size - 1) / (2 * size);
      const double taken =
          static_cast<double>(taken_[place].load(std::memory_order_relaxed)) / whole;
      const double unit = std::max(shares_[place], floor) * 2 * k / (k - 1);
      discounts_[place] += length * (takes - taken) * unit;
    }
  }

  std::size_t k_, most_;
  Run& run_;
  ThreadTeam team_;
  WeightedNeighbourTree tree_;
  Discounts taken_off_;
  std::vector<double> discounts_, shares_;  // by place
  std::vector<std::size_t> sizes_;
  std::vector<std::atomic<std::uint64_t>> taken_;
};

// Shares for groups of at least k >= 2 records; x.rows() >= k.
inline void lagrangian_bound(Table<double> x, std::size_t k, std::size_t sweeps,
                             OutColumn<double> shares, Run run) {
  LagrangianBound(x, k, run).ascend(sweeps, shares);
}

}  // namespace tokumei::bounds
