// The categories that some records hold, and how wide that makes them.
//
// Corners of a simplex vary in a coordinate for each category that some of the records hold and not
// all: the width in a column of codes is 0 where all agree, else the number of their categories. A
// missing cell is none of them. It never falls when a record is added.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "tokumei/spatial/category_counts.hpp"

namespace tokumei::spatial {

class HeldCategories {
 public:
  explicit HeldCategories(std::size_t columns) : slots_(columns) {}

  void hold(const CategorySlot* record) {
    for (std::size_t j = 0; j < slots_.size(); ++j)
      if (!holds(j, record[j])) slots_[j].push_back(record[j]);
  }

  std::size_t columns() const { return slots_.size(); }
  // Each slot once, in the order in which they came.
  const std::vector<CategorySlot>& slots(std::size_t j) const { return slots_[j]; }

  // The width in a column once a record is added: of a slot that is there, of a missing cell and of
  // another category where they are not. Each is at least the one before.
  double width_with_held(std::size_t j) const { return slots_[j].size() < 2 ? 0.0 : categories(j); }
  double width_with_missing(std::size_t j) const { return categories(j); }
  double width_with_other(std::size_t j) const { return categories(j) + 1.0; }

  // A width of numbers and the widths with a record.
  double add_widths(double width, const CategorySlot* record) const {
    for (std::size_t j = 0; j < slots_.size(); ++j)
      width += holds(j, record[j]) ? width_with_held(j)
               : record[j] == 0    ? width_with_missing(j)
                                   : width_with_other(j);
    return width;
  }
  // The same as it is now.
  double add_widths(double width) const {
    for (std::size_t j = 0; j < slots_.size(); ++j) width += width_with_held(j);
    return width;
  }

 private:
  bool holds(std::size_t j, CategorySlot slot) const {
    return std::find(slots_[j].begin(), slots_[j].end(), slot) != slots_[j].end();
  }
  double categories(std::size_t j) const {
    return static_cast<double>(slots_[j].size()) - (holds(j, 0) ? 1.0 : 0.0);
  }

  std::vector<std::vector<CategorySlot>> slots_;
};

}  // namespace tokumei::spatial
