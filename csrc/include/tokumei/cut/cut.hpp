// The best cut of an order of the records into groups of at least k (multivariate Hansen-Mukherjee:
// NOTES section 2; path paper, section 4).
//
// Of all partitions whose groups are stretches of the order of at least k records, the one with the
// least sum of squared distances to the group means: a shortest path over nodes 0..n, whose edges
// are the stretches of k..2k-1 records (a longer one costs no less than its two halves). Edge costs
// take O(1) work per attribute and are exact to rounding wherever the data lie, so the sum of
// squares of the result is within 1e-12 of the least there is, relatively. Among cuts that come out
// equally long the last group is the shortest possible, then the last but one, and so on; cuts
// whose true sums differ by less than that rounding may come out in either order, but with the same
// bits at every instruction set and for any number of threads. Fewer than 2k records are one group.
//
// O(n k d) time, O(k d + n / k) memory besides the data; the graph is never stored. Needs 1 <= k <=
// n, a permutation as order, and finite |x| <= 1e130. Throws Interrupted.
#pragma once

#include <cstddef>
#include <cstdint>

#include "tokumei/cut/category_segments.hpp"
#include "tokumei/cut/ordered_records.hpp"
#include "tokumei/cut/prefix_sum_path.hpp"
#include "tokumei/cut/segments.hpp"
#include "tokumei/cut/short_segments.hpp"
#include "tokumei/cut/shortest_path.hpp"
#include "tokumei/runtime/records.hpp"
#include "tokumei/runtime/run.hpp"
#include "tokumei/runtime/thread_team.hpp"
#include "tokumei/runtime/views.hpp"

namespace tokumei::cut {

inline void cut(RecordTable<double> x, Column<std::int64_t> order, std::size_t k,
                OutColumn<std::int64_t> labels, Run run) {
  // Measured: below, growing segments one by one is faster than relating them to an anchor.
  constexpr std::size_t short_k = 16;
  const std::size_t n = x.rows();
  ThreadTeam team(run.n_threads);
  if (n < 2 * k) {
    label_segments(order.data(), {0, n}, labels, team, run.monitor);
    return;
  }
  if (k < short_k) {
    OrderedRecords records(x, order, short_reach(k, ends_at_once(k)), team);
    ShortSegmentCosts costs(records, k, run.isa);
    shortest_path(n, k, costs, labels, run);
  } else {
    prefix_sum_path(x, order, k, labels, team, run);
  }
  label_segments(order.data(), nodes_of_path(labels, k), labels, team, run.monitor);
}

// The same of records with codes; edge costs take O(1) work per attribute there too, and all costs
// are grown segment by segment.
inline void cut_records(const Records& x, Column<std::int64_t> order, std::size_t k,
                        OutColumn<std::int64_t> labels, Run run) {
  const std::size_t n = x.rows();
  ThreadTeam team(run.n_threads);
  if (n < 2 * k) {
    label_segments(order.data(), {0, n}, labels, team, run.monitor);
    return;
  }
  OrderedRecords records(x.numbers, order, short_reach(k, ends_at_once(k)), team);
  ShortSegmentCosts numbers(records, k, run.isa);
  CategorySegmentCosts costs(numbers, x, order, k, run.isa);
  shortest_path(n, k, costs, labels, run);
  label_segments(order.data(), nodes_of_path(labels, k), labels, team, run.monitor);
}

}  // namespace tokumei::cut
