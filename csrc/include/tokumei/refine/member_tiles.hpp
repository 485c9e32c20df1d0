// The members of each group side by side, so that a record is compared with eight of them at once.
//
// A group has whole chunks of eight places. A chunk holds eight values for each attribute
// and a last eight for the members' squared lengths; an empty place has length minus
// infinity, so that no swap with it can look good. Setting a place costs O(d).
#pragma once

#include <cstddef>
#include <limits>
#include <vector>

#include "tokumei/simd/lanes.hpp"

namespace tokumei::refine {

class MemberTiles {
 public:
  MemberTiles() = default;
  MemberTiles(std::size_t columns, std::size_t places)
      : columns_(columns), values_(places * (columns + 1), 0.0) {
    for (std::size_t place = 0; place < places; ++place) leave(place);
  }

  // The values of the chunk that begins with this place, a multiple of eight.
  const double* chunk(std::size_t place) const { return &values_[place * (columns_ + 1)]; }

  void set(std::size_t place, const double* record, double squared_length) {
    double* at = find(place);
    for (std::size_t j = 0; j < columns_; ++j) at[j * lane_count] = record[j];
    at[columns_ * lane_count] = squared_length;
  }

  void leave(std::size_t place) {
    find(place)[columns_ * lane_count] = -std::numeric_limits<double>::infinity();
  }

 private:
  double* find(std::size_t place) {
    return &values_[(place / lane_count) * (columns_ + 1) * lane_count + place % lane_count];
  }

  std::size_t columns_ = 0;
  std::vector<double> values_;
};

}  // namespace tokumei::refine
