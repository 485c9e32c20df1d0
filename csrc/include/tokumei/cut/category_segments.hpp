// The sums of squares of all short segments of records with codes: those of the numbers
// (short_segments.hpp) and those of the codes.
//
// With c records of a category in a segment of `length`, S the sum of all c squared and p records
// in which no cell is missing, a column of codes costs weight (p - S / length); counts are whole
// numbers, so records that agree cost exactly nothing. O(k) an end and column, whatever the
// categories. Needs |x| <= 1e130.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "tokumei/cut/short_segments.hpp"
#include "tokumei/runtime/records.hpp"

namespace tokumei::cut {

template <class NumberCosts>
class CategorySegmentCosts {
 public:
  CategorySegmentCosts(NumberCosts& numbers, const Records& x, Column<std::int64_t> order,
                       std::size_t k)
      : numbers_(numbers), x_(x), order_(order), k_(k), counts_(x.codes.columns()) {
    for (std::size_t j = 0; j < counts_.size(); ++j) {
      const auto codes = x.codes.column(j);
      const auto last = *std::max_element(codes.begin(), codes.end());
      counts_[j].resize(static_cast<std::size_t>(std::max(last, 0)) + 1, 0.0);
    }
  }

  void fill(std::size_t first_end, std::size_t ends, double* out, std::size_t stride) {
    numbers_.fill(first_end, ends, out, stride);
    for (std::size_t j = 0; j < counts_.size(); ++j)
      for (std::size_t e = 0; e < ends; ++e) add(j, first_end + e, out + e, stride);
  }

 private:
  void add(std::size_t j, std::size_t end, double* out, std::size_t stride) {
    const auto codes = x_.codes.column(j);
    std::vector<double>& counts = counts_[j];
    const std::size_t longest = std::min(end, 2 * k_ - 1);
    double present = 0.0, squares = 0.0;
    for (std::size_t length = 1; length <= longest; ++length) {
      const std::int32_t code = codes[static_cast<std::size_t>(order_[end - length])];
      if (code >= 0) {
        double& count = counts[static_cast<std::size_t>(code)];
        squares += 2 * count + 1;
        count += 1;
        present += 1;
      }
      if (length >= k_)
        out[(length - k_) * stride] +=
            x_.weights[j] * (present - squares / static_cast<double>(length));
    }
    for (std::size_t length = 1; length <= longest; ++length) {
      const std::int32_t code = codes[static_cast<std::size_t>(order_[end - length])];
      if (code >= 0) counts[static_cast<std::size_t>(code)] = 0.0;
    }
  }

  NumberCosts& numbers_;
  const Records& x_;
  Column<std::int64_t> order_;
  std::size_t k_;
  std::vector<std::vector<double>> counts_;  // all zero between two ends
};

}  // namespace tokumei::cut
