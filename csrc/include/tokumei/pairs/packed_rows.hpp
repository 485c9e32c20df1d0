// The table as tiles read it: chunks of rows that fit the first-level cache, in each one attribute
// after the other. Padded with rows that count 0; scaled by a power of two, so that the largest
// difference is about 1 and no power of one overflows; attributes that do not vary are 0.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

#include "tokumei/runtime/views.hpp"

namespace tokumei::pairs {

class PackedRows {
 public:
  static constexpr std::size_t widest_tile = 16;

  PackedRows(Table<double> x, Column<double> counts)
      : attributes_(x.columns()), width_(chunk_width(x.columns())),
        chunks_((x.rows() + width_ - 1) / width_), rows_(x.rows()),
        values_(chunks_ * width_ * attributes_), counts_(chunks_ * width_) {
    double widest = 0.0;
    std::vector<bool> varies(attributes_);
    for (std::size_t j = 0; j < attributes_; ++j) {
      const auto [low, high] = std::minmax_element(x.column(j).begin(), x.column(j).end());
      varies[j] = *low < *high;
      widest = std::max(widest, std::min(*high - *low, std::numeric_limits<double>::max()));
    }
    exponent_ = widest > 0.0 ? std::clamp(std::ilogb(widest) + 1, -1000, 1024) : 0;
    const double scale = std::ldexp(1.0, -exponent_);
    for (std::size_t row = 0; row < x.rows(); ++row) {
      double* to = values_.data() + row / width_ * width_ * attributes_ + row % width_;
      for (std::size_t j = 0; j < attributes_; ++j)
        to[j * width_] = varies[j] ? x(row, j) * scale : 0.0;
      counts_[row] = counts.size() == 0 ? 1.0 : counts[row];
    }
  }

  std::size_t attributes() const { return attributes_; }
  std::size_t width() const { return width_; }
  std::size_t chunks() const { return chunks_; }
  // The rows of a chunk that are not padding: all of them but in the last chunk.
  std::size_t used(std::size_t chunk) const { return std::min(width_, rows_ - chunk * width_); }
  const double* values(std::size_t chunk) const {
    return values_.data() + chunk * width_ * attributes_;
  }
  const double* counts(std::size_t chunk) const { return counts_.data() + chunk * width_; }
  // The values are those of the table times 2^-exponent.
  int exponent() const { return exponent_; }

 private:
  static std::size_t chunk_width(std::size_t attributes) {
    const std::size_t fitting = 3072 / attributes / widest_tile * widest_tile;
    return std::clamp(fitting, 4 * widest_tile, 32 * widest_tile);
  }

  std::size_t attributes_, width_, chunks_, rows_;
  std::vector<double> values_, counts_;
  int exponent_ = 0;
};

}  // namespace tokumei::pairs
