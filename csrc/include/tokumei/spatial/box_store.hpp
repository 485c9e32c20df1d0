// The records not yet taken: the one that widens a box least, the one farthest from a point.
//
// Widths are sums of sides (bounding_box.hpp), the distance to a point is the width of the box of
// the two. Answers are those of looking at every record, among equals the lowest row. Boxes rule
// out most records where a box is to be widened; looking for the farthest comes near to a scan at
// the speed of float32 where many attributes fill space evenly. Places and memory:
// stored_records.hpp. Throws Interrupted.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "tokumei/runtime/run.hpp"
#include "tokumei/runtime/views.hpp"
#include "tokumei/spatial/bounding_box.hpp"
#include "tokumei/spatial/record_search.hpp"
#include "tokumei/spatial/stored_records.hpp"
#include "tokumei/spatial/width_objective.hpp"

namespace tokumei::spatial {

class BoxStore : public StoredRecords {
 public:
  BoxStore(Table<double> x, std::size_t searches, Run& run)
      : StoredRecords(x, searches, run), cheapest_(records_), farthest_(records_),
        corners_(2 * x.columns()) {}

  // The place of the record that leaves the least width if the box holds it. Needs a record.
  std::size_t cheapest(const BoundingBox& box) {
    const auto rest = std::copy(box.lower.begin(), box.lower.end(), corners_.begin());
    std::copy(box.upper.begin(), box.upper.end(), rest);
    return cheapest_.run(corners_.data(), 1, run_.isa).front().place;
  }

  // The place of the record farthest from a point. Needs a record.
  std::size_t farthest(const double* point) {
    return farthest_.run(point, 1, run_.isa).front().place;
  }

 private:
  Search<WidthObjective<false>> cheapest_;
  Search<WidthObjective<true>> farthest_;
  std::vector<double> corners_;
};

}  // namespace tokumei::spatial
