// The search on one state: local search, then perturbations that are kept or undone.
//
// After each perturbation a local search runs from the touched groups; the outcome is kept if the
// touched groups cost no more than before, or with probability exp(-change / (T s)), s being half
// the mean squared distance of the perturbed record to its k nearest. That scale is local because
// data are heavy-tailed: one temperature cannot serve outliers and core. The state ends in the
// cheapest arrangement seen at the end of a sweep, never above the one it began with; a search that
// is interrupted hands out the best it has.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numeric>
#include <utility>
#include <vector>

#include "tokumei/numeric/random.hpp"
#include "tokumei/refine/codes_of_groups.hpp"
#include "tokumei/refine/local_search.hpp"
#include "tokumei/refine/perturbation.hpp"
#include "tokumei/refine/search_state.hpp"

namespace tokumei::refine {

// How many perturbations a record, and how start_temperature: the temperature falls from
// `start_temperature` to `end_temperature` geometrically.
struct AnnealingSchedule {
  double perturbations = 0.0;
  double start_temperature = 0.0;
  double end_temperature = 0.0;
};

// x^(1/64) by square roots, which every machine rounds alike.
inline double root_64(double x) {
  for (int i = 0; i < 6; ++i) x = std::sqrt(x);
  return x;
}

// The group of each record, groups numbered in the order of their first record.
template <class SearchState>
std::vector<StateIndex> arrangement(const SearchState& state) {
  constexpr StateIndex unknown = ~StateIndex{0};
  std::vector<StateIndex> groups(state.rows), names(state.room(), unknown);
  StateIndex known = 0;
  for (std::size_t row = 0; row < state.rows; ++row) {
    StateIndex& name = names[state.group_of(static_cast<StateIndex>(row))];
    if (name == unknown) name = known++;
    groups[row] = name;
  }
  return groups;
}

// Whether the rules allow all groups that the trial has touched.
template <class SearchState>
bool allowed(const SearchState& state) {
  if (state.rules == nullptr) return true;
  for (const StateIndex group : state.touched())
    if (state.size(group) > 0 && !state.allows(group)) return false;
  return true;
}

// Rearranges the state; `best` becomes the group of each record. `pause(share)` is called now and
// then, while the state is whole; where it throws, `best` is still an arrangement that costs no
// more.
//
// Records are perturbed in random order within stretches of so many rows: rows that stand near one
// another are near in space, and what a processor holds is used again.
template <class SearchState, class Pause>
void anneal(SearchState& state, const Nearest& nearest, const AnnealingSchedule& schedule,
            std::uint64_t seed, std::size_t stretch, std::vector<StateIndex>& best, Pause&& pause) {
  using Index = StateIndex;
  // Of so few records all are near.
  constexpr std::size_t few = NoCodes::reach + 1;
  const std::size_t reach = state.rows <= few ? few - 1 : SearchState::Cost::Codes::reach;
  LocalSearch search(state, nearest, reach);
  for (std::size_t row = 0; row < state.rows; ++row) search.look_at(static_cast<Index>(row));
  double least = std::numeric_limits<double>::infinity();
  const auto keep = [&] {
    const double cost = state.total_cost();
    if (!(cost < least)) return;
    least = cost;
    best = arrangement(state);
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
  const auto perturbations =
      static_cast<std::size_t>(schedule.perturbations * static_cast<double>(state.rows));
  if (perturbations == 0 || nearest.count == 0) return;

  const std::size_t around = std::min(state.k, nearest.count);
  std::vector<double> scale(state.rows, 0.0);
  for (std::size_t row = 0; row < state.rows; ++row) {
    const Index here = static_cast<Index>(row);
    for (std::size_t i = 0; i < around; ++i) scale[row] += state.apart(here, nearest.of(here)[i]);
    scale[row] /= 2 * static_cast<double>(around);
  }

  Xoshiro256 chance(seed);
  Perturbation perturbation(state, nearest, chance);
  std::vector<Index> order(state.rows);
  std::iota(order.begin(), order.end(), Index{0});
  const double cooling = schedule.start_temperature > 0
                             ? root_64(schedule.end_temperature / schedule.start_temperature)
                             : 0.0;
  double temperature = schedule.start_temperature;
  std::size_t step = 0;
  // Sweeps of equally many perturbations, spread evenly over the order.
  const std::size_t sweeps = (perturbations + state.rows - 1) / state.rows;
  const std::size_t of_sweep = perturbations / sweeps;
  for (std::size_t trial = 0; trial < sweeps * of_sweep; ++trial) {
    if (trial % of_sweep == 0)
      for (std::size_t i = state.rows; i-- > 1;) {
        const std::size_t first = i / stretch * stretch;
        std::swap(order[i], order[first + chance.below(i - first + 1)]);
      }
    if (trial % 16 == 0) rest(static_cast<double>(trial) / static_cast<double>(perturbations));
    for (; step < 64 * trial / perturbations; ++step) temperature *= cooling;
    const Index row = order[trial % of_sweep * state.rows / of_sweep];
    state.begin();
    if (!perturbation.perturbation(row)) {
      state.undo();
      continue;
    }
    // The search may touch more groups; those it starts from are the ones perturbed.
    const std::vector<Index> perturbed = state.touched();
    for (const Index group : perturbed) search.look_at_members(group);
    search.run([] {});
    const double change = state.change();
    if ((change > 0 && change >= temperature * scale[row] * chance.exponential()) ||
        !allowed(state))
      state.undo();
    if ((trial + 1) % of_sweep == 0) keep();
  }
}

}  // namespace tokumei::refine
