// What a search for records finds.
#pragma once

#include <cstddef>

#include "tokumei/spatial/bounding_box_tree.hpp"

namespace tokumei::spatial {

// A record found; the lower score is the better one, of equal ones that of the lower row.
struct Found {
  double score = 0.0;
  std::size_t row = 0;
  std::size_t place = 0;
  bool operator<(const Found& other) const {
    return score < other.score || (score == other.score && row < other.row);
  }
};

// Every record with a score is better.
inline constexpr Found nothing{infinite, no_row, no_row};

}  // namespace tokumei::spatial
