// Records not yet taken, in blocks for searching (record_blocks.hpp): what every store of them
// does.
//
// Places stay valid until the store is built anew, which `remove` does now and then. Memory: under
// two copies of the data for 8 attributes or more. Throws Interrupted.
#pragma once

#include <cstddef>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "tokumei/runtime/records.hpp"
#include "tokumei/runtime/run.hpp"
#include "tokumei/runtime/thread_team.hpp"
#include "tokumei/spatial/kd_order.hpp"
#include "tokumei/spatial/record_blocks.hpp"

namespace tokumei::spatial {

// A record that is kept while records come and go.
struct OwnPoint {
  std::vector<double> numbers;
  std::vector<CategorySlot> slots;
  Point view() const { return {numbers.data(), slots.data()}; }
};

class StoredRecords {
 public:
  // For about so many searches. Borrows the table and the run for as long as it lives.
  StoredRecords(const Records& x, std::size_t searches, Run& run)
      : run_(run), team_(x.rows() < worth_threads ? 1 : run.n_threads), records_(x),
        ordered_(searches >= worth_order) {
    std::vector<std::size_t> rows(x.rows());
    std::iota(rows.begin(), rows.end(), std::size_t{0});
    build(std::move(rows));
  }

  std::size_t size() const { return records_.size; }
  std::size_t row(std::size_t place) const { return records_.rows[place]; }
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
      if (row != no_row) rows.push_back(row);
    return rows;
  }

 protected:
  Run& run_;
  ThreadTeam team_;
  RecordBlocks records_;

 private:
  static constexpr std::size_t smallest_rebuilt = 2 * block_rows;
  // Finding a space order costs as much as so many searches without one.
  static constexpr std::size_t worth_order = 250;
  // Fewer records are worked through before threads have started.
  static constexpr std::size_t worth_threads = std::size_t{1} << 14;

  void build(std::vector<std::size_t> rows) {
    if (ordered_) kd_order(records_.table, rows, team_, run_.monitor);
    records_.build(rows, team_, run_.monitor);
    built_ = records_.size;
  }

  bool ordered_;
  std::size_t built_ = 0;  // records at the last building
};

}  // namespace tokumei::spatial
