// The sums of squares of all short segments of records with codes: those of the numbers
// (short_segments.hpp) and those of the codes.
//
// With c records of a category in a segment of `length`, S the sum of all c squared and p records
// in which no cell is missing, a column of codes costs weight (p - S / length); counts are whole
// numbers, so records that agree cost exactly nothing. A segment that begins one record earlier has
// as many more of S as twice the records after the new one that share its category, and one. So
// many are counted as ends move on, one comparison an end and length: O(k) an end and column,
// whatever the categories. Needs |x| <= 1e130.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "tokumei/cut/short_segments.hpp"
#include "tokumei/runtime/instruction_sets.hpp"
#include "tokumei/runtime/records.hpp"

namespace tokumei::cut {

// Room for a stretch of ordered records, and for the ends that come after its first 2k-1.
struct CodeSegments {
  std::vector<double> keys;     // codes; NaN, which is no code, where a cell is missing
  std::vector<double> there;    // 1, or 0 where a cell is missing
  std::vector<double> matches;  // records that follow in the segment and share the category
  std::vector<double> present, squares;  // of the segment before each end: p and S

  void resize(std::size_t ends, std::size_t longest) {
    for (auto* each : {&keys, &there, &matches}) each->resize(ends + longest);
    present.resize(ends);
    squares.resize(ends);
  }
};

// out[(length - k) * stride + e] += the cost of `length` records before the end e.
struct AddCodeCosts {
  TOKUMEI_HOT static void run(CodeSegments* room, std::size_t ends, std::size_t k, double weight,
                              double* out, std::size_t stride) {
    const std::size_t longest = 2 * k - 1;
    double* const matches = room->matches.data();
    double* const present = room->present.data();
    double* const squares = room->squares.data();
    for (std::size_t i = 0; i < ends + longest; ++i) matches[i] = 0.0;
    for (std::size_t e = 0; e < ends; ++e) present[e] = squares[e] = 0.0;
    for (std::size_t length = 1; length <= longest; ++length) {
      const double* const keys = room->keys.data();
      const double* const last = keys + length - 1;
      for (std::size_t i = 0; length > 1 && i < ends + longest - (length - 1); ++i)
        matches[i] += keys[i] == last[i] ? 1.0 : 0.0;
      const double* const there = room->there.data() + longest - length;
      const double* const matched = matches + longest - length;
      for (std::size_t e = 0; e < ends; ++e) {
        present[e] += there[e];
        squares[e] += 2.0 * matched[e] + there[e];
      }
      if (length < k) continue;
      double* const costs = out + (length - k) * stride;
      const double records = static_cast<double>(length);
      for (std::size_t e = 0; e < ends; ++e)
        costs[e] += weight * (present[e] - squares[e] / records);
    }
  }
};

template <class NumberCosts>
class CategorySegmentCosts {
 public:
  CategorySegmentCosts(NumberCosts& numbers, const Records& x, Column<std::int64_t> order,
                       std::size_t k, InstructionSet isa)
      : numbers_(numbers), x_(x), order_(order), k_(k), isa_(isa) {}

  void fill(std::size_t first_end, std::size_t ends, double* out, std::size_t stride) {
    numbers_.fill(first_end, ends, out, stride);
    const std::size_t longest = 2 * k_ - 1;
    room_.resize(ends, longest);
    for (std::size_t j = 0; j < x_.codes.columns(); ++j) {
      const auto codes = x_.codes.column(j);
      for (std::size_t i = 0; i < ends + longest; ++i) {
        // Before the first record there is none. The last end's own record belongs to no segment.
        const std::size_t place = first_end + i;
        const bool inside = place >= longest && place - longest < x_.rows();
        const std::int32_t code =
            inside ? codes[static_cast<std::size_t>(order_[place - longest])] : -1;
        room_.there[i] = code >= 0 ? 1.0 : 0.0;
        room_.keys[i] =
            code >= 0 ? static_cast<double>(code) : std::numeric_limits<double>::quiet_NaN();
      }
      dispatch<AddCodeCosts>(isa_, &room_, ends, k_, x_.weights[j], out, stride);
    }
  }

 private:
  NumberCosts& numbers_;
  const Records& x_;
  Column<std::int64_t> order_;
  std::size_t k_;
  InstructionSet isa_;
  CodeSegments room_;
};

}  // namespace tokumei::cut
