// What columns of codes add to costs of groups other than plain squares, from a tally of the group
// (category_tally.hpp). Each function is a sum over the columns, O(1) each.
//
//   squares    of records with weights: with W the mass of the group, P that of the records whose
//              cell is not missing and Q the sum of the masses of categories, squared, a column
//              costs weight (P - Q / W)
//   absolute   deviations from medians: a corner's coordinate has a median other than 0 where more
//              than half of the records are of its category. With `most` of n records of one, a
//              column costs sqrt(weight) (P - max(0, 2 most - n)), and weights are given as roots.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "tokumei/refine/category_state.hpp"
#include "tokumei/refine/category_tally.hpp"
#include "tokumei/refine/group_cost.hpp"
#include "tokumei/runtime/views.hpp"

namespace tokumei::refine {

// A record that joins or leaves a group: the places of its categories, and its weight.
struct TalliedRecord {
  const StateIndex* places;
  double weight;
};

namespace tallied {

// weight(j) times what `change` says of column j, summed.
template <class Change>
double each_column(const CategoryState& codes, Change&& change) {
  double sum = 0.0;
  for (std::size_t j = 0; j < codes.columns; ++j) sum += codes.weights[j] * change(j);
  return sum;
}

}  // namespace tallied

struct TalliedSquares {
  static std::vector<double> of_weights(Column<double> weights) {
    return {weights.begin(), weights.end()};
  }

  static double cost(const CategoryState& codes, const CategoryTally& group) {
    return tallied::each_column(codes, [&](std::size_t j) { return of_column(group, j); });
  }

  static double joining(const CategoryState& codes, const CategoryTally& group, TalliedRecord x) {
    return tallied::each_column(codes, [&](std::size_t j) {
      const bool there = !CategoryTally::is_missing(codes, j, x.places[j]);
      const double here = group.of(x.places[j]), weight = there ? x.weight : 0.0;
      const double squares = (here + weight) * (here + weight) - here * here;
      return changed(group, j, weight, squares, x.weight);
    });
  }

  static double leaving(const CategoryState& codes, const CategoryTally& group, TalliedRecord x) {
    return tallied::each_column(codes, [&](std::size_t j) {
      const bool there = !CategoryTally::is_missing(codes, j, x.places[j]);
      const double here = group.of(x.places[j]), weight = there ? x.weight : 0.0;
      const double squares = (here - weight) * (here - weight) - here * here;
      return changed(group, j, -weight, squares, -x.weight);
    });
  }

  // Of a group that x leaves and y joins.
  static double replacing(const CategoryState& codes, const CategoryTally& group, TalliedRecord x,
                          TalliedRecord y) {
    return tallied::each_column(codes, [&](std::size_t j) {
      const bool gone = !CategoryTally::is_missing(codes, j, x.places[j]);
      const bool come = !CategoryTally::is_missing(codes, j, y.places[j]);
      const double out = gone ? x.weight : 0.0, in = come ? y.weight : 0.0;
      const double here = group.of(x.places[j]), there = group.of(y.places[j]);
      const bool same = x.places[j] == y.places[j];
      const double left = here - out + (same ? in : 0.0);
      double squares = left * left - here * here;
      if (!same) squares += (there + in) * (there + in) - there * there;
      return changed(group, j, in - out, squares, y.weight - x.weight);
    });
  }

  // The squared distance of a record to the mean.
  static double to_centre(const CategoryState& codes, const CategoryTally& group, TalliedRecord x) {
    const double mass = group.mass();
    return tallied::each_column(codes, [&](std::size_t j) {
      const double there = CategoryTally::is_missing(codes, j, x.places[j]) ? 0.0 : 1.0;
      return there - 2 * group.of(x.places[j]) / mass + group.column(j).squares / (mass * mass);
    });
  }

 private:
  static double of_column(const CategoryTally& group, std::size_t j) {
    const auto& column = group.column(j);
    // Where all are of one category that is nothing, and no rounding.
    if (column.most == group.mass()) return 0.0;
    return std::max(0.0, column.present - column.squares / group.mass());
  }

  static double changed(const CategoryTally& group, std::size_t j, double present, double squares,
                        double mass) {
    const auto& column = group.column(j);
    return present - (column.squares + squares) / (group.mass() + mass) +
           column.squares / group.mass();
  }
};

struct TalliedDeviations {
  static std::vector<double> of_weights(Column<double> weights) {
    std::vector<double> roots;
    for (const double weight : weights) roots.push_back(std::sqrt(weight));
    return roots;
  }

  static double cost(const CategoryState& codes, const CategoryTally& group) {
    return tallied::each_column(codes, [&](std::size_t j) {
      return group.column(j).present - beyond_half(group.column(j).most, group.mass());
    });
  }

  static double joining(const CategoryState& codes, const CategoryTally& group, TalliedRecord x) {
    return tallied::each_column(codes, [&](std::size_t j) {
      const double in = CategoryTally::is_missing(codes, j, x.places[j]) ? 0.0 : 1.0;
      const double most = std::max(group.column(j).most, group.of(x.places[j]) + in);
      return changed(group, j, in, most, group.mass() + 1);
    });
  }

  static double leaving(const CategoryState& codes, const CategoryTally& group, TalliedRecord x) {
    return tallied::each_column(codes, [&](std::size_t j) {
      const double out = CategoryTally::is_missing(codes, j, x.places[j]) ? 0.0 : 1.0;
      return changed(group, j, -out, most_without(group, j, x.places[j], out), group.mass() - 1);
    });
  }

  static double replacing(const CategoryState& codes, const CategoryTally& group, TalliedRecord x,
                          TalliedRecord y) {
    return tallied::each_column(codes, [&](std::size_t j) {
      if (x.places[j] == y.places[j]) return 0.0;
      const double out = CategoryTally::is_missing(codes, j, x.places[j]) ? 0.0 : 1.0;
      const double in = CategoryTally::is_missing(codes, j, y.places[j]) ? 0.0 : 1.0;
      const double most =
          std::max(most_without(group, j, x.places[j], out), group.of(y.places[j]) + in);
      return changed(group, j, in - out, most, group.mass());
    });
  }

  // The distance to the median: the corner of the category that more than half have, or none.
  static double to_centre(const CategoryState& codes, const CategoryTally& group, TalliedRecord x) {
    return tallied::each_column(codes, [&](std::size_t j) {
      const double there = CategoryTally::is_missing(codes, j, x.places[j]) ? 0.0 : 1.0;
      const auto& column = group.column(j);
      if (2 * column.most <= group.mass()) return there;
      return x.places[j] == column.usual ? 0.0 : there + 1.0;
    });
  }

 private:
  static double beyond_half(double most, double size) { return std::max(0.0, 2 * most - size); }

  // The most records of one category once one at a place has left.
  static double most_without(const CategoryTally& group, std::size_t j, StateIndex place,
                             double out) {
    const auto& column = group.column(j);
    return std::max(column.second, place == column.usual ? column.most - out : column.most);
  }

  static double changed(const CategoryTally& group, std::size_t j, double present, double most,
                        double size) {
    const auto& column = group.column(j);
    return present - beyond_half(most, size) + beyond_half(column.most, group.mass());
  }
};

}  // namespace tokumei::refine
