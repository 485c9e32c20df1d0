// Distinct rows and what they are at every level of every attribute: the lattice that is searched.
//
// An attribute has values 0..sizes[j]-1 and levels 0..heights[j]; `codes` numbers the label of each
// value at each level, one attribute after the other, one level after the other. Labels are
// numbered anew among those that occur. Memory: 4 bytes a row and level.
#pragma once

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <vector>

#include "tokumei/lattice/levels.hpp"
#include "tokumei/lattice/row_numbers.hpp"
#include "tokumei/runtime/views.hpp"

namespace tokumei::lattice {

// A number for each value at each level, in the order that `codes` has.
struct Hierarchies {
  Column<std::int64_t> sizes;
  Column<std::int64_t> heights;
  Column<std::int64_t> codes;
};

class Lattice {
 public:
  Lattice(Table<std::int64_t> values, Column<std::int64_t> counts, Hierarchies hierarchies)
      : values_(values), counts_(counts) {
    if (values.columns() > most_attributes)
      throw std::invalid_argument("hierarchies must be of at most 32 attributes");
    const std::int64_t* codes = hierarchies.codes.data();
    for (std::size_t j = 0; j < values.columns(); ++j) {
      const auto height = static_cast<std::size_t>(hierarchies.heights[j]);
      const auto size = static_cast<std::size_t>(hierarchies.sizes[j]);
      if (height > highest_level)
        throw std::invalid_argument("a hierarchy must have at most 127 levels");
      first_.push_back(static_cast<std::size_t>(codes - hierarchies.codes.data()));
      sizes_.push_back(size);
      for (std::size_t level = 0; level < height; ++level) top_.raise(j);
      levels_.emplace_back(height + 1);
      for (auto& level : levels_.back()) {
        level.labels = numbered(values.column(j), codes, size, level.codes);
        codes += size;
      }
    }
    for (const std::int64_t count : counts) records_ += count;
  }

  std::size_t attributes() const { return levels_.size(); }
  std::size_t rows() const { return counts_.size(); }
  std::int64_t records() const { return records_; }
  std::int64_t count(std::size_t row) const { return counts_[row]; }
  Column<std::int64_t> counts() const { return counts_; }
  const Levels& top() const { return top_; }

  // The number of nodes; a floating-point number, because there may be very many.
  double nodes() const {
    double product = 1.0;
    for (const auto& levels : levels_) product *= static_cast<double>(levels.size());
    return product;
  }

  std::size_t label(std::size_t row, std::size_t j, std::size_t level) const {
    return levels_[j][level].codes[row];
  }
  std::size_t labels(std::size_t j, std::size_t level) const { return levels_[j][level].labels; }

  // Where a number for this row's value at this level stands, in the order that `codes` has.
  std::size_t place(std::size_t row, std::size_t j, std::size_t level) const {
    return first_[j] + level * sizes_[j] + static_cast<std::size_t>(values_(row, j));
  }

  // The codes of all rows in an attribute at a level.
  CodeColumn column(std::size_t j, std::size_t level) const {
    return {levels_[j][level].codes.data(), levels_[j][level].labels};
  }

 private:
  struct Level {
    std::vector<std::uint32_t> codes;  // a row's label
    std::size_t labels = 0;
  };

  static std::size_t numbered(Column<std::int64_t> values, const std::int64_t* codes,
                              std::size_t size, std::vector<std::uint32_t>& out) {
    std::vector<std::int64_t> number(size, -1);  // there are at most as many labels as values
    std::int64_t labels = 0;
    out.reserve(values.size());
    for (const std::int64_t value : values) {
      std::int64_t& one = number[static_cast<std::size_t>(codes[value])];
      if (one < 0) one = labels++;
      out.push_back(static_cast<std::uint32_t>(one));
    }
    return static_cast<std::size_t>(labels);
  }

  Table<std::int64_t> values_;
  Column<std::int64_t> counts_;
  std::int64_t records_ = 0;
  Levels top_;
  std::vector<std::size_t> first_, sizes_;
  std::vector<std::vector<Level>> levels_;
};

}  // namespace tokumei::lattice
