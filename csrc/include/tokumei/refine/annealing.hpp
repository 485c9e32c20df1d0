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
#include <limits>
#include <numeric>
#include <utility>
#include <vector>

#include "tokumei/numeric/random.hpp"
#include "tokumei/refine/local_search.hpp"
#include "tokumei/refine/perturbation.hpp"
#include "tokumei/refine/search_state.hpp"
#include "tokumei/simd/eight.hpp"

namespace tokumei::refine {

// How many shakes a record, and how warm: the temperature falls from `warm` to `cool`
// geometrically.
struct AnnealingSchedule {
  double trials = 0.0;
  double warm = 0.0;
  double cool = 0.0;
};

// x^(1/64) by square roots, which every machine rounds alike.
inline double root_64(double x) {
  for (int i = 0; i < 6; ++i) x = std::sqrt(x);
  return x;
}

// The group of each record, groups numbered in the order of their first record.
template <class SearchState>
std::vector<StateIndex> arrangement(const SearchState& board) {
  constexpr StateIndex unknown = ~StateIndex{0};
  std::vector<StateIndex> groups(board.rows), names(board.room(), unknown);
  StateIndex known = 0;
  for (std::size_t row = 0; row < board.rows; ++row) {
    StateIndex& name = names[board.group_of(static_cast<StateIndex>(row))];
    if (name == unknown) name = known++;
    groups[row] = name;
  }
  return groups;
}

// Whether the rules allow all groups that the trial has touched.
template <class SearchState>
bool allowed(const SearchState& board) {
  if (board.rules == nullptr) return true;
  for (const StateIndex group : board.touched())
    if (board.size(group) > 0 && !board.allows(group)) return false;
  return true;
}

// Rearranges the board; `best` becomes the group of each record. `pause(share)` is called now and
// then, while the board is whole; where it throws, `best` is still an arrangement that costs no
// more.
//
// Records are shaken in random order within stretches of so many rows: rows that stand near one
// another are near in space, and what a processor holds is used again.
template <class SearchState, class Pause>
void anneal(SearchState& board, const Nearest& nearest, const AnnealingSchedule& effort,
            std::uint64_t seed, std::size_t stretch, std::vector<StateIndex>& best, Pause&& pause) {
  using Index = StateIndex;
  using Cost = typename SearchState::Cost;
  constexpr std::size_t reach = 8;
  LocalSearch search(board, nearest, reach);
  for (std::size_t row = 0; row < board.rows; ++row) search.look_at(static_cast<Index>(row));
  double least = std::numeric_limits<double>::infinity();
  const auto keep = [&] {
    const double cost = board.total_cost();
    if (!(cost < least)) return;
    least = cost;
    best = arrangement(board);
  };
  const auto rest = [&](double share) {
    try {
      pause(share);
    } catch (...) {
      keep();
      throw;
    }
  };
  search.run([&] { rest(0.0); });
  keep();
  const auto trials = static_cast<std::size_t>(effort.trials * static_cast<double>(board.rows));
  if (trials == 0 || nearest.count == 0) return;

  const std::size_t around = std::min(board.k, nearest.count);
  std::vector<double> scale(board.rows, 0.0);
  for (std::size_t row = 0; row < board.rows; ++row) {
    const Index here = static_cast<Index>(row);
    for (std::size_t i = 0; i < around; ++i)
      scale[row] += Cost::apart(board.values(here), board.values(nearest.of(here)[i]), board.width);
    scale[row] /= 2 * static_cast<double>(around);
  }

  Xoshiro256 chance(seed);
  Perturbation perturbation(board, nearest, chance);
  std::vector<Index> order(board.rows);
  std::iota(order.begin(), order.end(), Index{0});
  const double cooling = effort.warm > 0 ? root_64(effort.cool / effort.warm) : 0.0;
  double temperature = effort.warm;
  std::size_t step = 0;
  // Sweeps of equally many shakes, spread evenly over the order.
  const std::size_t sweeps = (trials + board.rows - 1) / board.rows;
  const std::size_t of_sweep = trials / sweeps;
  for (std::size_t trial = 0; trial < sweeps * of_sweep; ++trial) {
    if (trial % of_sweep == 0)
      for (std::size_t i = board.rows; i-- > 1;) {
        const std::size_t first = i / stretch * stretch;
        std::swap(order[i], order[first + chance.below(i - first + 1)]);
      }
    if (trial % 16 == 0) rest(static_cast<double>(trial) / static_cast<double>(trials));
    for (; step < 64 * trial / trials; ++step) temperature *= cooling;
    const Index row = order[trial % of_sweep * board.rows / of_sweep];
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
    if ((change > 0 && change >= temperature * scale[row] * chance.exponential()) ||
        !allowed(board))
      board.undo();
    if ((trial + 1) % of_sweep == 0) keep();
  }
}

}  // namespace tokumei::refine
