// The refinement as a caller asks for it: which cost, which rules, by plain values.
//
// Columns of another length than the table's mean that nothing is asked of them.
#pragma once

#include <cstddef>
#include <cstdint>

#include "tokumei/refine/absolute_cost.hpp"
#include "tokumei/refine/group_rules.hpp"
#include "tokumei/refine/refine.hpp"
#include "tokumei/refine/squares_cost.hpp"
#include "tokumei/runtime/run.hpp"
#include "tokumei/runtime/views.hpp"

namespace tokumei::refine {

// What a group must show of a sensitive variable (see group_rules.hpp).
struct SensitiveOptions {
  Column<std::int64_t> codes;  // 0..values-1
  std::size_t values = 1;
  std::size_t distinct = 1;  // at least so many values
  double apart = -1;  // at most so far from the table's distribution; negative: as far as may be
  bool ordered = false;
};

// How many households a group must have records of.
struct HouseholdOptions {
  Column<std::int64_t> codes;
  std::size_t distinct = 1;
};

inline void refine_by(Table<double> x, OutColumn<std::int64_t> labels, std::size_t groups,
                      bool absolute, Column<double> weights, const SensitiveOptions& sensitive,
                      const HouseholdOptions& households, RefineOptions wish, Run run) {
  GroupRules rules;
  if (sensitive.distinct > 1) rules.ask_distinct(sensitive.codes, sensitive.distinct);
  if (households.distinct > 1) rules.ask_distinct(households.codes, households.distinct);
  if (sensitive.apart >= 0)
    rules.ask_close(sensitive.codes, sensitive.values, sensitive.ordered, sensitive.apart);
  if (!rules.empty()) wish.rules = &rules;
  if (absolute) return refine<AbsoluteDeviations>(x, labels, groups, wish, run);
  if (weights.size() != x.rows()) return refine<Squares>(x, labels, groups, wish, run);
  wish.weights = weights;
  refine<WeightedSquares>(x, labels, groups, wish, run);
}

}  // namespace tokumei::refine
