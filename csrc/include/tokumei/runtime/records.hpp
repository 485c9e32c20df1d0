// Records of numbers and category codes, as kernels borrow them.
//
// An attribute is a column of numbers or a column of codes with a weight. The squared distance of
// two records has one term an attribute, numbers first: the squared difference, or twice the weight
// where codes differ. That is the distance of points, a category being a corner of a simplex; so a
// mean is known by its counts, and with c of n records of a category and S the sum of all c squared
// the squared distance of such a record to the mean is
//     weight (1 + S / n^2 - 2 c / n).
// A code below zero is missing: the middle of the simplex, weight away from every corner; it counts
// for n only, and its 2 c / n is 1. Codes are whole numbers from 0 up, without wide gaps.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "tokumei/runtime/views.hpp"

namespace tokumei::runtime {

struct Records {
  Records() = default;
  Records(Table<double> x) : numbers(x) {}
  Records(Table<double> x, Table<std::int32_t> of_categories, Column<double> of_codes)
      : numbers(x), codes(of_categories), weights(of_codes) {}

  std::size_t rows() const { return numbers.rows(); }
  std::size_t attributes() const { return numbers.columns() + codes.columns(); }
  bool has_codes() const { return codes.columns() > 0; }

  Table<double> numbers;  // one column at least
  Table<std::int32_t> codes;
  Column<double> weights;  // one a column of codes
};

// A copy of some records, in the order given.
class SomeRecords {
 public:
  SomeRecords(const Records& x, const std::size_t* rows, std::size_t count)
      : weights_(x.weights), count_(count), numbers_(count * x.numbers.columns()),
        codes_(count * x.codes.columns()) {
    for (std::size_t j = 0; j < x.numbers.columns(); ++j)
      for (std::size_t i = 0; i < count; ++i) numbers_[j * count + i] = x.numbers(rows[i], j);
    for (std::size_t j = 0; j < x.codes.columns(); ++j)
      for (std::size_t i = 0; i < count; ++i) codes_[j * count + i] = x.codes(rows[i], j);
  }

  Records view() const {
    return {{numbers_.data(), count_, numbers_.size() / count_},
            {codes_.data(), count_, codes_.size() / count_},
            weights_};
  }

 private:
  Column<double> weights_;
  std::size_t count_;
  std::vector<double> numbers_;
  std::vector<std::int32_t> codes_;
};

}  // namespace tokumei::runtime
