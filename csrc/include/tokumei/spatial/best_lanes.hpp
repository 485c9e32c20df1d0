// The best of sixteen distances, and of each lane of several: the records a search begins with.
//
// Distances are float32 in the frame of one block, NaN where there is no record. The smaller are
// the better, or the greater where the farthest are looked for.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "tokumei/simd/lanes.hpp"
#include "tokumei/simd/reductions.hpp"
#include "tokumei/spatial/bounding_box_tree.hpp"

namespace tokumei::spatial {

// Worse than any distance.
template <bool far>
inline constexpr float no_distance = far ? -1.0F : std::numeric_limits<float>::infinity();

// The n-th best of sixteen distances; NaN is none of them.
template <bool far, class Codes>
TOKUMEI_HOT float ranked(const Codes& distances, std::size_t n) {
  typename Codes::template Of<std::int32_t> rank{};  // how many are as good or better
  for (std::size_t other = 0; other < sixteen; ++other) {
    const float with = distances[other];
    if constexpr (far)
      rank = rank - (distances <= with);
    else
      rank = rank - (distances >= with);
  }
  const auto worst = broadcast<Codes>(no_distance<far>);
  const auto known = select(rank >= static_cast<std::int32_t>(n), distances, worst);
  return far ? highest(known) : lowest(known);
}

// Lane by lane the best of the few leaves with the smallest gaps: sixteen records at most.
template <bool far, class Codes, class Measure>
TOKUMEI_HOT Codes best_of_lanes(const Codes& gaps, const Measure& measure) {
  constexpr std::size_t leaves = 6;
  const auto none = broadcast<Codes>(std::numeric_limits<float>::infinity());
  float open_gaps[sixteen];
  store(open_gaps, gaps);
  auto best = broadcast<Codes>(no_distance<far>);
  for (std::size_t looked = 0; looked < leaves; ++looked) {
    const unsigned leaf = first_lowest(load<Codes>(open_gaps));
    if (!(open_gaps[leaf] < std::numeric_limits<float>::infinity())) break;
    open_gaps[leaf] = std::numeric_limits<float>::infinity();
    const Codes distances = measure(leaf);
    // An infinite one is beyond float32 and tells nothing.
    if constexpr (far)
      best = select((distances > best) & (distances < none), distances, best);
    else
      best = select(distances < best, distances, best);
  }
  return best;
}

// How many lanes hold a distance.
template <bool far, class Codes>
TOKUMEI_HOT std::size_t known_of(const Codes& best) {
  const unsigned none = bits_of(best == broadcast<Codes>(no_distance<far>));
  return sixteen - static_cast<std::size_t>(std::popcount(none));
}

}  // namespace tokumei::spatial
