// Equal blocks over the box around all records, and the rings of blocks around one of them.
//
// Axis j is cut into counts[j] blocks of one width; a value x lies in block min(counts[j] - 1,
// floor((x - least) * (counts[j] / (most - least)))) of its axis. An axis whose values are all
// equal, or so close that this quotient is infinite, has one block. The ring of a block around
// another is the largest difference of their numbers on any axis (Chebyshev).
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "tokumei/numeric/radix_sort.hpp"
#include "tokumei/numeric/row_blocks.hpp"
#include "tokumei/runtime/progress_monitor.hpp"
#include "tokumei/runtime/views.hpp"

namespace tokumei::order {

// counts: from 1 to 2^30.
class CellGrid {
 public:
  CellGrid(Table<double> x, Column<std::int64_t> counts)
      : least_(x.columns()), most_(x.columns()), scale_(x.columns(), 0.0), last_(x.columns(), 0) {
    for (std::size_t j = 0; j < x.columns(); ++j) {
      const auto column = x.column(j);
      const auto [least, most] = std::minmax_element(column.begin(), column.end());
      const double scale = static_cast<double>(counts[j]) / (*most - *least);
      least_[j] = *least;
      most_[j] = *most;
      if (!std::isfinite(scale)) continue;
      scale_[j] = scale;
      last_[j] = static_cast<std::int32_t>(counts[j] - 1);
    }
  }

  std::int32_t number(double x, std::size_t j) const {
    const auto whole = static_cast<std::int32_t>((x - least_[j]) * scale_[j]);
    return whole < last_[j] ? whole : last_[j];
  }

  // The least number between the least and the largest value of an axis that lies in block m or
  // above; infinity where none does, minus infinity where all do.
  double least_of(std::int32_t m, std::size_t j) const {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    if (m <= 0) return -infinity;
    if (number(most_[j], j) < m) return infinity;
    // Not far from where it is without roundings; that is made sure of.
    const double about = least_[j] + static_cast<double>(m) / scale_[j];
    const double off = 0x1p-50 * std::max(std::abs(least_[j]), std::abs(most_[j]));
    double low = std::max(about - off, least_[j]), high = std::min(about + off, most_[j]);
    if (!(low < most_[j] && number(low, j) < m)) low = least_[j];
    if (!(high > least_[j] && number(high, j) >= m)) high = most_[j];
    std::int64_t below = rank_of(low), above = rank_of(high);
    while (above - below > 1) {
      const std::int64_t middle = below + (above - below) / 2;
      (number(of_rank(middle), j) < m ? below : above) = middle;
    }
    return of_rank(above);
  }

  // The non-empty blocks.
  RowBlocks blocks(Table<double> x, ProgressMonitor& monitor) const {
    std::vector<RowKey> items(x.rows()), room(x.rows());
    for (std::size_t row = 0; row < x.rows(); ++row) items[row].row = row;
    std::vector<char> border(x.rows() + 1, 0);
    // Stable sorts by one key after the other: equal blocks end up side by side.
    const auto keys = keyed_axes(x.columns());
    for (const auto& key : keys) {
      fill_keys(x, key, items, monitor);
      sort_by_key(items, room, monitor);
    }
    RowBlocks blocks;
    for (const auto& item : items) blocks.rows.push_back(item.row);
    for (const auto& key : keys) {
      fill_keys(x, key, items, monitor);
      for (std::size_t i = 1; i < items.size(); ++i) border[i] |= items[i].key != items[i - 1].key;
    }
    border.front() = border.back() = 1;
    for (std::size_t i = 0; i < border.size(); ++i)
      if (border[i] != 0) blocks.borders.push_back(i);
    return blocks;
  }

 private:
  // A run of axes whose block numbers fit in one key.
  struct KeyAxes {
    std::size_t begin, end;
  };

  unsigned bits(std::size_t j) const { return std::bit_width(static_cast<unsigned>(last_[j])); }

  std::vector<KeyAxes> keyed_axes(std::size_t axes) const {
    std::vector<KeyAxes> keys;
    unsigned used = 64;
    for (std::size_t j = 0; j < axes; ++j) {
      if (bits(j) == 0) continue;
      if (used + bits(j) > 64) {
        keys.push_back({j, j});
        used = 0;
      }
      used += bits(j);
      keys.back().end = j + 1;
    }
    return keys;
  }

  void fill_keys(Table<double> x, const KeyAxes& key, std::vector<RowKey>& items,
                 ProgressMonitor& monitor) const {
    for (auto& item : items) item.key = 0;
    for (std::size_t j = key.begin; j < key.end; ++j) {
      const auto column = x.column(j);
      if (bits(j) == 0) continue;
      monitor.tick(0.0);
      for (auto& item : items)
        item.key = item.key << bits(j) | static_cast<std::uint64_t>(number(column[item.row], j));
    }
  }

  // Numbers in their order, as whole numbers in theirs.
  static std::int64_t rank_of(double x) {
    const auto bits = std::bit_cast<std::int64_t>(x);
    return bits < 0 ? -(bits & std::numeric_limits<std::int64_t>::max()) : bits;
  }
  static double of_rank(std::int64_t rank) {
    return rank < 0 ? -std::bit_cast<double>(-rank) : std::bit_cast<double>(rank);
  }

  std::vector<double> least_;
  std::vector<double> most_;
  std::vector<double> scale_;
  std::vector<std::int32_t> last_;
};

}  // namespace tokumei::order
