// Groups that break rules, repaired: they exchange records with near groups, or are merged with
// them.
//
// A group that breaks a rule looks at groups near it, `some` at a time until one helps: at every
// swap of one of its members with one of theirs, at taking one of theirs where more than k are
// left, and at giving one of its own away. The best exchange is the one after which both groups
// together break the rules least, and of those the one that adds least squares. It is made, unless
// merging with one of the `many` nearest is allowed and adds fewer squares. Where no group helps,
// the group is merged with the nearest, or left as it is if only what helps is asked for. Either
// less is broken or there are fewer groups, so this ends. Of equal exchanges the first met wins,
// near groups first. Rules are asked once for records that no rule tells apart: O(u v a log a + a b
// d) an exchange between groups of a and b records of u and v kinds, and O(groups d) to find them,
// O(groups (d + log groups)) where the `many` nearest do not help.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "tokumei/refine/group_rules.hpp"
#include "tokumei/refine/grouping_state.hpp"

namespace tokumei::refine {

class FeasibilityRepair {
 public:
  FeasibilityRepair(GroupingState& groups, const GroupRules& rules, std::size_t k)
      : groups_(groups), rules_(rules), k_(k) {}

  // Repairs what exchanges and allowed mergers can. pause() is called before each.
  template <class Pause>
  void help(Pause&& pause) {
    run(pause, false);
  }

  // Repairs until every group is allowed or one is left.
  template <class Pause>
  void force(Pause&& pause) {
    run(pause, true);
  }

 private:
  static constexpr std::size_t some = 16, many = 128;
  static constexpr double grain = 1e-12;  // gains below this are rounding
  static constexpr std::size_t nobody = GroupingState::nobody;
  using Rows = std::vector<std::size_t>;

  struct Exchange {
    double broken = -grain;  // what is broken afterwards, less what was before
    double cost = 0;
    std::size_t other = nobody, out = nobody, in = nobody;
  };

  double broken(const Rows& rows) { return rules_.excess(rows.data(), rows.size(), room_); }

  template <class Pause>
  void run(Pause&& pause, bool forced) {
    for (bool changed = true; changed;) {
      changed = false;
      for (std::size_t group = 0; group < groups_.count(); ++group)
        while (!groups_.rows(group).empty() && broken(groups_.rows(group)) > 0) {
          pause();
          if (!repair_group(group, forced)) break;
          changed = true;
        }
    }
  }

  // Makes the best exchange of a group, or merges it; false where neither can be.
  bool repair_group(std::size_t group, bool forced) {
    const auto* near = &groups_.nearest(group, many);
    if (near->empty()) return false;
    const double here = broken(groups_.rows(group));
    const auto merger = std::find_if(near->begin(), near->end(), [&](const auto& other) {
      after_ = groups_.rows(group);
      const Rows& theirs = groups_.rows(other.second);
      after_.insert(after_.end(), theirs.begin(), theirs.end());
      return broken(after_) == 0;
    });
    const bool may_merge = merger != near->end();
    const auto partner = may_merge ? *merger : near->front();
    Exchange best;
    for (std::size_t i = 0; i % some != 0 || best.other == nobody; ++i) {
      if (i == many && !may_merge) near = &groups_.nearest(group, groups_.count());
      if (i == near->size()) break;
      const std::size_t other = (*near)[i].second;
      look(group, other, here + broken(groups_.rows(other)), best);
    }
    if (best.other != nobody && !(may_merge && partner.first < best.cost))
      groups_.exchange(group, best.other, best.out, best.in);
    else if (may_merge || forced)
      groups_.merge(group, partner.second);
    else
      return false;
    return true;
  }

  void look(std::size_t group, std::size_t other, double before, Exchange& best) {
    const Rows &mine = groups_.rows(group), &theirs = groups_.rows(other);
    find_kinds(mine, my_kinds_);
    find_kinds(theirs, their_kinds_);
    // All records of two kinds, or of one and nobody.
    const auto consider = [&](std::size_t out_kind, std::size_t in_kind) {
      const double by = after(mine, out_kind, in_kind) + after(theirs, in_kind, out_kind) - before;
      if (by >= -grain || by > best.broken) return;
      each_of_kind(theirs, in_kind, [&](std::size_t in) {
        each_of_kind(mine, out_kind, [&](std::size_t out) {
          const double cost = groups_.cost_of(group, other, out, in);
          if (by < best.broken || cost < best.cost) best = {by, cost, other, out, in};
        });
      });
    };
    for (const std::size_t in : their_kinds_) {
      for (const std::size_t out : my_kinds_)
        if (!rules_.alike(out, in)) consider(out, in);
      if (theirs.size() > k_) consider(nobody, in);
    }
    if (mine.size() > k_)
      for (const std::size_t out : my_kinds_) consider(out, nobody);
  }

  // The first row of each kind: rules tell kinds apart, and not rows of one kind.
  void find_kinds(const Rows& rows, Rows& kinds) const {
    kinds.clear();
    for (const std::size_t row : rows)
      if (std::none_of(kinds.begin(), kinds.end(),
                       [&](std::size_t kind) { return rules_.alike(kind, row); }))
        kinds.push_back(row);
  }

  template <class Look>
  void each_of_kind(const Rows& rows, std::size_t kind, Look&& look_at) const {
    if (kind == nobody) return look_at(nobody);
    for (const std::size_t row : rows)
      if (rules_.alike(kind, row)) look_at(row);
  }

  // What a group breaks once one row has left and another has come.
  double after(const Rows& rows, std::size_t out, std::size_t in) {
    after_.clear();
    for (const std::size_t row : rows)
      if (row != out) after_.push_back(row);
    if (in != nobody) after_.push_back(in);
    return broken(after_);
  }

  GroupingState& groups_;
  const GroupRules& rules_;
  std::size_t k_;
  GroupRules::Room room_;
  Rows after_, my_kinds_, their_kinds_;
};

}  // namespace tokumei::refine
