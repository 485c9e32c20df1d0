// A look at every record of a short stretch of places, for the one with the lowest score.
//
// First at the codes of all, four leaves at a time, which takes no longer than finding out which of
// a few leaves may be left out; then exactly at those that may be the best. Of these the lowest row
// comes first: where many records are copies of one, the others need no look.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "tokumei/runtime/instruction_sets.hpp"
#include "tokumei/simd/lanes.hpp"
#include "tokumei/simd/reductions.hpp"
#include "tokumei/spatial/box_bounds.hpp"
#include "tokumei/spatial/found.hpp"
#include "tokumei/spatial/place_stretch.hpp"
#include "tokumei/spatial/quantisation_frame.hpp"
#include "tokumei/spatial/record_blocks.hpp"

namespace tokumei::spatial {

inline constexpr std::size_t most_scanned_leaves = 32;

// More records that may be the best are likely to be copies of one.
inline constexpr std::size_t few_hits = 4;

// Codes of the records of some leaves of one block; NaN where there is no record of the stretch.
// Returns the least.
template <std::size_t bytes, class Objective>
TOKUMEI_HOT float scan_codes(const Objective& aim, const PlaceStretch& stretch, std::size_t leaf,
                             std::size_t end, const float* point, Sixteen<float, bytes>* out) {
  using Codes = Sixteen<float, bytes>;
  const std::size_t first = leaf;
  for (; leaf + 4 <= end; leaf += 4) aim.measure_four(leaf, point, out + (leaf - first));
  for (; leaf < end; ++leaf) out[leaf - first] = aim.template measure_codes<Codes>(leaf, point);
  for (const std::size_t edge : {first, end - 1})
    out[edge - first] = only(stretch.members(record_shift, edge), out[edge - first],
                             std::numeric_limits<float>::quiet_NaN());
  auto least = broadcast<Codes>(std::numeric_limits<float>::infinity());
  for (std::size_t i = 0; i < end - first; ++i) least = smaller(out[i], least);
  return lowest(least);
}

// Puts the best record of the stretch in the place of `best`, if it is better. At most
// `most_scanned_leaves` leaves; `point` is room for a question.
template <std::size_t bytes, class Objective>
TOKUMEI_HOT void scan_stretch(const RecordBlocks& records, const Objective& aim,
                              const PlaceStretch& stretch, float* point, Found& best) {
  using Codes = Sixteen<float, bytes>;
  using Words = Sixteen<std::uint32_t, bytes>;
  const std::size_t first = stretch.begin >> leaf_shift, end = first + stretch.leaves();
  Codes codes[most_scanned_leaves];
  double limit = best.score;
  for (std::size_t leaf = first, next = 0; leaf < end; leaf = next) {
    const std::size_t block = leaf / sixteen;
    next = std::min(end, (block + 1) * sixteen);
    aim.template enter<bytes>(block, point);
    const float least = scan_codes<bytes>(aim, stretch, leaf, next, point, codes + (leaf - first));
    limit = std::min(limit, limit_of<false>(aim.frame(block), least));
  }
  Words hit_leaves{};  // of the i-th records: a bit for each leaf
  for (std::size_t leaf = first, next = 0; leaf < end;) {
    const std::size_t block = leaf / sixteen;
    next = std::min(end, (block + 1) * sixteen);
    const float edge = edge_of<false>(aim.frame(block), limit);
    for (; leaf < next; ++leaf)
      hit_leaves = hit_leaves | (bits_as<std::uint32_t>(codes[leaf - first] <= edge) &
                                 (std::uint32_t{1} << (leaf - first)));
  }
  std::uint32_t hits[sixteen];
  store(hits, hit_leaves);
  std::size_t places[most_scanned_leaves * sixteen], count = 0;
  for (unsigned hit = all_sixteen & ~bits_of(hit_leaves == 0U); hit != 0; hit &= hit - 1) {
    const auto i = static_cast<std::size_t>(std::countr_zero(hit));
    for (std::uint32_t rest = hits[i]; rest != 0; rest &= rest - 1)
      places[count++] = (first + static_cast<std::size_t>(std::countr_zero(rest))) * sixteen + i;
  }
  if (count > few_hits) {
    const auto by_row = [&](std::size_t a, std::size_t b) {
      return records.rows[a] < records.rows[b];
    };
    std::swap(places[0], *std::min_element(places, places + count, by_row));
  }
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t place = places[i], row = records.rows[place];
    const Found found{aim.score(place), row, place};
    if (found < best) best = found;
    if (found.score == 0.0 && count > few_hits && i == 0) return;
  }
}

}  // namespace tokumei::spatial
