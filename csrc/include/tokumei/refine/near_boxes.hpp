// Points in boxes: distances of points side by side, and what no point of a box is nearer than.
//
// A point is numbers and the slots of its categories (category_state.hpp). A box is a stretch of
// points; of each category it is known which boxes hold it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "tokumei/numeric/squared_distances.hpp"
#include "tokumei/refine/category_state.hpp"
#include "tokumei/runtime/instruction_sets.hpp"
#include "tokumei/simd/lanes.hpp"
#include "tokumei/spatial/category_terms.hpp"

namespace tokumei::refine {

// Points column after column, and their distances to one of them.
class Points {
 public:
  template <class At>
  Points(std::size_t rows, std::size_t columns, At&& at)
      : values_(rows * columns), point_(columns), distances_(rows) {
    for (std::size_t j = 0; j < columns; ++j) {
      for (std::size_t i = 0; i < rows; ++i) values_[j * rows + i] = at(i, j);
      columns_.push_back(&values_[j * rows]);
    }
  }

  // Distances of the points begin..end-1 to the one at `row`, from place 0.
  std::vector<double>& from(std::size_t row, std::size_t begin, std::size_t end,
                            InstructionSet isa) {
    for (std::size_t j = 0; j < point_.size(); ++j) point_[j] = columns_[j][row];
    squared_distances_by_attributes(isa, columns_.data(), begin, end - begin, point_.size(),
                                    point_.data(), distances_.data());
    return distances_;
  }

  const double* column(std::size_t j) const { return columns_[j]; }

 private:
  std::vector<double> values_, point_, distances_;
  std::vector<const double*> columns_;
};

// The slots of records or of groups, column after column, and their terms of distances.
class SlotColumns {
 public:
  // at(i): the slots of the i-th.
  template <class At>
  SlotColumns(std::size_t rows, const CategoryState& categories, At&& at)
      : rows_(rows), weights_(categories.weights_of_squares), slots_(rows * weights_.size()) {
    for (std::size_t i = 0; i < rows; ++i)
      for (std::size_t j = 0; j < weights_.size(); ++j) slots_[j * rows + i] = slot(at(i)[j]);
  }

  std::size_t columns() const { return weights_.size(); }
  double weight(std::size_t j) const { return weights_[j]; }
  std::size_t at(std::size_t i, std::size_t j) const {
    return static_cast<std::size_t>(slots_[j * rows_ + i]);
  }

  // distances[i] += the terms of begin + i to the slots `here`.
  void add_terms(const double* here, std::size_t begin, std::size_t end, InstructionSet isa,
                 std::vector<double>& distances) const {
    for (std::size_t j = 0; j < weights_.size(); ++j)
      dispatch_lanes<AddTerms>(isa, slots_.data() + j * rows_ + begin, end - begin, slot(here[j]),
                               weights_[j], distances.data());
  }

 private:
  // Of a key that is NaN for missing cells.
  static double slot(double key) { return key > 0.0 ? key : 0.0; }

  std::size_t rows_;
  const std::vector<double>& weights_;
  std::vector<double> slots_;
};

// Which boxes hold a category, for each of them: a word of bits for 64 boxes.
class SlotBoxes {
 public:
  SlotBoxes(const SlotColumns& slots, const std::vector<std::size_t>& borders)
      : slots_(slots), boxes_(borders.size() - 1), words_((boxes_ + 63) / 64),
        held_(slots.columns()) {
    for (std::size_t j = 0; j < held_.size(); ++j) {
      std::size_t most = 0;
      for (std::size_t i = 0; i < borders.back(); ++i) most = std::max(most, slots.at(i, j));
      held_[j].resize((most + 1) * words_, 0);
      for (std::size_t box = 0; box < boxes_; ++box)
        for (std::size_t i = borders[box]; i < borders[box + 1]; ++i)
          held_[j][slots.at(i, j) * words_ + box / 64] |= std::uint64_t{1} << box % 64;
    }
  }

  // apart[box] += the least terms of any point of the box to point `row`, summed as terms are.
  void add_least(std::size_t row, std::vector<double>& apart) const {
    for (std::size_t j = 0; j < held_.size(); ++j) {
      const std::size_t here = slots_.at(row, j);
      const double near_term = slots_.weight(j), far_term = here > 0 ? 2.0 * near_term : near_term;
      const std::uint64_t *alike = &held_[j][here * words_], *missing = held_[j].data();
      for (std::size_t box = 0; box < boxes_; ++box) {
        const std::uint64_t bit = std::uint64_t{1} << box % 64;
        const double other = (missing[box / 64] & bit) != 0 ? near_term : far_term;
        apart[box] += (alike[box / 64] & bit) != 0 ? 0.0 : other;
      }
    }
  }

 private:
  const SlotColumns& slots_;
  std::size_t boxes_, words_;
  std::vector<std::vector<std::uint64_t>> held_;
};

// Boxes around stretches of points: what lies in a box cannot be nearer than the box.
class Boxes {
 public:
  Boxes(const Points& points, std::size_t columns, const SlotColumns& slots,
        const std::vector<std::size_t>& borders)
      : slots_(slots, borders), count_(borders.size() - 1), low_(columns * count_),
        high_(low_.size()), point_(columns), apart_(count_) {
    for (std::size_t j = 0; j < columns; ++j)
      for (std::size_t box = 0; box < count_; ++box) {
        const auto [low, high] = std::minmax_element(points.column(j) + borders[box],
                                                     points.column(j) + borders[box + 1]);
        low_[j * count_ + box] = *low;
        high_[j * count_ + box] = *high;
      }
  }

  // For each box no more than the squared distance of any of its points, summed as distances are.
  const std::vector<double>& from(const Points& points, std::size_t row, InstructionSet isa) {
    for (std::size_t j = 0; j < point_.size(); ++j) point_[j] = points.column(j)[row];
    dispatch<Apart>(isa, static_cast<const double*>(low_.data()),
                    static_cast<const double*>(high_.data()), count_,
                    static_cast<const double*>(point_.data()), point_.size(), apart_.data());
    slots_.add_least(row, apart_);
    return apart_;
  }

 private:
  struct Apart {
    TOKUMEI_HOT static void run(const double* low, const double* high, std::size_t boxes,
                                const double* point, std::size_t columns, double* apart) {
      for (std::size_t box = 0; box < boxes; ++box) apart[box] = 0;
      for (std::size_t j = 0; j < columns; ++j, low += boxes, high += boxes)
        for (std::size_t box = 0; box < boxes; ++box) {
          const double below = low[box] - point[j], above = point[j] - high[box];
          const double outside = below > above ? below : above;
          const double by = outside > 0 ? outside : 0.0;
          apart[box] += by * by;
        }
    }
  };

  SlotBoxes slots_;
  std::size_t count_;
  std::vector<double> low_, high_, point_, apart_;
};

}  // namespace tokumei::refine
