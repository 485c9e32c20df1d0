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
#include <vector>

#include "tokumei/numeric/radix_sort.hpp"
#include "tokumei/numeric/row_blocks.hpp"
#include "tokumei/runtime/instruction_sets.hpp"
#include "tokumei/runtime/progress_monitor.hpp"
#include "tokumei/runtime/views.hpp"
#include "tokumei/spatial/kd_tree_boxes.hpp"
#include "tokumei/spatial/kd_tree_search.hpp"

namespace tokumei::order {

// counts: from 1 to 2^30.
class CellGrid {
 public:
  CellGrid(Table<double> x, Column<std::int64_t> counts, std::size_t sides)
      : least_(sides, 0.0), scale_(sides, 0.0), last_(sides, 0) {
    for (std::size_t j = 0; j < x.columns(); ++j) {
      const auto column = x.column(j);
      const auto [least, most] = std::minmax_element(column.begin(), column.end());
      const double scale = static_cast<double>(counts[j]) / (*most - *least);
      least_[j] = *least;
      if (!std::isfinite(scale)) continue;
      scale_[j] = scale;
      last_[j] = static_cast<std::int32_t>(counts[j] - 1);
    }
  }

  TOKUMEI_HOT std::int32_t number(double x, std::size_t j) const {
    const auto whole = static_cast<std::int32_t>((x - least_[j]) * scale_[j]);
    return whole < last_[j] ? whole : last_[j];
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

  std::vector<double> least_;
  std::vector<double> scale_;
  std::vector<std::int32_t> last_;
};

// The rings around the block of one point, as a bound for kd_tree_search.hpp.
class CellRings {
 public:
  CellRings(const CellGrid& grid, const std::vector<double>& point)
      : grid_(grid), middle_(point.size()) {
    for (std::size_t j = 0; j < point.size(); ++j) middle_[j] = grid.number(point[j], j);
  }

  template <std::size_t bytes>
  TOKUMEI_HOT Nearness least(const double* box, std::size_t sides, const double* point) const {
    std::int32_t ring = 0;
    for (std::size_t axis = 0; axis < sides; ++axis) {
      const std::int32_t below = grid_.number(box[axis], axis) - middle_[axis];
      const std::int32_t above = middle_[axis] - grid_.number(box[sides + axis], axis);
      ring = std::max({ring, below, above});
    }
    return {ring, least_distance<bytes>(box, sides, point)};
  }

 private:
  const CellGrid& grid_;
  std::vector<std::int32_t> middle_;
};

}  // namespace tokumei::order
