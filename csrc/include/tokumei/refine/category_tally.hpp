// How much of a group is of each category: what costs that are no plain squares are made of.
//
// The weights of the records (or 1) are added up in the order of the members. O(members x columns)
// to make one, O(1) to ask for a category.
#pragma once

#include <cstddef>
#include <vector>

#include "tokumei/refine/category_state.hpp"
#include "tokumei/refine/group_cost.hpp"

namespace tokumei::refine {

class CategoryTally {
 public:
  // The greatest masses of a column, and whose the greatest is.
  struct Column {
    double present = 0.0;  // of records in which no cell is missing
    double squares = 0.0;  // of the masses of categories, squared
    double most = 0.0, second = 0.0;
    StateIndex usual = 0;  // the place of a category of the greatest mass
  };

  // `weights` of all records, or null.
  void count(const CategoryState& codes, const StateIndex* members, std::size_t size,
             const double* weights) {
    masses_.resize(codes.all_places(), 0.0);
    for (const StateIndex place : used_) masses_[place] = 0.0;
    used_.clear();
    columns_.assign(codes.columns, {});
    mass_ = 0.0;
    for (std::size_t m = 0; m < size; ++m) {
      const double weight = weights == nullptr ? 1.0 : weights[members[m]];
      mass_ += weight;
      for (std::size_t j = 0; j < codes.columns; ++j) {
        const StateIndex place = codes.places(members[m])[j];
        if (is_missing(codes, j, place)) continue;
        if (masses_[place] == 0.0) used_.push_back(place);
        masses_[place] += weight;
        columns_[j].present += weight;
      }
    }
    for (const StateIndex place : used_) {
      std::size_t j = codes.columns - 1;
      while (place < codes.first_place(j)) --j;
      Column& column = columns_[j];
      const double mass = masses_[place];
      column.squares += mass * mass;
      if (mass > column.most) {
        column.second = column.most;
        column.most = mass;
        column.usual = place;
      } else if (mass > column.second) {
        column.second = mass;
      }
    }
  }

  double mass() const { return mass_; }
  const Column& column(std::size_t j) const { return columns_[j]; }
  double of(StateIndex place) const { return masses_[place]; }

  static bool is_missing(const CategoryState& codes, std::size_t j, StateIndex place) {
    return place == codes.first_place(j);
  }

 private:
  double mass_ = 0.0;
  std::vector<Column> columns_;
  std::vector<double> masses_;  // by place; 0 where the group has none
  std::vector<StateIndex> used_;
};

}  // namespace tokumei::refine
