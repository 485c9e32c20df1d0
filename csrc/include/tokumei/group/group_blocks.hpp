// Groups cut into blocks of neighbours, so that a search or a method can work on one block at a
// time.
//
// The groups' centres are split along the axis on which they vary most, near the middle, until a
// block has at most so many records; each block's groups are then ordered by cutting on, down to
// leaves of at most `leaf_records`, so that near ones stand near. Rounds differ in where they
// split: what was a border lies inside a block next time. Ties: the lower group first. O(g log g d)
// for g groups; all blocks of one depth are cut at once, by all threads; each calls pause() every
// few milliseconds.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "tokumei/group/members.hpp"
#include "tokumei/runtime/records.hpp"
#include "tokumei/runtime/thread_team.hpp"

namespace tokumei::group {

class GroupBlocks {
 public:
  GroupBlocks(const Records& x, const Members& members, std::size_t most_records, std::size_t round,
              ThreadTeam& team, std::function<void()> pause, std::size_t leaf_records = 0)
      : members_(members), round_(round), pause_(std::move(pause)),
        centres_(x.attributes(), std::vector<double>(members.groups())), weights_(x.weights) {
    constexpr std::size_t stretch = 4096;
    const std::size_t stretches = (members.groups() + stretch - 1) / stretch;
    team.each_block(x.attributes() * stretches, [&](std::size_t block) {
      pause_();
      const std::size_t axis = block / stretches;
      auto& centres = centres_[axis];
      const std::size_t begin = block % stretches * stretch;
      const std::size_t end = std::min(begin + stretch, members.groups());
      if (axis >= x.numbers.columns()) {
        const auto codes = x.codes.column(axis - x.numbers.columns());
        for (std::size_t group = begin; group < end; ++group) centres[group] = usual(codes, group);
        return;
      }
      const auto column = x.numbers.column(axis);
      for (std::size_t group = begin; group < end; ++group) {
        double sum = 0;
        for (std::size_t m = members.starts[group]; m < members.starts[group + 1]; ++m)
          sum += column[members.rows[m]];
        centres[group] = sum / static_cast<double>(members.size(group));
      }
    });
    order_.resize(members.groups());
    for (std::size_t group = 0; group < order_.size(); ++group) order_[group] = group;
    starts_ = {0, order_.size()};
    std::size_t depth = 0;
    while (cut(most_records, depth, team)) ++depth;
    const auto blocks = starts_;
    if (leaf_records > 0)
      while (cut(leaf_records, depth, team)) ++depth;
    leaves_ = starts_;
    starts_ = blocks;
  }

  std::size_t count() const { return starts_.size() - 1; }
  const std::size_t* groups(std::size_t block) const { return &order_[starts_[block]]; }
  std::size_t size(std::size_t block) const { return starts_[block + 1] - starts_[block]; }

  // Borders of the leaves of a block, in places among its groups: from 0 to size(block).
  std::vector<std::size_t> leaves(std::size_t block) const {
    const std::size_t begin = starts_[block], end = starts_[block + 1];
    std::vector<std::size_t> borders;
    for (auto at = std::lower_bound(leaves_.begin(), leaves_.end(), begin);
         at != leaves_.end() && *at <= end; ++at)
      borders.push_back(*at - begin);
    return borders;
  }

 private:
  // Cuts all blocks that are too large in two; false where there is none.
  bool cut(std::size_t most_records, std::size_t depth, ThreadTeam& team) {
    std::vector<std::size_t> large, next;
    for (std::size_t block = 0; block < count(); ++block)
      if (too_large(block, most_records)) large.push_back(block);
    if (large.empty()) return false;
    const std::size_t axes = centres_.size();
    std::vector<double> spreads(large.size() * axes);
    team.each_block(spreads.size(), [&](std::size_t i) {
      pause_();
      spreads[i] = spread(large[i / axes], i % axes);
    });
    std::vector<std::size_t> middles(large.size());
    team.each_block(large.size(), [&](std::size_t i) {
      pause_();
      const double* first = &spreads[i * axes];
      std::vector<std::size_t> widest(axes);
      for (std::size_t j = 0; j < axes; ++j) widest[j] = j;
      std::stable_sort(widest.begin(), widest.end(),
                       [&](std::size_t a, std::size_t b) { return first[a] > first[b]; });
      // At the root of odd rounds the axis after the widest: other borders again.
      const bool second = depth == 0 && round_ % 2 == 1 && axes > 1;
      middles[i] = part(large[i], centres_[widest[second ? 1 : 0]], depth);
    });
    std::size_t i = 0;
    for (std::size_t block = 0; block < count(); ++block) {
      next.push_back(starts_[block]);
      if (i < large.size() && large[i] == block) next.push_back(middles[i++]);
    }
    next.push_back(starts_.back());
    starts_ = next;
    return true;
  }

  bool too_large(std::size_t block, std::size_t most_records) const {
    std::size_t records = 0;
    for (std::size_t i = starts_[block]; i < starts_[block + 1]; ++i)
      records += members_.size(order_[i]);
    return records > most_records && size(block) > 1;
  }

  // The code that most members of a group have; of equal ones the lowest.
  double usual(Column<std::int32_t> codes, std::size_t group) const {
    std::vector<std::int32_t> held;
    for (std::size_t m = members_.starts[group]; m < members_.starts[group + 1]; ++m)
      held.push_back(codes[members_.rows[m]]);
    std::sort(held.begin(), held.end());
    std::size_t most = 0, run = 0, best = 0;
    for (std::size_t i = 0; i < held.size(); ++i) {
      run = i > 0 && held[i] == held[i - 1] ? run + 1 : 1;
      if (run > most) most = run, best = i;
    }
    return held[best];
  }

  // The sum, over the codes that groups of a block have, of how many have it, squared.
  double squares_of_counts(std::size_t block, std::size_t axis) const {
    std::vector<std::int32_t> held;
    held.reserve(size(block));
    for (std::size_t i = starts_[block]; i < starts_[block + 1]; ++i)
      held.push_back(static_cast<std::int32_t>(centres_[axis][order_[i]]) + 1);
    double squares = 0;
    const auto most = static_cast<std::size_t>(*std::max_element(held.begin(), held.end()));
    if (most < 4 * held.size()) {
      std::vector<double> counts(most + 1, 0.0);
      for (const auto code : held) counts[static_cast<std::size_t>(code)] += 1;
      for (const double count : counts) squares += count * count;
      return squares;
    }
    std::sort(held.begin(), held.end());
    double run = 0;
    for (std::size_t i = 0; i < held.size(); ++i) {
      run = i > 0 && held[i] == held[i - 1] ? run + 1 : 1;
      squares += 2 * run - 1;
    }
    return squares;
  }

  // What cutting codes in two may gain: their squares over what there is of categories beyond the
  // first.
  double spread_of_codes(std::size_t block, std::size_t axis) const {
    const double squares = squares_of_counts(block, axis);
    const double n = static_cast<double>(size(block)), categories = n * n / squares;
    const double weight = weights_[axis - (centres_.size() - weights_.size())];
    return weight * (n - squares / n) / std::max(1.0, categories - 1);
  }

  // How much the centres vary along an axis.
  double spread(std::size_t block, std::size_t axis) const {
    if (axis >= centres_.size() - weights_.size()) return spread_of_codes(block, axis);
    const auto& along = centres_[axis];
    const double origin = along[order_[starts_[block]]];
    double sum = 0, squares = 0;
    for (std::size_t i = starts_[block]; i < starts_[block + 1]; ++i) {
      const double by = along[order_[i]] - origin;
      sum += by;
      squares += by * by;
    }
    return squares - sum * (sum / static_cast<double>(size(block)));
  }

  // Lower centres come before the middle, higher ones after it; returns the middle.
  std::size_t part(std::size_t block, const std::vector<double>& along, std::size_t depth) {
    const std::size_t begin = starts_[block], end = starts_[block + 1];
    // Other fractions in other rounds move the borders.
    constexpr double fractions[] = {0.5, 0.38, 0.62, 0.44, 0.56};
    const double fraction = fractions[(round_ + (depth > 0 ? 0 : 2 * round_)) % 5];
    const auto middle =
        begin + std::max<std::size_t>(
                    1, static_cast<std::size_t>(fraction * static_cast<double>(end - begin)));
    const auto at = [&](std::size_t i) { return order_.begin() + static_cast<std::ptrdiff_t>(i); };
    std::nth_element(at(begin), at(middle), at(end), [&](std::size_t a, std::size_t b) {
      return along[a] < along[b] || (along[a] == along[b] && a < b);
    });
    return middle;
  }

  const Members& members_;
  std::size_t round_;
  std::function<void()> pause_;
  std::vector<std::vector<double>> centres_;  // of codes the most frequent one
  Column<double> weights_;
  std::vector<std::size_t> order_, starts_, leaves_;
};

}  // namespace tokumei::group
