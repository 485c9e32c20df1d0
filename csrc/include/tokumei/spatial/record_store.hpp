// The records not yet taken: the k nearest to a point, the farthest from it, and taking them out.
//
// Answers are those of looking at every record: by squared distance, summed by attributes
// (squared_distances.hpp), among equals the lowest row. How few records that takes depends on the
// data: 1 in 100 where a million fill eight dimensions evenly, far fewer where they lie on less,
// all of them (at the speed of float32) where dimensions are many and independent.
//
// Places and memory: stored_records.hpp, and category_listing.hpp where the nearest are asked for
// one at a time. Throws Interrupted.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

#include "tokumei/runtime/records.hpp"
#include "tokumei/runtime/run.hpp"
#include "tokumei/spatial/category_listing.hpp"
#include "tokumei/spatial/distance_objective.hpp"
#include "tokumei/spatial/exact_mean.hpp"
#include "tokumei/spatial/record_search.hpp"
#include "tokumei/spatial/stored_records.hpp"

namespace tokumei::spatial {

class RecordStore : public StoredRecords {
 public:
  RecordStore(const Records& x, std::size_t searches, Run& run, Equals equals = Equals::have_places)
      : StoredRecords(x, searches, run, equals), nearest_(records_), farthest_(records_) {}

  // The places of the `count` records nearest to a point (all if there are fewer), in no order.
  // Good until the next search. A place where more of them are stands there as often.
  std::span<const std::size_t> nearest(const Point& point, std::size_t count) {
    return nearest(point, count, infinite, no_row);
  }

  // The same of the records nearer than a squared distance, or as near and in a row below `last`.
  std::span<const std::size_t> nearest(const Point& point, std::size_t count, double limit,
                                       std::size_t last) {
    places_.clear();
    const auto& found = count == 1 && ordered()
                            ? nearest_.run_one(point, run_.isa, limit, last, listing())
                            : nearest_.run(point, count, run_.isa, limit, last);
    if (shared())
      list_records(found, count, {limit, last, 0});
    else
      for (const Found& one : found) places_.push_back(one.place);
    return places_;
  }

  // The place of the record farthest from a point. Needs a record, and with codes a centre before.
  std::size_t farthest(const Point& point) {
    if (!records_.anchored) set_anchor(centred_ ? records_.anchor.data() : point.numbers);
    return farthest_.run(point, 1, run_.isa).front().place;
  }

  // The same for a point in the middle of the records, such as their mean. It is found fastest
  // where the anchor is, which therefore follows such points when it has been left too far behind.
  std::size_t farthest_from_centre(const double* numbers, CategoryCounts* mean = nullptr) {
    anchor_at(numbers, mean);
    const std::size_t place = farthest({numbers, nullptr, mean});
    excess_ += farthest_.visited();
    return place;
  }

  // The place of the record farthest from a mean; which one that is is decided exactly.
  std::size_t farthest_from_mean(ExactMean& mean) {
    anchor_at(mean.rounded(), &mean.counts());
    const Point point{mean.rounded(), nullptr, &mean.counts()};
    const double slack = mean.slack(records_.most_squared_distance(mean.rounded()));
    Found best = farthest_.run(point, 1, run_.isa, infinite, no_row, slack).front();
    excess_ += farthest_.visited();
    if (!farthest_.contested()) return best.place;
    for (const Found& other : farthest_.within(best.score + slack, run_.isa)) {
      if (other.score == best.score && other.row >= best.row && same(other.place, best.place))
        continue;
      const int farther = mean.compare(at(other.place), at(best.place));
      if (farther > 0 || (farther == 0 && other.row < best.row)) best = other;
    }
    return best.place;
  }

 private:
  // Setting the anchor costs as much as looking into every block about so many times.
  static constexpr std::size_t patience = 16;

  // Of the places as they are.
  const CategoryListing& listing() {
    if (listed_ != builds()) listing_.build(records_.categories, records_.rows);
    listed_ = builds();
    return listing_;
  }

  // The first `count` records of these places, in the order of scores and rows, up to a limit.
  void list_records(const std::vector<Found>& found, std::size_t count, const Found& limit) {
    const auto later = [](const Found& a, const Found& b) { return b < a; };
    queue_ = found;
    std::make_heap(queue_.begin(), queue_.end(), later);
    while (places_.size() < count && !queue_.empty()) {
      std::pop_heap(queue_.begin(), queue_.end(), later);
      Found& first = queue_.back();
      places_.push_back(first.place);
      first.row = next(first.row);
      if (first.row == no_row || !(first < limit))
        queue_.pop_back();
      else
        std::push_heap(queue_.begin(), queue_.end(), later);
    }
  }

  bool same(std::size_t a, std::size_t b) const {
    return std::equal(record(a), record(a) + records_.attributes, record(b)) &&
           std::equal(slots(a), slots(a) + records_.categories.columns, slots(b));
  }

  void anchor_at(const double* numbers, CategoryCounts* mean) {
    if (!records_.anchored || excess_ > patience * records_.scales.size()) {
      if (mean != nullptr) {
        mean->remember();
        records_.category_anchor.set(*mean, records_.categories.weights);
      }
      set_anchor(numbers);
    }
    centred_ = true;
  }

  void set_anchor(const double* point) {
    records_.set_anchor(point, team_, run_.monitor);
    excess_ = 0;
  }

  Search<DistanceObjective<Side::nearest>> nearest_;
  Search<DistanceObjective<Side::farthest>> farthest_;
  std::vector<std::size_t> places_;
  std::vector<Found> queue_;
  CategoryListing listing_;
  std::size_t listed_ = 0;  // the building of which it tells
  bool centred_ = false;    // the anchor has been in the middle
  std::size_t excess_ = 0;  // blocks looked into from the centre since the anchor was set
};

}  // namespace tokumei::spatial
