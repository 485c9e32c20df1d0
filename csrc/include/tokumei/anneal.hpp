// The search on one board: local search, then shakes that are kept or undone.
//
// After each shake a local search runs from the touched groups; the outcome is kept if the touched
// groups cost no more than before, or with probability exp(-change / (T s)), s being half the mean
// squared distance of the shaken record to its k nearest. That scale is local because data are
// heavy-tailed: one temperature cannot serve outliers and core. The board ends in the cheapest
// arrangement seen at the end of a sweep, never above the one it began with; a search that is
// interrupted hands out the best it has.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <utility>
#include <vector>

#include "tokumei/board.hpp"
#include "tokumei/eight.hpp"
#include "tokumei/local_search.hpp"
#include "tokumei/perturbation.hpp"
#include "tokumei/random.hpp"

namespace tokumei {

// How many shakes a record, and how warm: the temperature falls from `warm` to `cool`
// geometrically.
struct Effort {
  double trials = 0.0;
  double warm = 0.0;
  double cool = 0.0;
};

namespace detail {

// x^(1/64) by square roots, which every machine rounds alike.
inline double root_64(double x) {
  for (int i = 0; i < 6; ++i) x = std::sqrt(x);
  return x;
}

inline std::vector<Board::Index> arrangement(const Board& board) {
  std::vector<Board::Index> groups(board.rows);
  for (std::size_t row = 0; row < board.rows; ++row)
    groups[row] = board.group_of(static_cast<Board::Index>(row));
  return groups;
}

}  // namespace detail

// Rearranges the board; `best` becomes the group of each record. `pause(share)` is called now and
// then, while the board is whole; where it throws, `best` is still an arrangement that costs no
// more.
template <class Pause>
void anneal(Board& board, const Nearest& nearest, const Effort& effort, std::uint64_t seed,
            std::vector<Board::Index>& best, Pause&& pause) {
  using Index = Board::Index;
  constexpr std::size_t reach = 8;
  LocalSearch search(board, nearest, reach);
  for (std::size_t row = 0; row < board.rows; ++row) search.look_at(static_cast<Index>(row));
  search.run([&] {
    best = detail::arrangement(board);
    pause(0.0);
  });
  best = detail::arrangement(board);
  double least = board.total_cost();
  const auto trials = static_cast<std::size_t>(effort.trials * static_cast<double>(board.rows));
  if (trials == 0 || nearest.count == 0) return;

  const std::size_t around = std::min(board.k, nearest.count);
  std::vector<double> scale(board.rows, 0.0);
  for (std::size_t row = 0; row < board.rows; ++row) {
    const Index here = static_cast<Index>(row);
    for (std::size_t i = 0; i < around; ++i)
      scale[row] +=
          squared_distance(board.values(here), board.values(nearest.of(here)[i]), board.width);
    scale[row] /= 2 * static_cast<double>(around);
  }

  Chance chance(seed);
  Perturbation perturbation(board, nearest, chance);
  std::vector<Index> order(board.rows);
  std::iota(order.begin(), order.end(), Index{0});
  const double cooling = effort.warm > 0 ? detail::root_64(effort.cool / effort.warm) : 0.0;
  double temperature = effort.warm;
  std::size_t step = 0;
  for (std::size_t trial = 0; trial < trials; ++trial) {
    if (trial % board.rows == 0)
      for (std::size_t i = board.rows; i-- > 1;) std::swap(order[i], order[chance.below(i + 1)]);
    if (trial % 16 == 0) pause(static_cast<double>(trial) / static_cast<double>(trials));
    for (; step < 64 * trial / trials; ++step) temperature *= cooling;
    const Index row = order[trial % board.rows];
    board.begin();
    if (!perturbation.shake(row)) {
      board.undo();
      continue;
    }
    // The search may touch more groups; those it starts from are the ones shaken.
    const std::vector<Index> shaken = board.touched();
    for (const Index group : shaken) search.look_at_members(group);
    search.run([] {});
    const double change = board.change();
    if (change > 0 && change >= temperature * scale[row] * chance.exponential()) board.undo();
    if ((trial + 1) % board.rows == 0 || trial + 1 == trials) {
      const double cost = board.total_cost();
      if (cost < least) {
        least = cost;
        best = detail::arrangement(board);
      }
    }
  }
}

}  // namespace tokumei
