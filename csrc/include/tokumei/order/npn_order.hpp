// NPN path: nearest point next (NOTES section 2).
//
// An order of all records: first the record farthest from their mean, then always the nearest of
// those not yet visited. Ties go to the lowest row; who is farthest from the mean is decided
// exactly (exact_mean.hpp). Equal records follow one another, in the order of their rows. O(n^2 d)
// time at worst, far less where record_store.hpp finds little to look at; its memory. Needs a
// record, and finite data whose squares are finite. Throws Interrupted.
#pragma once

#include <cstddef>
#include <cstdint>

#include "tokumei/runtime/records.hpp"
#include "tokumei/runtime/run.hpp"
#include "tokumei/spatial/exact_mean.hpp"
#include "tokumei/spatial/record_store.hpp"

namespace tokumei::order {

inline void npn_order(const Records& x, OutColumn<std::int64_t> order, Run run) {
  ExactMean mean(x, run);
  RecordStore store(x, x.rows(), run, Equals::share_places);
  std::size_t step = 0, next = store.farthest_from_mean(mean);
  for (;;) {
    const OwnPoint here = store.point(next);
    store.take_equal(next, store.size(), [&](std::size_t row, const Point&) {
      order[step++] = static_cast<std::int64_t>(row);
    });
    if (store.size() == 0) return;
    run.monitor.tick(static_cast<double>(step) / static_cast<double>(x.rows()));
    next = store.nearest(here.view(), 1).front();
  }
}

}  // namespace tokumei::order
