// What a group costs, and what moves and swaps change of it: the search asks for nothing else.
//
// A cost keeps `rows` rows of statistics a group, the first of them the group's centre, and its
// mass. From these alone, without looking at the members, it knows what joining, leaving and
// swapping change, each in O(d); `refresh` makes the statistics anew from the members. To plug in
// another cost is to write another such struct, its functions for registers of any `bytes`:
//
//   rows, weighted, tiled                   rows of statistics; whether records have weights;
//                                           whether best_change.hpp has a kernel for it
//   Codes                                   what columns of codes add (codes_of_groups.hpp)
//   refresh(members)     -> cost            and writes statistics and mass
//   joining(x, group)    -> change          of a group that x is not in
//   leaving(x, group)    -> change          of a group of two or more that x is in
//   replacing(x, y, group) -> change        of a group that x leaves and y joins
//   apart(x, y)                             how far, in the cost's own unit: sets the temperature
//
// Rows are filled up with zeros to whole lanes, and zeros cost nothing.
#pragma once

#include <cstddef>
#include <cstdint>

#include "tokumei/rooms.hpp"

namespace tokumei::refine {

// Local index of a record or of a group. A block is small; tables are not, and use size_t.
using StateIndex = std::uint32_t;

// The records of a group, by index.
struct StateGroup {
  const double* values;   // of all records, row after row
  const double* weights;  // of all records; null where all weigh 1
  std::size_t width;
  const StateIndex* members;
  std::size_t size;
};

// Statistics of a group.
struct GroupStatistics {
  const double* statistics;  // row after row
  double mass;
  std::size_t width;
};

// A record and its weight.
struct Weighed {
  const double* values;
  double weight;
};

}  // namespace tokumei::refine
