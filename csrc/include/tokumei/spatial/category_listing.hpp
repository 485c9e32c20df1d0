// Where the records of each category stand, for columns of many: so few have one in common that
// they are measured one by one, and all others are known to be apart.
//
// Only columns with more slots than category_leaves.hpp has words for are listed; there a word
// stands for several, and a search would look wherever any of them is. Memory: 8 bytes a record and
// 8 a slot for each such column. Building takes O(n) for each.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "tokumei/runtime/views.hpp"
#include "tokumei/spatial/category_blocks.hpp"

namespace tokumei::spatial {

class CategoryListing {
 public:
  // Of all places that hold a record; `rows` are those of the places.
  void build(const CategoryBlocks& blocks, const std::vector<std::size_t>& rows) {
    columns_.clear();
    for (std::size_t j = 0; j < blocks.columns; ++j)
      if (!blocks.tells_leaves(j)) columns_.push_back(list(blocks, rows, j));
  }

  // Each column listed, by its number, and the places that held a slot of it when this was built.
  std::size_t columns() const { return columns_.size(); }
  std::size_t column(std::size_t i) const { return columns_[i].number; }
  std::span<const std::size_t> places(std::size_t i, CategorySlot slot) const {
    const Listed& of = columns_[i];
    const auto at = static_cast<std::size_t>(slot);
    return {of.places.data() + of.starts[at], of.starts[at + 1] - of.starts[at]};
  }

 private:
  struct Listed {
    std::size_t number;
    std::vector<std::size_t> starts, places;  // by slot
  };

  static Listed list(const CategoryBlocks& blocks, const std::vector<std::size_t>& rows,
                     std::size_t j) {
    // Two ahead: counted, then summed to where each begins, then moved on to where each ends.
    Listed found{j, std::vector<std::size_t>(blocks.slots_of(j) + 2), {}};
    for (std::size_t place = 0; place < rows.size(); ++place)
      if (rows[place] != no_row) ++found.starts[slot_at(blocks, place, j) + 2];
    for (std::size_t at = 2; at < found.starts.size(); ++at)
      found.starts[at] += found.starts[at - 1];
    found.places.resize(found.starts.back());
    for (std::size_t place = 0; place < rows.size(); ++place)
      if (rows[place] != no_row)
        found.places[found.starts[slot_at(blocks, place, j) + 1]++] = place;
    return found;
  }

  static std::size_t slot_at(const CategoryBlocks& blocks, std::size_t place, std::size_t j) {
    return static_cast<std::size_t>(blocks.slots(place)[j]);
  }

  std::vector<Listed> columns_;
};

}  // namespace tokumei::spatial
