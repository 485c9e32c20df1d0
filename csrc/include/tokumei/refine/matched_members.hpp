// m(y, A) of members y of the groups near a group A (category_state.hpp): what swaps of records of
// A with them ask for.
//
// The counts of A stand in a table of all categories of the state, so a member costs O(columns)
// however many records A has. They are made when A asks for the first time and after it has
// changed: its members are mostly looked at one after another.
#pragma once

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
  // From now on A is this group, as it is.
  void ask(const CategoryState& codes, const MembersOf& own) {
    const std::uint64_t version = codes.version(own.group);
    if (counted_ == version) return;
    counted_ = version;
    size_ = own.size;
    if (few()) {
      keys_.resize(size_ * codes.columns);
      double* out = keys_.data();
      for (std::size_t j = 0; j < codes.columns; ++j)
        for (std::size_t m = 0; m < size_; ++m) *out++ = codes.keys(own.members[m])[j];
      return;
    }
    counts_.resize(codes.all_places(), 0.0);
    for (const StateIndex place : used_) counts_[place] = 0.0;
    used_.resize(own.size * codes.columns);
    StateIndex* out = used_.data();
    for (std::size_t m = 0; m < own.size; ++m) {
      const StateIndex* places = codes.places(own.members[m]);
      for (std::size_t j = 0; j < codes.columns; ++j) counts_[*out++ = places[j]] += 1.0;
    }
    for (std::size_t j = 0; j < codes.columns; ++j) counts_[codes.first_place(j)] = 0.0;
  }

  // That of one record.
  double with(const CategoryState& codes, StateIndex row) const {
    const StateIndex* places = codes.places(row);
    const double* keys = keys_.data();
    double sum = 0.0;
    for (std::size_t j = 0; j < codes.columns; ++j, keys += size_) {
      double count = 0.0;
      if (few())
        for (std::size_t m = 0; m < size_; ++m) count += keys[m] == codes.keys(row)[j] ? 1.0 : 0.0;
      else
        count = counts_[places[j]];
      sum += count * codes.weights[j];
    }
    return sum;
  }

  // The same of the eight members of a tile; 0 where there is none.
  template <class V>
  TOKUMEI_HOT V with_tile(const CategoryState& codes, std::size_t place) const {
    const double* of_columns = codes.weights.data();
    V sum{};
    if (few()) {
      const double *line = codes.chunk(place), *keys = keys_.data();
      for (std::size_t j = 0; j < codes.columns; ++j, line += lane_count) {
        const V there = load<V>(line);
        V counts{};
        for (std::size_t m = 0; m < size_; ++m) counts = counts + where_one(there == *keys++, 1.0);
        sum = sum + counts * of_columns[j];
      }
      return sum;
    }
    const StateIndex* tile = codes.places_of_tile(place);
    const double* known = counts_.data();
    for (std::size_t j = 0; j < codes.columns; ++j, tile += lane_count) {
      double counts[lane_count];
      for (std::size_t i = 0; i < lane_count; ++i) counts[i] = known[tile[i]];
      sum = sum + load<V>(counts) * of_columns[j];
    }
    return sum;
  }

 private:
  bool few() const { return size_ <= CategoryState::few; }

  std::size_t size_ = 0;
  std::vector<double> keys_;    // of the members, column after column, where they are few
  std::vector<double> counts_;  // of each category
  std::vector<StateIndex> used_;
  std::uint64_t counted_ = 0;  // the version of A
};

}  // namespace tokumei::refine
