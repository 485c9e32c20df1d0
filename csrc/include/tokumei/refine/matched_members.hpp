// m(y, A) of the members y of groups near a group A (category_state.hpp): what swaps of records of
// A with them ask for.
//
// The counts of A stand in a table of all categories of the state, so a member costs O(columns)
// however many records A has. What has been found of a group stays until it, or A, changes or
// another group asks: the members of A, which are mostly looked at one after another, share it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "tokumei/refine/category_state.hpp"
#include "tokumei/refine/group_cost.hpp"
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
  const double* with(const CategoryState& codes, const MembersOf& own, const MembersOf& near) {
    const std::uint64_t mine = codes.version(own.group), theirs = codes.version(near.group);
    if (near.group >= known_.size()) known_.resize(near.group + 1);
    if (values_.size() < near.place + padded(near.size))
      values_.resize(near.place + padded(near.size), 0.0);
    double* out = values_.data() + near.place;
    Known& known = known_[near.group];
    if (known.mine == mine && known.theirs == theirs) return out;
    known = {mine, theirs};
    if (counted_ != mine) count(codes, own, mine);
    for (std::size_t m = 0; m < near.size; ++m) {
      const StateIndex* places = codes.places(near.members[m]);
      double sum = 0.0;
      for (std::size_t j = 0; j < codes.columns; ++j) sum += codes.weights[j] * counts_[places[j]];
      out[m] = sum;
    }
    return out;
  }

 private:
  struct Known {
    std::uint64_t mine = 0, theirs = 0;
  };

  void count(const CategoryState& codes, const MembersOf& own, std::uint64_t version) {
    counts_.resize(codes.all_places(), 0.0);
    for (const StateIndex place : used_) counts_[place] = 0.0;
    used_.clear();
    for (std::size_t m = 0; m < own.size; ++m)
      for (std::size_t j = 0; j < codes.columns; ++j) {
        const StateIndex place = codes.places(own.members[m])[j];
        counts_[place] += 1.0;
        used_.push_back(place);
      }
    for (std::size_t j = 0; j < codes.columns; ++j) counts_[codes.first_place(j)] = 0.0;
    counted_ = version;
  }

  std::vector<Known> known_;    // of each group near
  std::vector<double> values_;  // by place
  std::vector<double> counts_;  // of the group that asked last
  std::vector<StateIndex> used_;
  std::uint64_t counted_ = 0;
};

}  // namespace tokumei::refine
