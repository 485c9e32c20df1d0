// NPN path: nearest point next (NOTES section 2).
//
// An order of all records: first the record farthest from their mean, then always the nearest of
// those not yet visited. Ties go to the lowest row. The mean is the correctly rounded sum over the
// number. O(n^2 d) time at worst, far less where record_store.hpp finds little to look at; its
// memory. Needs a record, and finite data whose squares are finite. Throws Interrupted.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "tokumei/numeric/bulk_sum.hpp"
#include "tokumei/numeric/exact_sum.hpp"
#include "tokumei/runtime/records.hpp"
#include "tokumei/runtime/run.hpp"
#include "tokumei/spatial/record_store.hpp"

namespace tokumei::order {

inline void npn_order(const Records& x, OutColumn<std::int64_t> order, Run run) {
  RecordStore store(x, x.rows(), run);
  std::vector<double> mean(x.numbers.columns());
  for (std::size_t j = 0; j < mean.size(); ++j) {
    ExactSum sum;
    add_column(sum, x.numbers.column(j), run.isa);
    mean[j] = sum.value() / static_cast<double>(x.rows());
    run.monitor.tick(0.0);
  }
  CategoryCounts counts(x);
  std::size_t next = store.farthest_from_centre(mean.data(), &counts);
  OwnPoint here;
  for (std::size_t step = 0;; ++step) {
    order[step] = static_cast<std::int64_t>(store.row(next));
    here = store.point(next);
    store.remove({&next, 1});
    if (store.size() == 0) return;
    run.monitor.tick(static_cast<double>(step) / static_cast<double>(x.rows()));
    next = store.nearest(here.view(), 1).front();
  }
}

}  // namespace tokumei::order
