// m(y, A) of the members y of groups near a group A (category_state.hpp): what swaps of records of
// A with them ask for.
//
// The counts of A stand in a table of all categories of the state, so a member costs O(columns)
// however many records A has. What has been found of a group stays until it, or A, changes or
// another group asks: the members of A, which are mostly looked at one after another, share it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "tokumei/refine/category_state.hpp"
#include "tokumei/refine/group_cost.hpp"
#include "tokumei/runtime/instruction_sets.hpp"
#include "tokumei/simd/lanes.hpp"

namespace tokumei::refine {

// A group as it is now: its members begin at a place.
struct MembersOf {
  StateIndex group;
  const StateIndex* members;
  std::size_t size, place;
};

class MatchedMembers {
 public:
  // One number a member of `near`, and some more to whole lanes.
  TOKUMEI_HOT const double* with(const CategoryState& codes, const MembersOf& own,
                                 const MembersOf& near) {
    const std::uint64_t mine = codes.version(own.group), theirs = codes.version(near.group);
    if (near.group >= known_.size() || near.place + padded(near.size) > values_.size()) grow(near);
    double* out = values_.data() + near.place;
    Known& known = known_[near.group];
    if (known.mine == mine && known.theirs == theirs) return out;
    known = {mine, theirs};
    if (counted_ != mine) count(codes, own, mine);
    const double* weighed = weighed_.data();
    for (std::size_t m = 0; m < near.size; ++m) {
      const StateIndex* places = codes.places(near.members[m]);
      double sum = 0.0;
      for (std::size_t j = 0; j < codes.columns; ++j) sum += weighed[places[j]];
      out[m] = sum;
    }
    return out;
  }

 private:
  struct Known {
    std::uint64_t mine = 0, theirs = 0;
  };

  void grow(const MembersOf& near) {
    known_.resize(std::max<std::size_t>(known_.size(), near.group + 1));
    values_.resize(std::max(values_.size(), near.place + padded(near.size)), 0.0);
  }

  void count(const CategoryState& codes, const MembersOf& own, std::uint64_t version) {
    weighed_.resize(codes.all_places(), 0.0);
    counts_.resize(codes.all_places(), 0.0);
    for (const StateIndex place : used_) weighed_[place] = 0.0;
    used_.clear();
    for (std::size_t m = 0; m < own.size; ++m) {
      const StateIndex* places = codes.places(own.members[m]);
      used_.insert(used_.end(), places, places + codes.columns);
    }
    for (const StateIndex place : used_) counts_[place] += 1.0;
    for (std::size_t j = 0; j < codes.columns; ++j) {
      for (std::size_t i = j; i < used_.size(); i += codes.columns)
        weighed_[used_[i]] = codes.weights[j] * counts_[used_[i]];
      weighed_[codes.first_place(j)] = 0.0;  // of missing cells
    }
    for (const StateIndex place : used_) counts_[place] = 0.0;
    counted_ = version;
  }

  std::vector<Known> known_;     // of each group near
  std::vector<double> values_;   // by place
  std::vector<double> weighed_;  // of the group that asked last: counts times weights
  std::vector<double> counts_;   // all zero between two calls
  std::vector<StateIndex> used_;
  std::uint64_t counted_ = 0;
};

}  // namespace tokumei::refine
