// Minimal sample uniques: the smallest sets of columns in which a record is alone.
//
// A set of columns is a minimal unique of a record where no other record agrees with it in all of
// these columns, but some other one does in any of its proper subsets (Manning, Haglin & Keane,
// Data Mining and Knowledge Discovery 16, 2008). A missing cell is part of no set, and matches no
// cell.
//
// Where SUDA2 goes through items (a column and a value), this goes through sets of columns and
// parts all records at once, in the order of the binary numbers whose bits are the columns: then
// every subset comes before its sets, and a record that is alone is minimal unless it has a minimal
// unique among the subsets. A record that is alone leaves; a class without single records leaves.
//
// O(sets n) time at most, sets being those of up to `largest` columns; memory of 8 n bytes for each
// column of the largest, and one bit for each record and set that is smaller than the largest. Up
// to 64 columns. Throws Interrupted.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "tokumei/pairs/code_columns.hpp"
#include "tokumei/pairs/refinement.hpp"
#include "tokumei/runtime/run.hpp"
#include "tokumei/runtime/views.hpp"

namespace tokumei::pairs {

// Which sets of columns are minimal uniques of which rows: one bit each, those of a row side by
// side.
class FoundSets {
 public:
  FoundSets(std::size_t rows, std::size_t sets)
      : words_((sets + 63) / 64), bits_(rows * words_), wanted_(words_) {}

  // The number of a set that is found from now on.
  std::size_t number(std::uint64_t set) {
    return numbers_.emplace(set, numbers_.size()).first->second;
  }

  // Takes the proper subsets of `set` that hold column j: those that has_one_of asks for.
  void look_for_subsets(std::uint64_t set, std::size_t j) {
    std::fill(wanted_.begin(), wanted_.end(), 0);
    const std::uint64_t column = std::uint64_t{1} << j, others = set & ~column;
    for (std::uint64_t part = others; part != 0;) {
      part = (part - 1) & others;
      const auto known = numbers_.find(part | column);
      if (known != numbers_.end())
        wanted_[known->second / 64] |= std::uint64_t{1} << known->second % 64;
    }
  }

  bool has_one(std::size_t row) const {
    const std::uint64_t* bits = bits_.data() + row * words_;
    for (std::size_t word = 0; word < words_; ++word)
      if ((bits[word] & wanted_[word]) != 0) return true;
    return false;
  }

  void add(std::size_t row, std::size_t number) {
    bits_[row * words_ + number / 64] |= std::uint64_t{1} << number % 64;
  }

 private:
  std::size_t words_;
  std::vector<std::uint64_t> bits_;
  std::unordered_map<std::uint64_t, std::size_t> numbers_;
  std::vector<std::uint64_t> wanted_;  // the same bits
};

template <class Visit>
class MinimalUniques {
 public:
  MinimalUniques(const CodeColumns& columns, std::size_t largest, Visit& visit, Run& run)
      : columns_(columns), largest_(std::min(largest, columns.columns())), visit_(visit), run_(run),
        refinement_(columns),
        found_(columns.rows(),
               static_cast<std::size_t>(sets_within(columns.columns(), largest_ - 1) + 0.5)),
        levels_(largest_) {}

  void search(Column<std::uint8_t> several) {
    const std::size_t d = columns_.columns();
    sets_ = sets_within(d, largest_);
    levels_[0] = all_in_one(several);
    extend(0, 0, d);
  }

 private:
  // Sets of 1 to `size` of `columns` columns.
  static double sets_within(std::size_t columns, std::size_t size) {
    double sets = 0.0, these = 1.0;
    for (std::size_t i = 1; i <= std::min(size, columns); ++i) {
      these *= static_cast<double>(columns - i + 1) / static_cast<double>(i);
      sets += these;
    }
    return sets;
  }

  // All sets made of `set`, of `size` columns, and columns below `below`.
  void extend(std::uint64_t set, std::size_t size, std::size_t below) {
    const bool last = size + 1 == largest_;
    for (std::size_t j = 0; j < below; ++j) {
      const std::uint64_t larger = set | std::uint64_t{1} << j;
      Classes* const to = last || j == 0 ? nullptr : &levels_[size + 1];
      found_.look_for_subsets(larger, j);
      const std::size_t number = last ? 0 : found_.number(larger);
      name(larger);
      refinement_.refine(
          levels_[size], j, to,
          [&](std::size_t row) {
            if (found_.has_one(row)) return;
            if (!last) found_.add(row, number);
            visit_(row, places_);
          },
          [&] { run_.monitor.tick(done_ / sets_); });
      done_ += 1.0;
      run_.monitor.tick(done_ / sets_);
      if (to == nullptr) continue;
      if (to->members.empty())
        done_ += sets_within(j, largest_ - size - 1);
      else
        extend(larger, size + 1, j);
    }
  }

  // The columns of a set by their places in the table.
  void name(std::uint64_t set) {
    places_.clear();
    for (std::size_t j = 0; j < columns_.columns(); ++j)
      if ((set >> j & 1) != 0) places_.push_back(columns_.source(j));
  }

  const CodeColumns& columns_;
  std::size_t largest_;
  Visit& visit_;
  Run& run_;
  Refinement refinement_;
  FoundSets found_;
  std::vector<Classes> levels_;  // of the sets on the way here, by their size
  std::vector<std::size_t> places_;
  double done_ = 0.0, sets_ = 1.0;
};

// visit(row, columns) for each minimal unique of up to `largest` (at least 1) columns, whose places
// are in no stated order. codes: n x d, -1 is missing; several[row]: whether the row stands for
// several equal records. No two rows may be equal in all columns.
template <class Visit>
void each_minimal_unique(Table<std::int64_t> codes, Column<std::uint8_t> several,
                         std::size_t largest, Visit&& visit, Run& run) {
  const CodeColumns columns(codes);
  MinimalUniques<Visit> search(columns, largest, visit, run);
  search.search(several);
}

}  // namespace tokumei::pairs
