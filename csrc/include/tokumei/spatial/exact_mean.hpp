// The mean of records, exactly: sums of the numbers, counts of the categories, and how many.
//
// Its numbers are known rounded, as sums rounded correctly over the number of records, and a search
// from there can miss who is farthest from the mean itself: of (0,0), (0,2), (2,2) the first and
// the last are, and the rounded mean is nearer to one of them. `slack` is more than all roundings
// can make of that, and `compare` tells two records apart without any: with n records and sums s,
//     n |x - s/n|^2 = sum n x_j^2 - 2 x_j s_j + sum weight (n - m) + what all have in common,
// where m is twice the count of the record's category, or n where that is missing.
//
// Numbers whose squares are finite; those smaller than the largest number by a factor of 2^400 or
// more, or weights likewise, may be lost in `compare`. It takes some 50 ns an attribute.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

#include "tokumei/numeric/bulk_sum.hpp"
#include "tokumei/numeric/exact_sum.hpp"
#include "tokumei/runtime/monitored_blocks.hpp"
#include "tokumei/runtime/records.hpp"
#include "tokumei/runtime/run.hpp"
#include "tokumei/runtime/thread_team.hpp"
#include "tokumei/spatial/category_counts.hpp"

namespace tokumei::spatial {

class ExactMean {
 public:
  // Of all records. Borrows their weights.
  ExactMean(const Records& x, Run& run)
      : size_(x.rows()), weights_(x.weights), sums_(x.numbers.columns()), rounded_(sums_.size()),
        counts_(x) {
    ThreadTeam team(run.n_threads);
    each_watched_block(team, run.monitor, sums_.size(), 1,
                       [&](std::size_t j) { add_column(sums_[j], x.numbers.column(j), run.isa); });
    round();
  }

  // One record less. `round` is due before the mean is read.
  void remove(const Point& record) {
    for (std::size_t j = 0; j < sums_.size(); ++j) sums_[j].subtract(record.numbers[j]);
    counts_.remove(record.slots);
    --size_;
  }
  void round() {
    for (std::size_t j = 0; j < sums_.size(); ++j)
      rounded_[j] = sums_[j].value() / static_cast<double>(size_);
  }

  const double* rounded() const { return rounded_.data(); }
  CategoryCounts& counts() { return counts_; }

  // Records whose computed squared distances, of `most` at most, are farther apart are rightly told
  // apart by them: four times the roundings of two sums of terms and of the mean.
  double slack(double most) const {
    double norm = 0.0, codes = 0.0;
    for (const double value : rounded_) norm += value * value;
    for (const double weight : weights_) codes += weight;
    const double off = 0x1p-52 * std::sqrt(norm);
    const double terms = static_cast<double>(sums_.size() + weights_.size() + 8);
    return 4.0 * (terms * 0x1p-53 * (most + 2.0 * codes) + off * (2.0 * std::sqrt(most) + off)) +
           1e-290;
  }

  // Above zero where a is farther from the mean than b, below where it is nearer.
  int compare(const Point& a, const Point& b) const {
    const int numbers = scale_of_numbers(a, b), codes = scale_of_weights();
    // Numbers that are nothing beside the weights decide where codes do not.
    if (numbers - codes > 300) {
      ExactSum by_codes, by_numbers;
      add_codes(by_codes, a, b, codes);
      add_numbers(by_numbers, a, b, numbers);
      return by_codes.sign() != 0 ? by_codes.sign() : by_numbers.sign();
    }
    ExactSum apart;
    add_codes(apart, a, b, std::min(numbers, codes));
    add_numbers(apart, a, b, std::min(numbers, codes));
    return apart.sign();
  }

 private:
  static constexpr int no_scale = 4096;  // of no number, or of no weight

  // The power of two that brings the largest number near one.
  int scale_of_numbers(const Point& a, const Point& b) const {
    double largest = 0.0;
    for (std::size_t j = 0; j < sums_.size(); ++j)
      largest = std::max(
          {largest, std::abs(a.numbers[j]), std::abs(b.numbers[j]), std::abs(rounded_[j])});
    return largest > 0.0 ? -std::ilogb(largest) : no_scale;
  }

  // Likewise for weights, which stand beside squares.
  int scale_of_weights() const {
    double largest = 0.0;
    for (const double weight : weights_) largest = std::max(largest, std::sqrt(weight));
    return largest > 0.0 ? -std::ilogb(largest) : no_scale;
  }

  void add_numbers(ExactSum& apart, const Point& a, const Point& b, int up) const {
    const double n = static_cast<double>(size_);
    for (std::size_t j = 0; j < sums_.size(); ++j) {
      if (a.numbers[j] == b.numbers[j]) continue;
      const double x = std::ldexp(a.numbers[j], up), y = std::ldexp(b.numbers[j], up);
      add_square(apart, n, x, 1.0);
      add_square(apart, n, y, -1.0);
      sums_[j].each_part([&](double part) {
        const double twice = std::ldexp(part, up + 1);
        apart.add_product(-x, twice);
        apart.add_product(y, twice);
      });
    }
  }

  void add_codes(ExactSum& apart, const Point& a, const Point& b, int up) const {
    for (std::size_t j = 0; j < weights_.size(); ++j)
      apart.add_product(std::ldexp(weights_[j], 2 * up),
                        share(j, b.slots[j]) - share(j, a.slots[j]));
  }

  static void add_square(ExactSum& sum, double n, double x, double sign) {
    const double high = n * x;
    const double low = std::fma(n, x, -high);
    sum.add_product(high, sign * x);
    sum.add_product(low, sign * x);
  }

  double share(std::size_t j, CategorySlot slot) const {
    return slot > 0 ? 2.0 * counts_.count(j, slot) : static_cast<double>(size_);
  }

  std::size_t size_;
  Column<double> weights_;
  std::vector<ExactSum> sums_;
  std::vector<double> rounded_;
  CategoryCounts counts_;
};

}  // namespace tokumei::spatial
