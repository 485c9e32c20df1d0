// Groups that break rules, mended: they exchange records with near groups, or are merged with them.
//
// A group that breaks a rule looks at the `some` groups nearest to it: at every swap of one of its
// members with one of theirs, at taking one of theirs where more than k are left, and at giving one
// of its own away. Of the exchanges after which both groups together break the rules least, the one
// that adds least squares is the best; where none helps, it looks at the next nearest, up to
// `many`. It is made, unless merging with one of these many is allowed and adds fewer squares.
// Where nothing helps the group is merged with the nearest; again, until every group is allowed or
// one is left: either less is broken or there are fewer groups, so this ends. Of equal exchanges
// the first met wins, near groups first. Rules are asked once for records that no rule tells apart:
// O(u v a log a + a b d) an exchange between groups of a and b records of u and v kinds, and
// O(groups d) to find them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "tokumei/group_rules.hpp"
#include "tokumei/loose_groups.hpp"

namespace tokumei {

class Mending {
 public:
  Mending(LooseGroups& groups, const GroupRules& rules, std::size_t k)
      : groups_(groups), rules_(rules), k_(k) {}

  // pause() is called before each exchange or merger.
  template <class Pause>
  void run(Pause&& pause) {
    for (bool changed = true; changed;) {
      changed = false;
      for (std::size_t group = 0; group < groups_.count(); ++group)
        while (!groups_.rows(group).empty() && broken(groups_.rows(group)) > 0) {
          pause();
          if (!mend(group)) return;
          changed = true;
        }
    }
  }

 private:
  static constexpr std::size_t some = 16, many = 128;
  static constexpr double grain = 1e-12;  // gains below this are rounding
  static constexpr std::size_t nobody = LooseGroups::nobody;
  using Rows = std::vector<std::size_t>;

  struct Exchange {
    double broken = -grain;  // what is broken afterwards, less what was before
    double cost = 0;
    std::size_t other = nobody, out = nobody, in = nobody;
  };

  double broken(const Rows& rows) { return rules_.excess(rows.data(), rows.size(), room_); }

  // Makes the best exchange of a group, or merges it; false where it is alone.
  bool mend(std::size_t group) {
    const auto& near = groups_.nearest(group, many);
    if (near.empty()) return false;
    const double here = broken(groups_.rows(group));
    Exchange best;
    for (std::size_t i = 0; i < near.size() && (i % some != 0 || best.other == nobody); ++i)
      look(group, near[i].second, here + broken(groups_.rows(near[i].second)), best);
    const auto merger = std::find_if(near.begin(), near.end(), [&](const auto& other) {
      after_ = groups_.rows(group);
      const Rows& theirs = groups_.rows(other.second);
      after_.insert(after_.end(), theirs.begin(), theirs.end());
      return broken(after_) == 0;
    });
    const bool may_merge = merger != near.end();
    if (best.other != nobody && !(may_merge && merger->first < best.cost))
      groups_.exchange(group, best.other, best.out, best.in);
    else
      groups_.merge(group, (may_merge ? *merger : near[0]).second);
    return true;
  }

  void look(std::size_t group, std::size_t other, double before, Exchange& best) {
    const Rows &mine = groups_.rows(group), &theirs = groups_.rows(other);
    find_kinds(mine, my_kinds_);
    find_kinds(theirs, their_kinds_);
    const auto consider = [&](const Rows& outs, const Rows& ins) {
      const double by = after(mine, outs[0], ins[0]) + after(theirs, ins[0], outs[0]) - before;
      if (by >= -grain || by > best.broken) return;
      for (const std::size_t in : ins)
        for (const std::size_t out : outs) {
          const double cost = groups_.cost_of(group, other, out, in);
          if (by < best.broken || cost < best.cost) best = {by, cost, other, out, in};
        }
    };
    for (const Rows& ins : their_kinds_) {
      for (const Rows& outs : my_kinds_) consider(outs, ins);
      if (theirs.size() > k_) consider(none_, ins);
    }
    if (mine.size() > k_)
      for (const Rows& outs : my_kinds_) consider(outs, none_);
  }

  // Rows that no rule tells apart, together.
  void find_kinds(const Rows& rows, std::vector<Rows>& kinds) const {
    kinds.clear();
    for (const std::size_t row : rows) {
      std::size_t kind = 0;
      while (kind < kinds.size() && !rules_.alike(kinds[kind][0], row)) ++kind;
      if (kind == kinds.size()) kinds.emplace_back();
      kinds[kind].push_back(row);
    }
  }

  // What a group breaks once one row has left and another has come.
  double after(const Rows& rows, std::size_t out, std::size_t in) {
    after_.clear();
    for (const std::size_t row : rows)
      if (row != out) after_.push_back(row);
    if (in != nobody) after_.push_back(in);
    return broken(after_);
  }

  LooseGroups& groups_;
  const GroupRules& rules_;
  std::size_t k_;
  GroupRules::Room room_;
  Rows after_;
  const Rows none_{nobody};
  std::vector<Rows> my_kinds_, their_kinds_;
};

}  // namespace tokumei
