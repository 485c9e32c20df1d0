// Moves and swaps of single records, as long as they lower the cost.
//
// For a record x of group A and each group B among the groups of its nearest records:
//   move x to B:        b/(b+1) |x - cB|^2 - a/(a-1) |x - cA|^2,      where A keeps k and B has
//   room; swap x and y of B:  -2 (y-x).(cA-cB) - |y-x|^2 (1/a + 1/b).
// The best change of a record is made if it lowers the cost; then all members of both groups are
// looked at again, first come first served, until nothing improves. Costs O(d) a change looked at.
// Ties: the first found wins, in the order of the nearest records and of the members.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "tokumei/board.hpp"
#include "tokumei/eight.hpp"
#include "tokumei/instructions.hpp"

namespace tokumei {

// The nearest records of each record, nearest first: `count` a record, row after row.
struct Nearest {
  std::size_t count = 0;
  std::vector<Board::Index> rows;
  const Board::Index* of(Board::Index row) const { return &rows[row * count]; }
};

// What to do with a record: nothing, move it to `group`, or swap it with `other` (of `group`).
struct Change {
  static constexpr Board::Index nobody = ~Board::Index{0};
  double by = 0.0;
  Board::Index group = nobody;
  Board::Index other = nobody;
};

namespace detail {

// The best change of a record among the groups of its first `reach` nearest records. Compiled for
// rows of one and of two times eight values, which then stay in registers, and for any width.
struct BestChange {
  TOKUMEI_HOT static Change run(const Board* board, Board::Index row, const Board::Index* nearest,
                                std::size_t reach) {
    if (board->width == lane_count) return among<1>(board, row, nearest, reach);
    if (board->width == 2 * lane_count) return among<2>(board, row, nearest, reach);
    return among<0>(board, row, nearest, reach);
  }

 private:
  template <std::size_t chunks>
  TOKUMEI_HOT static Change among(const Board* board, Board::Index row, const Board::Index* nearest,
                                  std::size_t reach) {
    using Index = Board::Index;
    constexpr std::size_t most_groups = 16;
    const std::size_t width = chunks == 0 ? board->width : chunks * lane_count;
    const Index own = board->group_of(row);
    const double* x = board->values(row);
    const double* own_centre = board->centre(own);
    const double a = static_cast<double>(board->size(own));
    const bool may_leave = board->size(own) > board->k;
    const double leaving = may_leave ? a / (a - 1) * squared_distance(x, own_centre, width) : 0.0;
    Change best;
    Index seen[most_groups];
    std::size_t count = 0;
    for (std::size_t i = 0; i < reach && count < most_groups; ++i) {
      const Index group = board->group_of(nearest[i]);
      bool known = group == own;
      for (std::size_t s = 0; s < count; ++s) known = known || seen[s] == group;
      if (known) continue;
      seen[count++] = group;
      const std::size_t size = board->size(group);
      const double b = static_cast<double>(size);
      const double* centre = board->centre(group);
      if (may_leave && size < board->most) {
        const double by = b / (b + 1) * squared_distance(x, centre, width) - leaving;
        if (by < best.by) best = {by, group, Change::nobody};
      }
      const double shares = 1 / a + 1 / b;
      const Index* members = board->members(group);
      for (std::size_t m = 0; m < size; ++m) {
        const double by =
            swap_change<chunks>(x, board->values(members[m]), own_centre, centre, shares, width);
        if (by < best.by) best = {by, group, members[m]};
      }
    }
    return best;
  }

  // -2 (y-x).(cA-cB) - shares |y-x|^2, the two sums made in one.
  template <std::size_t chunks>
  TOKUMEI_HOT static double swap_change(const double* x, const double* y, const double* own_centre,
                                        const double* centre, double shares, std::size_t width) {
    Eight sum = {};
    for (std::size_t j = 0; j < width; j += lane_count) {
      const Eight step = load(y + j) - load(x + j);
      const Eight pull = (load(own_centre + j) - load(centre + j)) * 2.0;
      sum = sum - step * (pull + step * shares);
    }
    return total(sum);
  }
};

}  // namespace detail

class LocalSearch {
 public:
  using Index = Board::Index;

  LocalSearch(Board& board, const Nearest& nearest, std::size_t reach)
      : board_(board), nearest_(nearest), reach_(reach < nearest.count ? reach : nearest.count),
        waiting_(board.rows, 0) {}

  void look_at(Index row) {
    if (waiting_[row]) return;
    waiting_[row] = 1;
    queue_.push_back(row);
  }

  void look_at_members(Index group) {
    const Index* members = board_.members(group);
    for (std::size_t m = 0; m < board_.size(group); ++m) look_at(members[m]);
  }

  // Empties the queue. `pause` is called now and then; it may throw, and the board stays whole.
  template <class Pause>
  void run(Pause&& pause) {
    for (std::size_t next = 0; next < queue_.size(); ++next) {
      if (next % 1024 == 1023) pause();
      const Index row = queue_[next];
      waiting_[row] = 0;
      const Index from = board_.group_of(row);
      const Change change = dispatch<detail::BestChange>(
          board_.level(), static_cast<const Board*>(&board_), row, nearest_.of(row), reach_);
      if (change.group == Change::nobody || !improves(row, from, change)) continue;
      look_at_members(from);
      look_at_members(change.group);
    }
    queue_.clear();
  }

  // Makes a change and keeps it if the two groups then cost less. What was predicted is right but
  // for rounding, and this is what rounding may not do: let two arrangements follow one another for
  // ever.
  bool improves(Index row, Index from, const Change& change) {
    const double before = board_.cost(from) + board_.cost(change.group);
    if (-change.by <= grain * before) return false;
    exchange(row, from, change.group, change.other);
    if (board_.cost(from) + board_.cost(change.group) < before) return true;
    if (change.other == Change::nobody)
      exchange(row, change.group, from, Change::nobody);
    else
      exchange(change.other, from, change.group, row);
    return false;
  }

  void exchange(Index row, Index from, Index to, Index other) {
    if (other == Change::nobody)
      board_.move(row, to);
    else
      board_.swap(row, other);
    board_.refresh(from);
    board_.refresh(to);
  }

  // Forgets what is waiting.
  void clear() {
    for (const Index row : queue_) waiting_[row] = 0;
    queue_.clear();
  }

 private:
  // Differences below the rounding of the costs are no improvement.
  static constexpr double grain = 1e-12;

  Board& board_;
  const Nearest& nearest_;
  std::size_t reach_;
  std::vector<Index> queue_;
  std::vector<std::uint8_t> waiting_;
};

}  // namespace tokumei
