// The cells of a grid within so many rings around one of them, as a box of numbers.
//
// A value is in the box if and only if its cell is among them: a side is the least or the largest
// number that the grid counts to such a cell, to the last bit.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "tokumei/order/cell_grid.hpp"

namespace tokumei::order {

class CellWindow {
 public:
  // Borrows the grid.
  CellWindow(const CellGrid& grid, std::size_t axes)
      : grid_(grid), middle_(axes), lower_(axes), upper_(axes) {}

  // From now on rings are those around the cell of this record.
  void centre(const double* record) {
    for (std::size_t j = 0; j < middle_.size(); ++j) middle_[j] = grid_.number(record[j], j);
  }

  std::int32_t ring_of(const double* record) const {
    std::int32_t ring = 0;
    for (std::size_t j = 0; j < middle_.size(); ++j)
      ring = std::max(ring, std::abs(grid_.number(record[j], j) - middle_[j]));
    return ring;
  }

  // Makes the box that of these rings.
  void open(std::int32_t rings) {
    for (std::size_t j = 0; j < middle_.size(); ++j) {
      lower_[j] = grid_.least_of(middle_[j] - rings, j);
      upper_[j] = std::nextafter(grid_.least_of(middle_[j] + rings + 1, j),
                                 -std::numeric_limits<double>::infinity());
    }
  }
  const double* lower() const { return lower_.data(); }
  const double* upper() const { return upper_.data(); }

 private:
  const CellGrid& grid_;
  std::vector<std::int32_t> middle_;
  std::vector<double> lower_, upper_;
};

}  // namespace tokumei::order
