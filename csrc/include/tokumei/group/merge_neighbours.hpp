// Categories that have an order, merged with neighbours until none is rare.
//
// While the smallest category counts less than `least` and is not alone, it is merged with the
// smaller of its two neighbours. Ties: of equal categories the one lowest in the order goes first,
// and it goes to its lower neighbour. `merged` receives the number of each category's run, counted
// from 0 in their order. O(u log u) for u categories, O(u) memory. Counts must sum to less
// than 2^63.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <numeric>
#include <queue>
#include <utility>
#include <vector>

#include "tokumei/runtime/run.hpp"
#include "tokumei/runtime/views.hpp"

namespace tokumei::group {

// Runs of categories by their first one, linked in their order.
class Runs {
 public:
  explicit Runs(Column<std::int64_t> counts)
      : counts_(counts.begin(), counts.end()), before_(counts.size()), behind_(counts.size()) {
    std::iota(before_.begin(), before_.end(), std::size_t(0) - 1);
    std::iota(behind_.begin(), behind_.end(), std::size_t(1));
  }

  std::int64_t count(std::size_t run) const { return counts_[run]; }
  bool begins(std::size_t run) const { return counts_[run] > gone; }

  // The run that takes in the smaller neighbour, of two equal ones the lower.
  std::size_t grow(std::size_t run) {
    const std::size_t lower = before_[run], upper = behind_[run];
    const bool down = lower != nobody() && (upper == end() || counts_[lower] <= counts_[upper]);
    return down ? join(lower, run) : join(run, upper);
  }

 private:
  static constexpr std::int64_t gone = -1;
  std::vector<std::int64_t> counts_;
  std::vector<std::size_t> before_, behind_;

  static std::size_t nobody() { return std::size_t(0) - 1; }
  std::size_t end() const { return counts_.size(); }

  std::size_t join(std::size_t lower, std::size_t upper) {
    counts_[lower] += counts_[upper];
    counts_[upper] = gone;
    behind_[lower] = behind_[upper];
    if (behind_[upper] != end()) before_[behind_[upper]] = lower;
    return lower;
  }
};

inline void merge_neighbours(Column<std::int64_t> counts, std::int64_t least,
                             OutColumn<std::int64_t> merged, Run run) {
  using Entry = std::pair<std::int64_t, std::size_t>;
  constexpr std::size_t between_ticks = 1 << 14;
  Runs runs(counts);
  std::vector<Entry> entries;
  for (std::size_t i = 0; i < counts.size(); ++i)
    if (counts[i] < least) entries.emplace_back(counts[i], i);
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> waiting({}, std::move(entries));
  std::size_t left = counts.size();
  for (std::size_t step = 0; !waiting.empty() && left > 1; ++step) {
    if (step % between_ticks == 0)
      run.monitor.tick(1.0 - static_cast<double>(left) / static_cast<double>(counts.size()));
    const auto [count, smallest] = waiting.top();
    waiting.pop();
    if (!runs.begins(smallest) || runs.count(smallest) != count) continue;
    const std::size_t grown = runs.grow(smallest);
    --left;
    if (runs.count(grown) < least) waiting.emplace(runs.count(grown), grown);
  }
  std::int64_t number = -1;
  for (std::size_t i = 0; i < counts.size(); ++i) merged[i] = runs.begins(i) ? ++number : number;
}

}  // namespace tokumei::group
