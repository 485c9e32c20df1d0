// Groups of lower cost from groups of any origin: the same k, less loss.
//
// Tables of up to `small_table` records are one board. Larger ones are cut into blocks of
// neighbouring groups (median-like splits of the groups' centres), each block is searched on its
// own board, and the cut is moved from round to round so that what was a border lies inside a block
// next time. A block's chance is drawn from the seed, the round and the block's number: the labels
// do not depend on the number of threads.
//
// The sum of squares never rises above the start's; every group keeps k records. Groups of more
// than 2k-1 are split first, which never raises it. O(trials) time with a cost a trial that does
// not depend on n; beyond the data and the labels, memory is one board a thread. Throws
// Interrupted, and then the labels are whole all the same.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "tokumei/anneal.hpp"
#include "tokumei/board.hpp"
#include "tokumei/exit.hpp"
#include "tokumei/group_blocks.hpp"
#include "tokumei/groups.hpp"
#include "tokumei/mdav.hpp"
#include "tokumei/members.hpp"
#include "tokumei/nearest.hpp"
#include "tokumei/run.hpp"
#include "tokumei/team.hpp"
#include "tokumei/views.hpp"

namespace tokumei {

namespace detail {

inline constexpr std::size_t small_table = 8192;
inline constexpr std::size_t block_records = 4096;

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
  return Board(std::move(values), width, labels, count, k, 2 * k - 1, level);
}

// One board; its rows' new groups, numbered from 0, go to `labels`. Returns their number. An
// interrupted search still leaves whole groups there.
template <class Neighbours>
std::size_t refine_board(Table<double> x, OutColumn<std::int64_t> labels, const Members& members,
                         const std::size_t* groups, std::size_t count, std::size_t k,
                         const Effort& effort, std::uint64_t seed, Level level, Exit& exit,
                         Neighbours&& neighbours) {
  std::vector<std::size_t> rows;
  auto board = board_of(x, members, groups, count, k, level, rows);
  auto arranged = arrangement(board);
  try {
    const auto nearest = neighbours(board);
    anneal(board, nearest, effort, seed, arranged, [&](double share) { exit.pause(share); });
  } catch (const Interrupted&) {
    // The exit is open; what has been found so far is kept.
  }
  std::vector<std::int64_t> local(arranged.begin(), arranged.end());
  const std::size_t formed = renumber({local.data(), local.size()});
  for (std::size_t i = 0; i < rows.size(); ++i) labels[rows[i]] = local[i];
  exit.finish_one();
  return formed;
}

inline void refine_small(Table<double> x, OutColumn<std::int64_t> labels, std::size_t groups,
                         std::size_t k, const Effort& effort, std::uint64_t seed, Exit& exit,
                         Level level) {
  const auto members = members_of(labels, groups);
  std::vector<std::size_t> all(groups);
  for (std::size_t group = 0; group < groups; ++group) all[group] = group;
  const std::size_t count = std::max<std::size_t>(40, std::min<std::size_t>(6 * k, 256));
  refine_board(x, labels, members, all.data(), groups, k, effort, seed, level, exit,
               [&](const Board& board) {
                 return nearest_records(board, x.columns(), count, [&] { exit.pause(0.0); });
               });
}

// One round over all blocks; returns the new number of groups.
inline std::size_t refine_blocks(Table<double> x, OutColumn<std::int64_t> labels,
                                 std::size_t groups, std::size_t k, const Effort& effort,
                                 std::uint64_t seed, std::size_t round, Exit& exit, Team& team,
                                 Level level) {
  const auto members = members_of(labels, groups);
  const GroupBlocks blocks(x, members, std::max(block_records, 40 * k), round,
                           [&] { exit.pause(0.0); });
  exit.expect(blocks.count());
  std::vector<std::size_t> formed(blocks.count());
  team.each_block(blocks.count(), [&](std::size_t block) {
    const auto neighbours = [&](const Board& board) {
      return nearest_in_groups(board, x.columns(), blocks.size(block), 4 + 30 / k,
                               std::max<std::size_t>(12, k + k / 2), [&] { exit.pause(0.0); });
    };
    formed[block] = refine_board(x, labels, members, blocks.groups(block), blocks.size(block), k,
                                 effort, mix(mix(seed) + block), level, exit, neighbours);
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
  return groups;
}

// Rounds of blocks; the temperature falls from round to round.
inline void refine_large(Table<double> x, OutColumn<std::int64_t> labels, std::size_t groups,
                         std::size_t k, const Effort& effort, std::uint64_t seed, Run& run) {
  const auto rounds = std::max<std::size_t>(2, static_cast<std::size_t>(effort.trials / 2));
  const double cooling = effort.warm > 0 ? effort.cool / effort.warm : 0.0;
  Team team(run.n_threads);
  for (std::size_t round = 0; round < rounds; ++round) {
    // Between warm and cool in equal ratios would need a root of any degree; a straight way will
    // do.
    const double left = static_cast<double>(rounds - 1 - round) / static_cast<double>(rounds);
    const double warmth = effort.warm * (cooling + (1 - cooling) * left * left);
    const Effort part{effort.trials / static_cast<double>(rounds), warmth, warmth};
    Exit exit(run.watch, static_cast<double>(round) / static_cast<double>(rounds), rounds);
    groups =
        refine_blocks(x, labels, groups, k, part, mix(seed + round), round, exit, team, run.level);
    if (exit.leaving()) throw Interrupted();
  }
}

}  // namespace detail

// Labels 0..groups-1 of groups of at least k records, rewritten in canonical form. Where
// Interrupted is thrown they are whole, canonical and cost no more than before.
inline void refine(Table<double> x, OutColumn<std::int64_t> labels, std::size_t groups,
                   std::size_t k, const Effort& effort, std::uint64_t seed, Run run) {
  try {
    groups = detail::split_large_groups(x, labels, groups, k, run);
    if (groups > 1 && x.rows() > detail::small_table) {
      detail::refine_large(x, labels, groups, k, effort, seed, run);
    } else if (groups > 1) {
      Exit exit(run.watch, 0.0, 1);
      detail::refine_small(x, labels, groups, k, effort, seed, exit, run.level);
      if (exit.leaving()) throw Interrupted();
    }
  } catch (const Interrupted&) {
    renumber(labels);
    throw;
  }
  renumber(labels);
}

}  // namespace tokumei
