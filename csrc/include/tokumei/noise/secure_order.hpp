// An order of the rows that any other order is as likely as: Fisher and Yates, with exact draws;
// and a place for each row among some, for tables that are scattered over files first.
//
// Row after row takes the place of a row drawn from itself and those behind it. One stream of
// random words, one thread. Throws std::invalid_argument for 2^32 rows and more.
#pragma once

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <utility>

#include "tokumei/noise/secure_records.hpp"
#include "tokumei/noise/secure_words.hpp"
#include "tokumei/runtime/run.hpp"
#include "tokumei/runtime/views.hpp"

namespace tokumei::noise {

template <class Words>
void shuffle(Words& words, OutColumn<std::int64_t> order, ProgressMonitor& monitor) {
  const std::size_t rows = order.size();
  for (std::size_t row = 0; row < rows; ++row) order[row] = static_cast<std::int64_t>(row);
  for (std::size_t row = 0; row + 1 < rows; ++row) {
    if (row % 65536 == 0) monitor.tick(static_cast<double>(row) / static_cast<double>(rows));
    const std::size_t other = row + below(words, static_cast<std::uint32_t>(rows - row));
    std::swap(order[row], order[other]);
  }
}

inline void secure_order(const ChaChaKey& key, OutColumn<std::int64_t> order, Run run) {
  if (order.size() > 0xffffffffU) throw std::invalid_argument("too many rows to be shuffled");
  SecureWords words(key, 0, run.isa);
  shuffle(words, order, run.monitor);
}

// One of 0..parts-1 for each row, whatever the others have; parts >= 1.
inline void secure_places(const ChaChaKey& key, std::uint32_t parts, OutColumn<std::int64_t> places,
                          Run run) {
  each_record_securely(key, places.size(), run, [&](std::size_t row, SecureWords& words) {
    places[row] = below(words, parts);
  });
}

}  // namespace tokumei::noise
