// Sorting by whole numbers, stably.
//
// `sort_by_key` brings items into ascending order of their 64-bit keys; items of equal keys keep
// their order. Least significant digit first, digits in which all keys agree are skipped: O(n) for
// each digit that is left. Throws Interrupted.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "tokumei/runtime/progress_monitor.hpp"

namespace tokumei::numeric {

struct RowKey {
  std::uint64_t key = 0;
  std::size_t row = 0;
};

// Whole numbers in the order of the doubles; 0.0 and -0.0 are equal.
inline std::uint64_t ordered_bits(double x) {
  const auto bits = std::bit_cast<std::uint64_t>(x + 0.0);
  return (bits >> 63) != 0 ? ~bits : bits | std::uint64_t{1} << 63;
}

// `room` is as long as `items`.
inline void sort_by_key(std::span<RowKey> items, std::span<RowKey> room, ProgressMonitor& monitor) {
  constexpr std::size_t few = 512;
  constexpr unsigned digit_bits = 11;
  constexpr std::uint64_t digit_mask = (std::uint64_t{1} << digit_bits) - 1;
  if (items.size() <= few) {
    std::stable_sort(items.begin(), items.end(),
                     [](const RowKey& a, const RowKey& b) { return a.key < b.key; });
    return;
  }
  std::uint64_t ones = 0, zeros = 0;
  for (const auto& item : items) {
    ones |= item.key;
    zeros |= ~item.key;
  }
  const std::uint64_t differ = ones & zeros;
  auto from = items, to = room;
  for (unsigned shift = 0; shift < 64; shift += digit_bits) {
    if ((differ >> shift & digit_mask) == 0) continue;
    monitor.tick(0.0);
    std::array<std::size_t, std::size_t{1} << digit_bits> place{};
    for (const auto& item : from) ++place[item.key >> shift & digit_mask];
    std::size_t before = 0;
    for (auto& count : place) before += std::exchange(count, before);
    for (const auto& item : from) to[place[item.key >> shift & digit_mask]++] = item;
    std::swap(from, to);
  }
  if (from.data() != items.data()) std::copy(from.begin(), from.end(), items.begin());
}

}  // namespace tokumei::numeric
