// NPN path: nearest point next (NOTES section 2).
//
// An order of all records: first the record farthest from their mean, then always the nearest of
// those not yet visited. Ties go to the lowest row; who is farthest from the mean is decided
// exactly (exact_mean.hpp). Equal records follow one another, in the order of their rows, so where
// many are equal the path goes through those that differ. O(n^2 d) time at worst, far less where
// record_store.hpp finds little to look at; its memory. Needs a record, and finite data whose
// squares are finite. Throws Interrupted.
#pragma once

#include <cstddef>
#include <cstdint>

#include "tokumei/runtime/records.hpp"
#include "tokumei/runtime/run.hpp"
#include "tokumei/spatial/distinct_records.hpp"
#include "tokumei/spatial/exact_mean.hpp"
#include "tokumei/spatial/record_store.hpp"

namespace tokumei::order {

// The path through some records from the one farthest from a mean; visit(i) is told of each. Where
// `apart`, stops at a distance of zero and returns false.
template <class Visit>
bool nearest_next(const Records& x, ExactMean& mean, bool apart, Run& run, Visit&& visit) {
  RecordStore store(x, x.rows(), run);
  std::size_t next = store.farthest_from_mean(mean);
  OwnPoint here;
  for (std::size_t step = 0;; ++step) {
    visit(store.row(next));
    here = store.point(next);
    store.remove({&next, 1});
    if (store.size() == 0) return true;
    run.monitor.tick(static_cast<double>(step) / static_cast<double>(x.rows()));
    next = store.nearest(here.view(), 1).front();
    if (apart && store.distance(next, here.view()) == 0.0) return false;
  }
}

inline void npn_order(const Records& x, OutColumn<std::int64_t> order, Run run) {
  ExactMean mean(x, run);
  const DistinctRecords distinct(x, run.monitor);
  std::size_t step = 0;
  const auto visit = [&](std::size_t row) { order[step++] = static_cast<std::int64_t>(row); };
  // To take records out of the table costs less than what is saved.
  if (distinct.rows().size() <= x.rows() / 4 * 3) {
    const SomeRecords some(x, distinct.rows().data(), distinct.rows().size());
    const bool whole = nearest_next(some.view(), mean, true, run,
                                    [&](std::size_t i) { distinct.each_equal(i, visit); });
    if (whole) return;
    // Records that differ by so little that it is nothing when squared come by their rows, among
    // equal ones too.
    step = 0;
  }
  nearest_next(x, mean, false, run, visit);
}

}  // namespace tokumei::order
