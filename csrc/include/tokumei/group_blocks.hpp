// Groups cut into blocks of neighbours, so that a search or a method can work on one block at a
// time.
//
// The groups' centres are split along the axis on which they vary most, near the middle, until a
// block has at most so many records. Rounds differ in where they split: what was a border lies
// inside a block next time. Ties: the lower group first. O(g log g d) for g groups.
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <utility>
#include <vector>

#include "tokumei/members.hpp"
#include "tokumei/views.hpp"

namespace tokumei {

class GroupBlocks {
 public:
  GroupBlocks(Table<double> x, const Members& members, std::size_t most_records, std::size_t round,
              std::function<void()> pause)
      : members_(members), most_records_(most_records), round_(round), pause_(std::move(pause)),
        centres_(x.columns(), std::vector<double>(members.groups())) {
    for (std::size_t j = 0; j < x.columns(); ++j)
      for (std::size_t group = 0; group < members.groups(); ++group) {
        if (group % 16384 == 0) pause_();
        double sum = 0;
        for (std::size_t m = members.starts[group]; m < members.starts[group + 1]; ++m)
          sum += x(members.rows[m], j);
        centres_[j][group] = sum / static_cast<double>(members.size(group));
      }
    order_.resize(members.groups());
    for (std::size_t group = 0; group < order_.size(); ++group) order_[group] = group;
    starts_.push_back(0);
    cut(0, order_.size(), 0);
  }

  std::size_t count() const { return starts_.size() - 1; }
  const std::size_t* groups(std::size_t block) const { return &order_[starts_[block]]; }
  std::size_t size(std::size_t block) const { return starts_[block + 1] - starts_[block]; }

 private:
  void cut(std::size_t begin, std::size_t end, std::size_t depth) {
    pause_();
    std::size_t records = 0;
    for (std::size_t i = begin; i < end; ++i) records += members_.size(order_[i]);
    if (records <= most_records_ || end - begin < 2) {
      starts_.push_back(end);
      return;
    }
    const auto& along = centres_[axis(begin, end, depth)];
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
    cut(begin, middle, depth + 1);
    cut(middle, end, depth + 1);
  }

  // The axis along which the centres vary most; at the root of odd rounds the one after it.
  std::size_t axis(std::size_t begin, std::size_t end, std::size_t depth) const {
    std::vector<std::pair<double, std::size_t>> spread;
    for (std::size_t j = 0; j < centres_.size(); ++j) {
      double sum = 0, squares = 0;
      const double origin = centres_[j][order_[begin]];
      for (std::size_t i = begin; i < end; ++i) {
        const double by = centres_[j][order_[i]] - origin;
        sum += by;
        squares += by * by;
      }
      spread.push_back({-(squares - sum * (sum / static_cast<double>(end - begin))), j});
    }
    std::sort(spread.begin(), spread.end());
    const bool second = depth == 0 && round_ % 2 == 1 && spread.size() > 1;
    return spread[second ? 1 : 0].second;
  }

  const Members& members_;
  std::size_t most_records_, round_;
  std::function<void()> pause_;
  std::vector<std::vector<double>> centres_;
  std::vector<std::size_t> order_, starts_;
};

}  // namespace tokumei
