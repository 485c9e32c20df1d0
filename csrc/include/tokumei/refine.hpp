// Groups of lower cost from groups of any origin: the same k, less loss.
//
// Tables of up to `small_table` records are one board. Larger ones are cut into blocks of neighbouring groups
// (median-like splits of the groups' centres), each block is searched on its own board, and the cut is moved
// from round to round so that what was a border lies inside a block next time. A block's chance is drawn
// from the seed, the round and the block's number: the labels do not depend on the number of threads.
//
// The sum of squares never rises above the start's; every group keeps k records. Groups of more than 2k-1
// are split first, which never raises it. O(trials) time with a cost a trial that does not depend on n;
// beyond the data and the labels, memory is one board a thread. Throws Interrupted.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <thread>
#include <utility>
#include <vector>

#include "tokumei/anneal.hpp"
#include "tokumei/board.hpp"
#include "tokumei/groups.hpp"
#include "tokumei/mdav.hpp"
#include "tokumei/nearest.hpp"
#include "tokumei/run.hpp"
#include "tokumei/team.hpp"
#include "tokumei/views.hpp"

namespace tokumei {

namespace detail {

inline constexpr std::size_t small_table = 8192;
inline constexpr std::size_t block_records = 4096;

// The records of each group, one group after another.
struct Members {
  std::vector<std::size_t> starts, rows;
  std::size_t groups() const { return starts.size() - 1; }
  std::size_t size(std::size_t group) const { return starts[group + 1] - starts[group]; }
};

inline Members members_of(Column<std::int64_t> labels, std::size_t groups) {
  Members members{std::vector<std::size_t>(groups + 1, 0), std::vector<std::size_t>(labels.size())};
  for (const auto label : labels) ++members.starts[static_cast<std::size_t>(label) + 1];
  for (std::size_t group = 0; group < groups; ++group)
    members.starts[group + 1] += members.starts[group];
  auto next = members.starts;
  for (std::size_t row = 0; row < labels.size(); ++row)
    members.rows[next[static_cast<std::size_t>(labels[row])]++] = row;
  return members;
}

// Splits groups of 2k records or more by MDAV; returns the new number of groups.
inline std::size_t split_large_groups(Table<double> x, OutColumn<std::int64_t> labels,
                                      std::size_t groups, std::size_t k, const Run& run) {
  const auto members = members_of(labels, groups);
  std::size_t next = groups;
  for (std::size_t group = 0; group < groups; ++group) {
    const std::size_t size = members.size(group);
    if (size < 2 * k) continue;
    std::vector<double> values(size * x.columns());
    const std::size_t* rows = &members.rows[members.starts[group]];
    for (std::size_t j = 0; j < x.columns(); ++j)
      for (std::size_t i = 0; i < size; ++i) values[j * size + i] = x(rows[i], j);
    std::vector<std::int64_t> parts(size);
    mdav({values.data(), size, x.columns()}, k, {parts.data(), size}, run);
    const auto most = *std::max_element(parts.begin(), parts.end());
    for (std::size_t i = 0; i < size; ++i)
      if (parts[i] > 0) labels[rows[i]] = static_cast<std::int64_t>(next) + parts[i] - 1;
    next += static_cast<std::size_t>(most);
  }
  return next;
}

// The board of some groups; labels on it are their places in `groups`.
inline Board board_of(Table<double> x, const Members& members, const std::size_t* groups,
                      std::size_t count, std::size_t k, Level level,
                      std::vector<std::size_t>& rows) {
  rows.clear();
  std::vector<Board::Index> labels;
  for (std::size_t i = 0; i < count; ++i)
    for (std::size_t m = members.starts[groups[i]]; m < members.starts[groups[i] + 1]; ++m) {
      rows.push_back(members.rows[m]);
      labels.push_back(static_cast<Board::Index>(i));
    }
  const std::size_t width = padded(x.columns());
  std::vector<double> values(rows.size() * width, 0.0);
  for (std::size_t j = 0; j < x.columns(); ++j) {
    const auto column = x.column(j);
    for (std::size_t i = 0; i < rows.size(); ++i) values[i * width + j] = column[rows[i]];
  }
  const std::size_t total = rows.size();
  return Board(std::move(values), total, width, labels, count, k, 2 * k - 1, level);
}

// Cuts groups into blocks of about `block_records` records along their centres.
class Blocks {
 public:
  Blocks(Table<double> x, const Members& members, std::size_t most_records, std::size_t round)
      : members_(members), most_records_(most_records), round_(round),
        centres_(x.columns(), std::vector<double>(members.groups())) {
    for (std::size_t j = 0; j < x.columns(); ++j)
      for (std::size_t group = 0; group < members.groups(); ++group) {
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
    const auto middle = begin + std::max<std::size_t>(
                                    1, static_cast<std::size_t>(
                                           fraction * static_cast<double>(end - begin)));
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
  std::vector<std::vector<double>> centres_;
  std::vector<std::size_t> order_, starts_;
};

// Lets every thread leave when the caller's thread is told to: only that one may ask.
class Exit {
 public:
  Exit(Watch& watch, std::size_t shares) : watch_(watch), shares_(shares) {}

  void pause(double share) {
    if (leaving_.load(std::memory_order_relaxed)) throw Interrupted();
    if (std::this_thread::get_id() != caller_) return;
    try {
      const double done = static_cast<double>(finished_.load(std::memory_order_relaxed)) + share;
      watch_.tick(done / static_cast<double>(shares_));
    } catch (...) {
      leaving_ = true;
      throw;
    }
  }

  void finish_one() { finished_.fetch_add(1, std::memory_order_relaxed); }

 private:
  Watch& watch_;
  std::size_t shares_;
  std::thread::id caller_ = std::this_thread::get_id();
  std::atomic<std::size_t> finished_{0};
  std::atomic<bool> leaving_{false};
};

inline void refine_small(Table<double> x, OutColumn<std::int64_t> labels, std::size_t groups,
                         std::size_t k, const Effort& effort, std::uint64_t seed, Run& run) {
  const auto members = members_of(labels, groups);
  std::vector<std::size_t> all(groups), rows;
  for (std::size_t group = 0; group < groups; ++group) all[group] = group;
  auto board = board_of(x, members, all.data(), groups, k, run.level, rows);
  const auto nearest = nearest_records(board, x.columns(), std::max<std::size_t>(40, std::min<std::size_t>(6 * k, 256)),
                                       [&] { run.watch.tick(0.0); });
  const auto arranged =
      anneal(board, nearest, effort, seed, [&](double share) { run.watch.tick(share); });
  for (std::size_t i = 0; i < rows.size(); ++i)
    labels[rows[i]] = static_cast<std::int64_t>(arranged[i]);
}

inline void refine_large(Table<double> x, OutColumn<std::int64_t> labels, std::size_t groups,
                         std::size_t k, const Effort& effort, std::uint64_t seed, Run& run) {
  const std::size_t rounds = std::max<std::size_t>(2, static_cast<std::size_t>(effort.trials / 2));
  const std::size_t most_records = std::max(block_records, 40 * k);
  Team team(run.n_threads);
  double warm = effort.warm;
  for (std::size_t round = 0; round < rounds; ++round) {
    const auto members = members_of(labels, groups);
    const Blocks blocks(x, members, most_records, round);
    Exit exit(run.watch, blocks.count() * rounds);
    std::vector<std::size_t> formed(blocks.count());
    const double share = 1.0 / static_cast<double>(rounds);
    const Effort part{effort.trials * share, warm, warm};
    team.each_block(blocks.count(), [&](std::size_t block) {
      std::vector<std::size_t> rows;
      auto board =
          board_of(x, members, blocks.groups(block), blocks.size(block), k, run.level, rows);
      const auto pause = [&](double done) { exit.pause(done); };
      const auto nearest = nearest_in_groups(board, x.columns(), blocks.size(block), 4 + 30 / k,
                                             std::max<std::size_t>(12, k + k / 2),
                                             [&] { exit.pause(0.0); });
      const auto arranged =
          anneal(board, nearest, part, mix(seed ^ mix(round * blocks.count() + block)), pause);
      std::vector<std::int64_t> local(arranged.begin(), arranged.end());
      formed[block] = renumber({local.data(), local.size()});
      for (std::size_t i = 0; i < rows.size(); ++i) labels[rows[i]] = local[i];
      exit.finish_one();
    });
    groups = 0;
    for (std::size_t block = 0; block < blocks.count(); ++block) {
      for (std::size_t i = 0; i < blocks.size(block); ++i) {
        const std::size_t group = blocks.groups(block)[i];
        for (std::size_t m = members.starts[group]; m < members.starts[group + 1]; ++m)
          labels[members.rows[m]] += static_cast<std::int64_t>(groups);
      }
      groups += formed[block];
    }
  }
}

}  // namespace detail

// Labels 0..groups-1 of groups of at least k records, rewritten in canonical form.
inline void refine(Table<double> x, OutColumn<std::int64_t> labels, std::size_t groups,
                   std::size_t k, const Effort& effort, std::uint64_t seed, Run run) {
  groups = detail::split_large_groups(x, labels, groups, k, run);
  if (groups > 1) {
    if (x.rows() <= detail::small_table)
      detail::refine_small(x, labels, groups, k, effort, seed, run);
    else
      detail::refine_large(x, labels, groups, k, effort, seed, run);
  }
  renumber(labels);
}

}  // namespace tokumei
