// Rows gathered in blocks: every row in exactly one block, no block empty, rows ascending in each.
#pragma once

#include <cstddef>
#include <vector>

#include "tokumei/rooms.hpp"

namespace tokumei::numeric {

struct RowBlocks {
  std::vector<std::size_t> rows;     // block after block
  std::vector<std::size_t> borders;  // block b is rows[borders[b]] .. rows[borders[b + 1] - 1]

  std::size_t size() const { return borders.size() - 1; }
};

}  // namespace tokumei::numeric
