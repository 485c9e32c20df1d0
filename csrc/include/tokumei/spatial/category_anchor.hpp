// The anchor in the columns of codes: a mean, kept as the term of each slot.
//
// Also what lies opposite to it: for the anchor c, a record p and y = c - t (p - c), a category v
// of share f in c is, in units of the weight, at a squared distance from y of
//     1 + |y|^2 - 2 ((1 + t) f - t [v is p's])  >=  1 + |y|^2 - 2 (1 + t) max f,
//     |y|^2 = (1 + t)^2 sum f^2 - 2 t (1 + t) f_p + t^2.
// Summed over the columns that is a polynomial in t, which is told with a margin for its roundings.
// Columns with missing cells add nothing to it.
#pragma once

#include <cstddef>
#include <vector>

#include "tokumei/runtime/views.hpp"
#include "tokumei/spatial/category_counts.hpp"

namespace tokumei::spatial {

// constant + linear t + square t^2.
struct OppositeGap {
  double constant = 0.0, linear = 0.0, square = 0.0;
};

class CategoryAnchor {
 public:
  void set(const CategoryCounts& mean, Column<double> weights) {
    columns_.clear();
    terms_.clear();
    for (std::size_t j = 0; j < weights.size(); ++j) {
      const double base = mean.base(j);
      columns_.push_back({terms_.size(), weights[j], base, mean.sum_of_squares(j),
                          mean.largest_share(j), mean.has_missing(j)});
      for (std::size_t slot = 0; slot < mean.slots(j); ++slot)
        terms_.push_back(weights[j] * (base - mean.share(j, static_cast<CategorySlot>(slot))));
    }
  }

  bool is_set() const { return !columns_.empty(); }

  // A sum of squares of numbers and the terms of a record.
  double add_terms(double sum, const CategorySlot* slots) const {
    for (std::size_t j = 0; j < columns_.size(); ++j)
      sum += terms_[columns_[j].first + static_cast<std::size_t>(slots[j])];
    return sum;
  }

  OppositeGap opposite(const CategorySlot* slots) const {
    OppositeGap gap;
    for (std::size_t j = 0; j < columns_.size(); ++j) {
      const OfColumn& of = columns_[j];
      if (of.has_missing || slots[j] == 0) continue;
      const double term = terms_[of.first + static_cast<std::size_t>(slots[j])];
      const double share = (of.base - term / of.weight) / 2;
      gap.constant += of.weight * (1 + of.squares - 2 * of.largest - margin);
      gap.linear += of.weight * 2 * (of.squares - share - of.largest - margin);
      gap.square += of.weight * (1 + of.squares - 2 * share - margin);
    }
    return gap;
  }

 private:
  static constexpr double margin = 1e-13;

  struct OfColumn {
    std::size_t first;
    double weight, base, squares, largest;
    bool has_missing;
  };

  std::vector<OfColumn> columns_;
  std::vector<double> terms_;
};

}  // namespace tokumei::spatial
