// The prices of the largest sum at which no group of a pool costs less than its records: a linear
// program of any size, nearly solved by a first-order method.
//
// Prices p and shares l >= 0 of groups are a saddle point of sum p + sum of l_G (cost_G - p(G)).
// Both move in turn, shares down along the slack of their group and prices up along what is missing
// of 1 in the shares of a record's groups, taken at twice the new shares less the old ones (the
// primal-dual hybrid gradient of Chambolle and Pock, J. Math. Imaging Vision 40, 2011). Steps are
// diagonal: with scales s of records (the width of their box) and weights a of groups, prices move
// by w s_x / (sum of a over the groups of x) and shares by a_G / (w s(G)), which converges for any
// of them. Averages of all iterates since the last restart converge faster; it starts again from
// the better of both when their gap has halved, with w balanced anew (Applegate et al., "Practical
// large-scale linear programming using primal-dual hybrid gradient", NeurIPS 2021). Prices stay in
// a box.
//
// The gap is one of bounds, up to rounding: of prices lowered by the largest part of an excess that
// a group of the pool asks for, and of shares whose missing parts are paid at the sides of the box.
// It stops once that gap is a `tolerance` of the value. O(members of all groups) a sweep. The
// result does not depend on the number of threads. Throws Interrupted; prices and shares are then
// those of the last restart, or as they came.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "tokumei/bounds/pool_columns.hpp"
#include "tokumei/runtime/run.hpp"
#include "tokumei/runtime/thread_team.hpp"
#include "tokumei/runtime/views.hpp"

namespace tokumei::bounds {

struct AscentLimits {
  std::size_t sweeps;
  double tolerance;
};

class PriceAscent {
 public:
  // low < high: the box of each price.
  PriceAscent(const PoolColumns& pool, Column<double> costs, Column<double> low,
              Column<double> high, ThreadTeam& team)
      : pool_(pool), costs_(costs), low_(low), high_(high), team_(team), excess_(pool.groups()),
        ahead_(pool.groups()), scale_(pool.records()), by_record_(pool.records()),
        by_group_(pool.groups()), parts_(blocks_of(std::max(pool.groups(), pool.records()))) {}

  void climb(AscentLimits limits, OutColumn<double> prices, OutColumn<double> shares,
             ProgressMonitor& monitor) {
    now_.prices.assign(prices.data(), prices.data() + prices.size());
    now_.shares.assign(shares.data(), shares.data() + shares.size());
    start_ = now_;
    find_steps();
    double before = gap(now_).first;
    forget_average();
    std::size_t since = 0;
    for (std::size_t sweep = 1; sweep <= limits.sweeps; ++sweep) {
      move();
      ++since;
      if (sweep % sweeps_a_look != 0 && sweep != limits.sweeps) continue;
      monitor.tick(static_cast<double>(sweep) / static_cast<double>(limits.sweeps));
      Point mean = sums_;
      for (std::size_t row = 0; row < pool_.records(); ++row)
        mean.prices[row] =
            std::clamp(mean.prices[row] / static_cast<double>(since), low_[row], high_[row]);
      for (double& share : mean.shares) share /= static_cast<double>(since);
      const auto [gap_now, value_now] = gap(now_);
      const auto [gap_mean, value_mean] = gap(mean);
      const double least = std::min(gap_now, gap_mean);
      const bool done = least <= limits.tolerance * std::max(value_now, value_mean);
      const bool long_enough = since * 3 > sweep && since >= 4 * sweeps_a_look;
      if (!(least < 0.5 * before) && !long_enough && !done && sweep != limits.sweeps) continue;
      if (gap_mean < gap_now) now_ = std::move(mean);
      balance();
      before = least;
      since = 0;
      forget_average();
      start_ = now_;
      std::copy(now_.prices.begin(), now_.prices.end(), prices.data());
      std::copy(now_.shares.begin(), now_.shares.end(), shares.data());
      if (done) return;
    }
  }

 private:
  static constexpr std::size_t sweeps_a_look = 40, items_a_block = 2048;

  struct Point {
    std::vector<double> prices, shares;
  };

  static std::size_t blocks_of(std::size_t items) {
    return (items + items_a_block - 1) / items_a_block;
  }

  template <class Work>
  void each(std::size_t items, Work&& work) {
    team_.each_block(blocks_of(items), [&](std::size_t block) {
      const std::size_t end = std::min(items, (block + 1) * items_a_block);
      for (std::size_t item = block * items_a_block; item < end; ++item) work(item);
    });
  }

  // Of one term an item, in the order of blocks.
  template <class Term>
  double sum(std::size_t items, Term&& term) {
    team_.each_block(blocks_of(items), [&](std::size_t block) {
      const std::size_t end = std::min(items, (block + 1) * items_a_block);
      double part = 0.0;
      for (std::size_t item = block * items_a_block; item < end; ++item) part += term(item);
      parts_[block] = part;
    });
    double all = 0.0;
    for (std::size_t block = 0; block < blocks_of(items); ++block) all += parts_[block];
    return all;
  }

  // Groups that cost much more than their records weigh little: others may then move further.
  void find_steps() {
    for (std::size_t row = 0; row < pool_.records(); ++row) scale_[row] = high_[row] - low_[row];
    each(pool_.groups(), [&](std::size_t group) {
      const double scale = pool_.over_members(group, scale_);
      const double slack = std::max(costs_[group] - pool_.over_members(group, now_.prices), 0.0);
      ahead_[group] = now_.shares[group] > 0.0 ? 1.0 : 1.0 / (1.0 + 20.0 * slack / scale);
      by_group_[group] = ahead_[group] / scale;
    });
    each(pool_.records(), [&](std::size_t row) {
      const double weight = pool_.over_groups(row, ahead_);
      by_record_[row] = weight > 0.0 ? scale_[row] / weight : 0.0;
    });
  }

  void forget_average() {
    sums_.prices.assign(pool_.records(), 0.0);
    sums_.shares.assign(pool_.groups(), 0.0);
  }

  void move() {
    each(pool_.groups(), [&](std::size_t group) {
      const double slack = costs_[group] - pool_.over_members(group, now_.prices);
      const double old = now_.shares[group];
      const double share = std::max(0.0, old - by_group_[group] / weight_ * slack);
      now_.shares[group] = share;
      sums_.shares[group] += share;
      ahead_[group] = 2 * share - old;
    });
    each(pool_.records(), [&](std::size_t row) {
      const double missing = 1.0 - pool_.over_groups(row, ahead_);
      const double price = now_.prices[row] + weight_ * by_record_[row] * missing;
      now_.prices[row] = std::clamp(price, low_[row], high_[row]);
      sums_.prices[row] += now_.prices[row];
    });
  }

  // Between what shares cost and what prices, lowered, are worth; and the latter.
  std::pair<double, double> gap(const Point& point) {
    each(pool_.groups(), [&](std::size_t group) {
      const double over = pool_.over_members(group, point.prices) - costs_[group];
      excess_[group] = std::max(over, 0.0) / static_cast<double>(pool_.size(group));
    });
    const double value = sum(pool_.records(), [&](std::size_t row) {
      double most = 0.0;
      pool_.each_group(row, [&](std::size_t group) { most = std::max(most, excess_[group]); });
      return point.prices[row] - most;
    });
    const double cost =
        sum(pool_.groups(), [&](std::size_t group) { return point.shares[group] * costs_[group]; });
    const double missing = sum(pool_.records(), [&](std::size_t row) {
      const double part = 1.0 - pool_.over_groups(row, point.shares);
      return part * (part > 0.0 ? high_[row] : low_[row]);
    });
    return {cost + missing - value, value};
  }

  // Prices and shares should move alike between restarts.
  void balance() {
    const double prices = sum(pool_.records(), [&](std::size_t row) {
      const double by = now_.prices[row] - start_.prices[row];
      return by_record_[row] > 0.0 ? by * by / by_record_[row] : 0.0;
    });
    const double shares = sum(pool_.groups(), [&](std::size_t group) {
      const double by = now_.shares[group] - start_.shares[group];
      return by * by / by_group_[group];
    });
    if (prices > 0.0 && shares > 0.0) weight_ = std::sqrt(weight_ * std::sqrt(prices / shares));
  }

  const PoolColumns& pool_;
  Column<double> costs_, low_, high_;
  ThreadTeam& team_;
  Point now_, sums_, start_;
  std::vector<double> excess_, ahead_, scale_;
  std::vector<double> by_record_, by_group_;  // steps
  std::vector<double> parts_;
  double weight_ = 1.0;
};

// Moves prices (in the box) and shares; returns nothing else.
inline void price_ascent(Table<std::int64_t> groups, Column<double> costs, Column<double> low,
                         Column<double> high, AscentLimits limits, OutColumn<double> prices,
                         OutColumn<double> shares, Run run) {
  ThreadTeam team(run.n_threads);
  const PoolColumns pool(groups, prices.size());
  PriceAscent(pool, costs, low, high, team).climb(limits, prices, shares, run.monitor);
}

// Lowers prices where a group of the pool costs less than its records, group by group in parts
// alike, then raises them record by record as far as no group comes to cost less.
inline void settle_prices(Table<std::int64_t> groups, Column<double> costs,
                          OutColumn<double> prices) {
  const PoolColumns pool(groups, prices.size());
  std::vector<double> values(prices.data(), prices.data() + prices.size());
  for (std::size_t group = 0; group < pool.groups(); ++group) {
    const double over = pool.over_members(group, values) - costs[group];
    if (!(over > 0.0)) continue;
    const double part = over / static_cast<double>(pool.size(group));
    pool.each_member(group, [&](std::size_t row) { values[row] -= part; });
  }
  for (std::size_t row = 0; row < pool.records(); ++row) {
    double least = std::numeric_limits<double>::infinity();
    pool.each_group(row, [&](std::size_t group) {
      least = std::min(least, costs[group] - pool.over_members(group, values));
    });
    if (least > 0.0 && std::isfinite(least)) values[row] += least;
  }
  std::copy(values.begin(), values.end(), prices.data());
}

}  // namespace tokumei::bounds
