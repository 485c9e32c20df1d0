// Categories by their ranks: 1 for the most frequent one, of equally frequent ones the lower code
// first, 0 for a missing cell.
//
// O(n + c log c) time and 16 c bytes for c codes.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

#include "tokumei/runtime/views.hpp"

namespace tokumei::group {

// The rank of every record.
inline void fill_ranks(Column<std::int32_t> codes, double* out) {
  const auto known =
      static_cast<std::size_t>(std::max(0, *std::max_element(codes.begin(), codes.end()) + 1));
  std::vector<std::size_t> counts(known), by_frequency(known);
  for (const auto code : codes)
    if (code >= 0) ++counts[static_cast<std::size_t>(code)];
  std::iota(by_frequency.begin(), by_frequency.end(), std::size_t{0});
  std::stable_sort(by_frequency.begin(), by_frequency.end(),
                   [&](std::size_t a, std::size_t b) { return counts[a] > counts[b]; });
  for (std::size_t rank = 0; rank < known; ++rank) counts[by_frequency[rank]] = rank + 1;
  for (std::size_t row = 0; row < codes.size(); ++row)
    out[row] =
        codes[row] < 0 ? 0.0 : static_cast<double>(counts[static_cast<std::size_t>(codes[row])]);
}

// How many different ranks there are among so many.
inline double different_ranks(const double* ranks, std::size_t count) {
  const auto most = static_cast<std::size_t>(*std::max_element(ranks, ranks + count));
  if (most < 4 * count) {
    std::vector<std::uint8_t> met(most + 1);
    for (std::size_t i = 0; i < count; ++i) met[static_cast<std::size_t>(ranks[i])] = 1;
    return static_cast<double>(std::accumulate(met.begin(), met.end(), std::size_t{0}));
  }
  std::vector<double> sorted(ranks, ranks + count);
  std::sort(sorted.begin(), sorted.end());
  return static_cast<double>(std::unique(sorted.begin(), sorted.end()) - sorted.begin());
}

}  // namespace tokumei::group
