// The records not yet taken: the k nearest to a point, the farthest from it, and taking them out.
//
// Answers are those of looking at every record: by squared distance as distance.hpp computes it,
// among equals the lowest row. How few records that takes depends on the data: 1 in 100 where a
// million fill eight dimensions evenly, far fewer where they lie on less, all of them (at the speed
// of float32) where dimensions are many and independent.
//
// Places stay valid until the store is built anew, which `remove` does now and then. Memory: under two copies of the data for 8
// attributes or more (record_blocks.hpp). Throws Interrupted.
#pragma once

#include <cstddef>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "tokumei/record_blocks.hpp"
#include "tokumei/record_search.hpp"
#include "tokumei/run.hpp"
#include "tokumei/space_order.hpp"
#include "tokumei/team.hpp"
#include "tokumei/views.hpp"

namespace tokumei {

class RecordStore {
 public:
  // For about so many searches. Borrows the table and the run for as long as it lives.
  RecordStore(Table<double> x, std::size_t searches, Run& run)
      : run_(run), team_(x.rows() < worth_threads ? 1 : run.n_threads), records_(x),
        nearest_(records_), farthest_(records_), ordered_(searches >= worth_order) {
    std::vector<std::size_t> rows(x.rows());
    std::iota(rows.begin(), rows.end(), std::size_t{0});
    build(std::move(rows));
  }

  std::size_t size() const { return records_.size; }
  std::size_t row(std::size_t place) const { return records_.rows[place]; }
  const double* record(std::size_t place) const {
    return records_.values.data() + place * records_.attributes;
  }

  // The places of the `count` records nearest to a point (all if there are fewer), in no order.
  // Good until the next search.
  std::span<const std::size_t> nearest(const double* point, std::size_t count) {
    return nearest(point, count, detail::infinite, detail::no_row);
  }

  // The same of the records nearer than a squared distance, or as near and in a row below `last`.
  std::span<const std::size_t> nearest(const double* point, std::size_t count, double limit,
                                       std::size_t last) {
    places_.clear();
    for (const auto& found : nearest_.run(point, count, run_.level, limit, last))
      places_.push_back(found.place);
    return places_;
  }

  // The place of the record farthest from a point. Needs a record.
  std::size_t farthest(const double* point) {
    if (!records_.anchored) set_anchor(centred_ ? records_.anchor.data() : point);
    return farthest_.run(point, 1, run_.level).front().place;
  }

  // The same for a point in the middle of the records, such as their mean. It is found fastest
  // where the anchor is, which therefore follows such points when it has been left too far behind.
  std::size_t farthest_from_centre(const double* point) {
    if (!records_.anchored || excess_ > patience * records_.scales.size()) set_anchor(point);
    centred_ = true;
    const std::size_t place = farthest(point);
    excess_ += farthest_.visited();
    return place;
  }

  // Takes out the records at these places. True where what is left has other places afterwards.
  bool remove(std::span<const std::size_t> places) {
    for (const std::size_t place : places) records_.remove(place);
    if (records_.size * 2 > built_ || built_ <= smallest_rebuilt) return false;
    build(remaining());
    return true;
  }

  // The rows left.
  std::vector<std::size_t> remaining() const {
    std::vector<std::size_t> rows;
    rows.reserve(records_.size);
    for (const std::size_t row : records_.rows)
      if (row != detail::no_row) rows.push_back(row);
    return rows;
  }

 private:
  static constexpr std::size_t smallest_rebuilt = 2 * detail::block_rows;
  // Finding a space order costs as much as so many searches without one.
  static constexpr std::size_t worth_order = 250;
  // Fewer records are worked through before threads have started.
  static constexpr std::size_t worth_threads = std::size_t{1} << 14;
  // Setting the anchor costs as much as looking into every block about so many times.
  static constexpr std::size_t patience = 16;

  void build(std::vector<std::size_t> rows) {
    if (ordered_) space_order(records_.table, rows, team_, run_.watch);
    records_.build(rows, team_, run_.watch);
    built_ = records_.size;
  }

  void set_anchor(const double* point) {
    records_.set_anchor(point, team_, run_.watch);
    excess_ = 0;
  }

  Run& run_;
  Team team_;
  detail::RecordBlocks records_;
  detail::Search<detail::Side::nearest> nearest_;
  detail::Search<detail::Side::farthest> farthest_;
  std::vector<std::size_t> places_;
  bool ordered_;
  bool centred_ = false;    // the anchor has been in the middle
  std::size_t built_ = 0;   // records at the last building
  std::size_t excess_ = 0;  // blocks looked into from the centre since the anchor was set
};

}  // namespace tokumei
