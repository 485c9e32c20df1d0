// Records not yet taken, in blocks for searching (record_blocks.hpp): what every store of them
// does.
//
// Places stay valid until the store is built anew, which taking records out does now and then.
// Memory: under two copies of the data for 8 attributes or more. Throws Interrupted.
//
// Where a tenth of the records or more are equal to one before, and that was asked for, equal
// records share a place: its row is the lowest that is left of them, so that ties are what they are
// among single records, and it is empty when all of them are taken. That takes 8 bytes a row.
#pragma once

#include <cstddef>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "tokumei/runtime/records.hpp"
#include "tokumei/runtime/run.hpp"
#include "tokumei/runtime/thread_team.hpp"
#include "tokumei/spatial/distinct_records.hpp"
#include "tokumei/spatial/kd_order.hpp"
#include "tokumei/spatial/record_blocks.hpp"

namespace tokumei::spatial {

// A record that is kept while records come and go.
struct OwnPoint {
  std::vector<double> numbers;
  std::vector<CategorySlot> slots;
  Point view() const { return {numbers.data(), slots.data()}; }
};

// That of a row of a table.
inline OwnPoint point_of(const Records& x, std::size_t row) {
  OwnPoint point;
  for (std::size_t j = 0; j < x.numbers.columns(); ++j) point.numbers.push_back(x.numbers(row, j));
  for (std::size_t j = 0; j < x.codes.columns(); ++j)
    point.slots.push_back(slot_of(x.codes(row, j)));
  return point;
}

enum class Equals { have_places, share_places };

class StoredRecords {
 public:
  // For about so many searches. Borrows the table and the run for as long as it lives.
  StoredRecords(const Records& x, std::size_t searches, Run& run,
                Equals equals = Equals::have_places)
      : run_(run), team_(x.rows() < worth_threads ? 1 : run.n_threads), records_(x),
        ordered_(searches >= worth_order), left_(8 * searches < x.rows() ? 0.4 : 0.5),
        size_(x.rows()) {
    std::vector<std::size_t> rows;
    if (equals == Equals::share_places) rows = share_places(x);
    if (!shared()) {
      rows.resize(x.rows());
      std::iota(rows.begin(), rows.end(), std::size_t{0});
    }
    build(std::move(rows));
  }

  std::size_t size() const { return size_; }
  std::size_t row(std::size_t place) const { return records_.rows[place]; }
  // That of the next equal record at the place of a record, or no_row.
  std::size_t next(std::size_t row) const { return next_.empty() ? no_row : next_[row]; }
  const double* record(std::size_t place) const {
    return records_.values.data() + place * records_.attributes;
  }
  // Its slots, one a column of codes.
  const CategorySlot* slots(std::size_t place) const { return records_.categories.slots(place); }
  // Good as long as the place.
  Point at(std::size_t place) const { return {record(place), slots(place)}; }
  double distance(std::size_t place, const Point& point) const {
    const double sum =
        squared_distance_by_attributes(record(place), point.numbers, records_.attributes);
    return records_.categories.add_terms(sum, slots(place), point.slots);
  }
  OwnPoint point(std::size_t place) const {
    return {{record(place), record(place) + records_.attributes},
            {slots(place), slots(place) + records_.categories.columns}};
  }

  // Takes out a record at each of these places, the lowest row there, and tells each(row, point) of
  // it. True where what is left has other places afterwards.
  template <class Each>
  bool take(std::span<const std::size_t> places, Each&& each) {
    for (const std::size_t place : places) take_from(place, 1, each);
    return tidy();
  }

  // Likewise up to `most` of the records that share a place.
  template <class Each>
  bool take_equal(std::size_t place, std::size_t most, Each&& each) {
    take_from(place, most, each);
    return tidy();
  }

  bool remove(std::span<const std::size_t> places) {
    return take(places, [](std::size_t, const Point&) {});
  }

  // The rows left.
  std::vector<std::size_t> remaining() const {
    std::vector<std::size_t> rows;
    rows.reserve(size_);
    for (const std::size_t lowest : records_.rows)
      for (std::size_t row = lowest; row != no_row; row = next(row)) rows.push_back(row);
    return rows;
  }

 protected:
  bool shared() const { return !next_.empty(); }
  // Whether there are so many searches that more is worth knowing, and how often places changed.
  bool ordered() const { return ordered_; }
  std::size_t builds() const { return builds_; }

  Run& run_;
  ThreadTeam team_;
  RecordBlocks records_;

 private:
  static constexpr std::size_t smallest_rebuilt = 2 * block_rows;
  // Finding a space order costs as much as so many searches without one.
  static constexpr std::size_t worth_order = 250;
  // Fewer records are worked through before threads have started.
  static constexpr std::size_t worth_threads = std::size_t{1} << 14;

  // The lowest rows of records that differ, if they are to share places.
  std::vector<std::size_t> share_places(const Records& x) {
    DistinctRecords distinct(x, run_.monitor);
    if (distinct.rows.size() > x.rows() / 10 * 9 || !told_apart(x)) return {};
    next_ = std::move(distinct.next);
    return std::move(distinct.rows);
  }

  template <class Each>
  void take_from(std::size_t place, std::size_t most, Each&& each) {
    std::size_t row = records_.rows[place];
    for (std::size_t taken = 0; taken < most && row != no_row; ++taken, row = next(row)) {
      each(row, at(place));
      --size_;
    }
    if (row == no_row)
      records_.remove(place);
    else
      records_.replace(place, row);
  }

  // Builds the store anew where so much of it is empty.
  bool tidy() {
    const bool full = static_cast<double>(records_.size) > left_ * static_cast<double>(built_);
    if (full || built_ <= smallest_rebuilt) return false;
    std::vector<std::size_t> rows;
    rows.reserve(records_.size);
    for (const std::size_t row : records_.rows)
      if (row != no_row) rows.push_back(row);
    build(std::move(rows));
    return true;
  }

  void build(std::vector<std::size_t> rows) {
    if (ordered_) kd_order(records_.table, rows, team_, run_.monitor);
    records_.build(rows, team_, run_.monitor);
    built_ = records_.size;
    ++builds_;
  }

  bool ordered_;
  double left_;       // the share of places with records below which building anew pays: less where
                      // searches are few
  std::size_t size_;  // records left
  std::vector<std::size_t> next_;  // of each row; empty where every record has a place of its own
  std::size_t built_ = 0;          // places at the last building
  std::size_t builds_ = 0;
};

}  // namespace tokumei::spatial
