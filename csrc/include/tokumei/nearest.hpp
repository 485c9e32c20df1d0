// Which records of a block are near one another, for searches that look at neighbours only.
//
// Small blocks get the exact nearest records. In large tables they are looked for among the members
// of a record's own group and of the groups whose centres are nearest: groups are already places in
// space. Ties: the lower index first.
#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "tokumei/board.hpp"
#include "tokumei/distance.hpp"
#include "tokumei/local_search.hpp"

namespace tokumei {

namespace detail {

// (distance, index), ordered by both.
using Near = std::pair<double, Board::Index>;

// The `count` least of `all`, in order, into `out`.
inline void keep_nearest(std::vector<Near>& all, std::size_t count, Board::Index* out) {
  if (count < all.size())
    std::nth_element(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(count), all.end());
  std::sort(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(count));
  for (std::size_t i = 0; i < count; ++i) out[i] = all[i].second;
}

// Points column after column, and their distances to one of them.
class Points {
 public:
  template <class At>
  Points(std::size_t rows, std::size_t columns, At&& at)
      : rows_(rows), values_(rows * columns), point_(columns), distances_(rows) {
    for (std::size_t j = 0; j < columns; ++j) {
      for (std::size_t i = 0; i < rows; ++i) values_[j * rows + i] = at(i, j);
      columns_.push_back(&values_[j * rows]);
    }
  }

  const std::vector<double>& from(std::size_t row, Level level) {
    for (std::size_t j = 0; j < point_.size(); ++j) point_[j] = columns_[j][row];
    dispatch<SquaredDistances>(level, static_cast<const double* const*>(columns_.data()),
                               std::size_t{0}, rows_, point_.size(),
                               static_cast<const double*>(point_.data()), distances_.data());
    return distances_;
  }

 private:
  std::size_t rows_;
  std::vector<double> values_, point_, distances_;
  std::vector<const double*> columns_;
};

}  // namespace detail

// The exact nearest records, at most `count` each. O(n^2 d).
template <class Pause>
Nearest nearest_records(const Board& board, std::size_t columns, std::size_t count, Pause&& pause) {
  Nearest nearest{std::min(count, board.rows - 1), {}};
  nearest.rows.resize(board.rows * nearest.count);
  detail::Points points(board.rows, columns, [&](std::size_t row, std::size_t j) {
    return board.values(static_cast<Board::Index>(row))[j];
  });
  std::vector<detail::Near> all;
  for (std::size_t row = 0; row < board.rows; ++row) {
    if (row % 64 == 0) pause();
    const auto& distances = points.from(row, board.level());
    all.clear();
    for (std::size_t other = 0; other < board.rows; ++other)
      if (other != row) all.push_back({distances[other], static_cast<Board::Index>(other)});
    detail::keep_nearest(all, nearest.count, &nearest.rows[row * nearest.count]);
  }
  return nearest;
}

// The nearest records among those of the own group and of the `reach` groups with the nearest
// centres; records that find fewer than `count` repeat their last one. Groups are 0..groups-1.
template <class Pause>
Nearest nearest_in_groups(const Board& board, std::size_t columns, std::size_t groups,
                          std::size_t reach, std::size_t count, Pause&& pause) {
  using Index = Board::Index;
  Nearest nearest{std::min(count, board.rows - 1), {}};
  nearest.rows.resize(board.rows * nearest.count);
  detail::Points centres(groups, columns, [&](std::size_t group, std::size_t j) {
    return board.centre(static_cast<Index>(group))[j];
  });
  std::vector<detail::Near> all;
  std::vector<Index> around(std::min(reach + 1, groups)), candidates;
  for (std::size_t group = 0; group < groups; ++group) {
    if (group % 64 == 0) pause();
    const auto& distances = centres.from(group, board.level());
    all.clear();
    for (std::size_t other = 0; other < groups; ++other)
      all.push_back({distances[other], static_cast<Index>(other)});
    detail::keep_nearest(all, around.size(), around.data());
    candidates.clear();
    for (const Index other : around)
      candidates.insert(candidates.end(), board.members(other),
                        board.members(other) + board.size(other));
    const Index own = static_cast<Index>(group);
    for (std::size_t m = 0; m < board.size(own); ++m) {
      const Index row = board.members(own)[m];
      all.clear();
      for (const Index other : candidates)
        if (other != row)
          all.push_back(
              {squared_distance(board.values(row), board.values(other), board.width), other});
      Index* out = &nearest.rows[row * nearest.count];
      const std::size_t found = std::min(nearest.count, all.size());
      if (found == 0) {
        std::fill_n(out, nearest.count, row);
        continue;
      }
      detail::keep_nearest(all, found, out);
      std::fill(out + found, out + nearest.count, out[found - 1]);
    }
  }
  return nearest;
}

}  // namespace tokumei
