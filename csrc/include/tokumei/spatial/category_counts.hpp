// How many records hold each category: the mean of records in the columns of codes.
//
// Counts are whole numbers, so a mean is exact and follows every record taken out in O(1) an
// attribute. A category has a slot: its code + 1, and a missing cell slot 0. Memory: 12 bytes a
// category.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "tokumei/runtime/records.hpp"

namespace tokumei::spatial {

using CategorySlot = std::int32_t;

inline CategorySlot slot_of(std::int32_t code) { return code < 0 ? 0 : code + 1; }

class CategoryCounts {
 public:
  CategoryCounts() = default;

  // Of all records.
  explicit CategoryCounts(const Records& records) : CategoryCounts(records, 0.0) {
    if (!records.has_codes()) return;
    for (std::size_t row = 0; row < records.rows(); ++row) add(records, row);
    for (std::size_t j = 0; j < records.codes.columns(); ++j) fit_least(j);
  }

  double size() const { return size_; }
  double count(std::size_t j, CategorySlot slot) const { return counts_[place_of(j, slot)]; }

  void add(const Records& records, std::size_t row) {
    for (std::size_t j = 0; j < starts_.size() - 1; ++j) {
      const std::size_t at = place_of(j, slot_of(records.codes(row, j)));
      double& count = counts_[at];
      if (at == starts_[j])
        missing_[j] = 1;
      else
        squares_[j] += 2 * count + 1;
      count += 1;
      screened_[at] = static_cast<float>(count);
    }
    resize(size_ + 1);
  }

  // One record less; `slots` are its own.
  void remove(const CategorySlot* slots) {
    for (std::size_t j = 0; j < starts_.size() - 1; ++j) {
      const std::size_t at = place_of(j, slots[j]);
      double& count = counts_[at];
      count -= 1;
      if (slots[j] > 0) {
        squares_[j] -= 2 * count + 1;
        least_[j] = std::min(least_[j], std::max(count, 1.0));
      }
      screened_[at] = static_cast<float>(count);
      if (!remembered_.empty()) products_[j] -= slots[j] > 0 ? remembered_[at] : 0.0;
    }
    resize(size_ - 1);
  }

  // --- of an attribute: what a record's term to the mean is made of, in units of the weight ---

  // 1 + S / n^2.
  double base(std::size_t j) const { return 1.0 + squares_[j] / (size_ * size_); }
  // 2 c / n, which is 1 for a missing cell.
  double share(std::size_t j, CategorySlot slot) const {
    return slot > 0 ? 2.0 * counts_[place_of(j, slot)] / size_ : 1.0;
  }
  // No record that is left has less.
  double least_share(std::size_t j) const { return std::min(2.0 * least_[j] / size_, 1.0); }
  // Counts as float32, slot by slot; slot 0, whose share is 1, has n / 2.
  const float* screened(std::size_t j) const { return &screened_[starts_[j]]; }

  // --- of an attribute: shares f of the categories, for bounds ---

  double sum_of_squares(std::size_t j) const { return squares_[j] / (size_ * size_); }
  double share_of(std::size_t j, CategorySlot slot) const {
    return slot > 0 ? counts_[place_of(j, slot)] / size_ : 0.0;
  }
  double largest_share(std::size_t j) const {
    const auto begin = counts_.begin() + static_cast<std::ptrdiff_t>(starts_[j] + 1);
    const auto end = counts_.begin() + static_cast<std::ptrdiff_t>(starts_[j + 1]);
    return begin == end ? 0.0 : *std::max_element(begin, end) / size_;
  }
  bool has_missing(std::size_t j) const { return missing_[j] != 0; }
  std::size_t slots(std::size_t j) const { return starts_[j + 1] - starts_[j]; }

  // Keeps the mean as it is now, so that `apart` tells how far it has moved since.
  void remember() {
    remembered_ = counts_;
    products_ = squares_;
    remembered_squares_ = squares_;
    remembered_size_ = size_;
  }
  double apart(std::size_t j) const {
    return squares_[j] / (size_ * size_) - 2.0 * products_[j] / (size_ * remembered_size_) +
           remembered_squares_[j] / (remembered_size_ * remembered_size_);
  }

 private:
  CategoryCounts(const Records& records, double size)
      : size_(size), starts_{0}, squares_(records.codes.columns(), 0.0),
        least_(squares_.size(), 1.0), missing_(squares_.size(), 0) {
    for (std::size_t j = 0; j < records.codes.columns(); ++j) {
      const auto column = records.codes.column(j);
      const auto last = *std::max_element(column.begin(), column.end());
      starts_.push_back(starts_.back() + static_cast<std::size_t>(slot_of(last)) + 1);
    }
    counts_.resize(starts_.back(), 0.0);
    screened_.resize(starts_.back(), 0.0F);
  }

  std::size_t place_of(std::size_t j, CategorySlot slot) const {
    return starts_[j] + static_cast<std::size_t>(slot);
  }

  void resize(double size) {
    size_ = size;
    for (std::size_t j = 0; j < squares_.size(); ++j)
      screened_[starts_[j]] = static_cast<float>(size / 2);
  }

  void fit_least(std::size_t j) {
    double least = size_;
    for (std::size_t at = starts_[j] + 1; at < starts_[j + 1]; ++at)
      if (counts_[at] > 0) least = std::min(least, counts_[at]);
    least_[j] = std::max(least, 1.0);
  }

  double size_ = 0.0;
  std::vector<std::size_t> starts_{0};
  std::vector<double> squares_, least_;
  std::vector<std::uint8_t> missing_;
  std::vector<double> counts_;
  std::vector<float> screened_;
  std::vector<double> remembered_, products_, remembered_squares_;
  double remembered_size_ = 0.0;
};

// A record, or a mean of records; borrowed. Where there are no codes, neither slots nor a mean.
struct Point {
  Point(const double* values, const CategorySlot* codes = nullptr,
        const CategoryCounts* of_codes = nullptr)
      : numbers(values), slots(codes), mean(of_codes) {}

  const double* numbers;
  const CategorySlot* slots;
  const CategoryCounts* mean;
};

}  // namespace tokumei::spatial
