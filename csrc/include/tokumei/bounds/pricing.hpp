// Negative columns: groups that cost less than the dual values of their records together.
//
// The cost of a group is its sum of squares, in pairs: sum |x - y|^2 / size. Dual values without
// columns of negative reduced cost are a proof: every group costs at least the sum of its records'
// values, so every partition costs at least the sum of all. `solve_pricing` searches all groups of
// k to 2k-1 records, keeps the best columns of negative reduced cost of each record, and says by
// how much each dual value must fall (its correction) for the proof.
//
// For one size m a column of negative reduced cost's pairs weigh w = |x - y|^2 / m - (value of x +
// value of y) / (m - 1), together less than 0. Taking away the record with the largest share of
// these weights leaves a smaller set that is below 0 too (its mean weight does not rise), down to a
// pair. So columns of negative reduced cost are grown from pairs, each by one path alone: a record
// joins only if it is then the one that would be taken away. Weights take values that are raised by
// a hundred thousandth or less, by chance: then there are no ties, which would make a path of every
// order of a set, and no column of negative reduced cost is lost. A set is given up once the best
// completion that could exist, every later record having those beside it with which it weighs
// least, is no column of negative reduced cost.
//
// Subset rows (subset_rows.hpp) add to the cost of a group, never take from it: what is below 0
// with their tolls is below 0 without, and lies on the same paths. A set is given up sooner for the
// toll that it pays already, and the part of later records in what is still to come.
//
// A record searches the columns of negative reduced cost that grow from a pair in which it is the
// lower row, at most `steps` sets a size; if there are more, its own dual value is corrected by
// what the best of them could gain. Rounding is on the safe side: all thresholds and corrections
// have a margin above the rounding errors of the sums compared. The result does not depend on the
// number of threads. Time grows with the number of near columns of negative reduced cost: fast for
// fair dual values, steep in k. Who can be in a set is asked of a tree (pricing_index.hpp): O(n d +
// n k^2) memory beyond the results. Throws Interrupted.
//
// After D. Aloise, P. Hansen, C. Rocha, E. Santi, "Column generation bounds for numerical
// microaggregation", J. Global Optimization 60, 2014 (the linear program that asks for columns of
// negative reduced cost).
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "tokumei/bounds/pricing_index.hpp"
#include "tokumei/bounds/pricing_search.hpp"
#include "tokumei/bounds/subset_rows.hpp"
#include "tokumei/numeric/random.hpp"
#include "tokumei/runtime/cancellation_token.hpp"
#include "tokumei/runtime/run.hpp"
#include "tokumei/runtime/thread_team.hpp"
#include "tokumei/runtime/views.hpp"

namespace tokumei::bounds {

// Dual values raised by a little that is a row's own.
inline std::vector<double> without_ties(Column<double> duals) {
  std::vector<double> raised(duals.begin(), duals.end());
  double mean = 0.0;
  for (const double dual : duals) mean += std::abs(dual) / static_cast<double>(duals.size());
  for (std::size_t row = 0; row < raised.size(); ++row) {
    const double chance = static_cast<double>(mix(row) >> 11) * 0x1p-53;
    raised[row] += 1e-5 * (std::abs(duals[row]) + 1e-3 * mean) * chance;
  }
  return raised;
}

struct PricingLimits {
  std::size_t steps;  // sets looked at, a record and size
  std::size_t kept;   // columns of negative reduced cost, a record
};

// Negative columns go to the rows of `groups`, ended by -1 where they are shorter than 2k-1; there
// is room for `kept` a record. k >= 2. Returns the number of columns of negative reduced cost. Dual
// values less `correction` have no columns of negative reduced cost. `subsets` are subset rows, of
// `prices`; there need not be any.
inline std::size_t solve_pricing(Table<double> x, Column<double> duals, Table<std::int64_t> subsets,
                                 Column<double> prices, std::size_t k, PricingLimits limits,
                                 OutTable<std::int64_t> groups, OutColumn<double> correction,
                                 Run run) {
  constexpr std::size_t roots_a_block = 8;
  const std::size_t n = x.rows();
  const std::size_t blocks = (n + roots_a_block - 1) / roots_a_block;
  std::vector<std::vector<NegativeColumn>> found(blocks);
  std::vector<std::vector<DualCorrection>> corrections(blocks);
  const SubsetRows rows(subsets, prices, n);
  const double margin = pricing_margin(x.columns(), k, duals) + rows.margin(2 * k);
  const auto raised = without_ties(duals);
  ThreadTeam team(run.n_threads);
  const PricingIndex index(x, duals, k, team, run);
  CancellationToken token(run.monitor, 0.0, 1);
  token.expect(blocks);
  team.each_block(blocks, [&](std::size_t block) {
    PricingSearch search(x, duals, {raised.data(), n}, index, rows, k, margin, limits.steps,
                         limits.kept, run.isa);
    const std::size_t end = std::min(n, (block + 1) * roots_a_block);
    for (std::size_t root = block * roots_a_block; root < end; ++root)
      search.from(root, found[block], corrections[block], [&] { token.pause(0.0); });
    token.finish_one();
  });
  std::fill_n(correction.data(), n, 0.0);
  // The largest correction that a found column of negative reduced cost asks for; what an
  // unfinished search asks for comes on top.
  for (const auto& block : corrections)
    for (const DualCorrection& part : block)
      if (!part.on_top) correction[part.row] = std::max(correction[part.row], part.amount);
  for (const auto& block : corrections)
    for (const DualCorrection& part : block)
      if (part.on_top) correction[part.row] += part.amount;
  for (std::size_t row = 0; row < n; ++row) correction[row] += 2 * margin;
  std::size_t count = 0;
  for (const auto& block : found)
    for (const NegativeColumn& negative_column : block) {
      for (std::size_t j = 0; j < 2 * k - 1; ++j)
        groups.column(j)[count] = j < negative_column.rows.size()
                                      ? static_cast<std::int64_t>(negative_column.rows[j])
                                      : -1;
      ++count;
    }
  return count;
}

}  // namespace tokumei::bounds
