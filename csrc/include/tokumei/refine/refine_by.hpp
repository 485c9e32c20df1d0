// The refinement as a caller asks for it: which cost, which rules, by plain values.
//
// What is not asked is absent: no column of weights, no rule.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "tokumei/refine/absolute_cost.hpp"
#include "tokumei/refine/group_rules.hpp"
#include "tokumei/refine/refine.hpp"
#include "tokumei/refine/squares_cost.hpp"
#include "tokumei/runtime/run.hpp"
#include "tokumei/runtime/views.hpp"

namespace tokumei::refine {

// Each group has records of at least so many different codes.
struct DistinctRule {
  Column<std::int64_t> codes;
  std::size_t least;
};

// The codes (0 and up, none left out) of each group are distributed at most so far from those of
// the table; see group_rules.hpp.
struct CloseRule {
  Column<std::int64_t> codes;
  double farthest;
  bool ordered;
};

struct RefineByOptions {
  std::size_t k = 1;
  std::size_t largest = 1;  // records a group, at least 2k-1
  bool absolute = false;    // absolute deviations from medians, not squares from means
  AnnealingSchedule schedule{};
  std::uint64_t seed = 0;
  Column<double> weights{};  // of the records, for squares; empty: none
  std::vector<DistinctRule> distinct{};
  std::vector<CloseRule> close{};
};

inline GroupRules rules_of(const RefineByOptions& options) {
  GroupRules rules;
  for (const auto& rule : options.distinct) rules.ask_distinct(rule.codes, rule.least);
  for (const auto& rule : options.close) {
    const auto values = *std::max_element(rule.codes.begin(), rule.codes.end()) + 1;
    rules.ask_close(rule.codes, static_cast<std::size_t>(values), rule.ordered, rule.farthest);
  }
  return rules;
}

inline void refine_by(const Records& x, OutColumn<std::int64_t> labels, std::size_t groups,
                      const RefineByOptions& options, Run run) {
  const GroupRules rules = rules_of(options);
  RefineOptions search{options.k,    options.largest, options.schedule,
                       options.seed, options.weights, rules.empty() ? nullptr : &rules};
  const bool weighted = options.weights.size() > 0;
  if (!x.has_codes()) {
    if (options.absolute) return refine<AbsoluteDeviations>(x, labels, groups, search, run);
    if (!weighted) return refine<Squares>(x, labels, groups, search, run);
    return refine<WeightedSquares>(x, labels, groups, search, run);
  }
  if (options.absolute) return refine<AbsoluteDeviationsOfCodes>(x, labels, groups, search, run);
  if (!weighted) return refine<SquaresOfCodes>(x, labels, groups, search, run);
  refine<WeightedSquaresOfCodes>(x, labels, groups, search, run);
}

}  // namespace tokumei::refine
