// The records not yet taken: the one that widens a box least, the one farthest from a point.
//
// Widths are sums of sides (bounding_box.hpp) and of widths in the columns of codes
// (held_categories.hpp), the distance to a point is the width of the two. Answers are those of
// looking at every record, among equals the lowest row. Boxes rule out most records where a box is
// to be widened; looking for the farthest comes near to a scan at the speed of float32 where many
// attributes fill space evenly. Places and memory: stored_records.hpp. Throws Interrupted.
#pragma once

#include <cstddef>

#include "tokumei/runtime/records.hpp"
#include "tokumei/runtime/run.hpp"
#include "tokumei/spatial/bounding_box.hpp"
#include "tokumei/spatial/held_categories.hpp"
#include "tokumei/spatial/record_search.hpp"
#include "tokumei/spatial/stored_records.hpp"
#include "tokumei/spatial/width_objective.hpp"

namespace tokumei::spatial {

class BoxStore : public StoredRecords {
 public:
  BoxStore(const Records& x, std::size_t searches, Run& run, Equals equals = Equals::have_places)
      : StoredRecords(x, searches, run, equals), cheapest_(records_), farthest_(records_) {}

  // The place of the record that leaves the least width if it is added to those that the box and
  // the categories are of. Needs a record.
  std::size_t cheapest(const BoundingBox& box, const HeldCategories& held) {
    const BoxQuestion question{box.lower.data(), box.upper.data(), &held};
    return cheapest_.run(question, 1, run_.isa).front().place;
  }

  // The place of the record farthest from a point that holds these categories. Needs a record.
  std::size_t farthest(const double* point, const HeldCategories& held) {
    return farthest_.run({point, point, &held}, 1, run_.isa).front().place;
  }

 private:
  Search<WidthObjective<false>> cheapest_;
  Search<WidthObjective<true>> farthest_;
};

}  // namespace tokumei::spatial
