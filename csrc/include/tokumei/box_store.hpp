// The records not yet taken: the one that widens a box least, the one farthest from a point.
//
// Widths are sums of sides (box.hpp), the distance to a point is the width of the box of the two.
// Answers are those of looking at every record, among equals the lowest row. Boxes rule out most
// records where a box is to be widened; looking for the farthest comes near to a scan at the speed
// of float32 where many attributes fill space evenly. Places and memory: stored_records.hpp. Throws
// Interrupted.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "tokumei/box.hpp"
#include "tokumei/record_search.hpp"
#include "tokumei/run.hpp"
#include "tokumei/stored_records.hpp"
#include "tokumei/views.hpp"
#include "tokumei/width_aim.hpp"

namespace tokumei {

class BoxStore : public StoredRecords {
 public:
  BoxStore(Table<double> x, std::size_t searches, Run& run)
      : StoredRecords(x, searches, run), cheapest_(records_), farthest_(records_),
        corners_(2 * x.columns()) {}

  // The place of the record that leaves the least width if the box holds it. Needs a record.
  std::size_t cheapest(const Box& box) {
    const auto rest = std::copy(box.lower.begin(), box.lower.end(), corners_.begin());
    std::copy(box.upper.begin(), box.upper.end(), rest);
    return cheapest_.run(corners_.data(), 1, run_.level).front().place;
  }

  // The place of the record farthest from a point. Needs a record.
  std::size_t farthest(const double* point) {
    return farthest_.run(point, 1, run_.level).front().place;
  }

 private:
  detail::Search<detail::WidthAim<false>> cheapest_;
  detail::Search<detail::WidthAim<true>> farthest_;
  std::vector<double> corners_;
};

}  // namespace tokumei
