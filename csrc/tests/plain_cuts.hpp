// Cuts of an order by looking at every one, shared by the tests of cuts and of MIL.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <utility>
#include <vector>

#include "check.hpp"
#include "data.hpp"
#include "tokumei/runtime/run.hpp"

using Labels = std::vector<std::int64_t>;

// The sum of squares of the records at places begin..end-1 of an order.
inline long double cost(const Data& data, const Labels& order, std::size_t begin, std::size_t end) {
  long double total = 0.0L;
  for (std::size_t j = 0; j < data.columns; ++j) {
    const auto at = [&](std::size_t place) {
      return static_cast<long double>(data.table()(static_cast<std::size_t>(order[place]), j));
    };
    long double mean = 0.0L;
    for (std::size_t place = begin; place < end; ++place) mean += at(place) - at(begin);
    mean = at(begin) + mean / static_cast<long double>(end - begin);
    for (std::size_t place = begin; place < end; ++place)
      total += (at(place) - mean) * (at(place) - mean);
  }
  return total;
}

// The least cost of any cut into stretches of k or more.
inline long double least_cut(const Data& data, const Labels& order, std::size_t k) {
  std::vector<long double> least(data.rows + 1, std::numeric_limits<long double>::infinity());
  least[0] = 0.0L;
  for (std::size_t end = k; end <= data.rows; ++end)
    for (std::size_t begin = 0; begin + k <= end; ++begin)
      least[end] = std::min(least[end], least[begin] + cost(data, order, begin, end));
  return least[data.rows];
}

// The cost of groups that must be stretches of the order of k or more; infinite where they are not.
inline long double cost_of(const Data& data, const Labels& order, const Labels& labels,
                           std::size_t k) {
  long double total = 0.0L;
  std::vector<bool> seen(data.rows);
  for (std::size_t begin = 0, end = 0; begin < data.rows; begin = end) {
    const auto label = labels[static_cast<std::size_t>(order[begin])];
    while (end < data.rows && labels[static_cast<std::size_t>(order[end])] == label) ++end;
    if (end - begin < k || seen[static_cast<std::size_t>(label)])
      return std::numeric_limits<long double>::infinity();
    seen[static_cast<std::size_t>(label)] = true;
    total += cost(data, order, begin, end);
  }
  return total;
}

inline bool as_low(long double reached, long double least) {
  return reached <= least + least * 1e-11L + 1e-25L;
}

inline Labels sorted(const Data& data) {
  Labels order(data.rows);
  std::iota(order.begin(), order.end(), std::int64_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::int64_t a, std::int64_t b) {
    return data.values[static_cast<std::size_t>(a)] < data.values[static_cast<std::size_t>(b)];
  });
  return order;
}

// What `work` writes, which no level and no number of threads may change.
template <class Work>
Labels labels_of(std::size_t rows, Work&& work) {
  Labels first;
  for (const auto isa : levels())
    for (const unsigned threads : {1U, 2U, 3U}) {
      Labels labels(rows, -1);
      work(tokumei::runtime::OutColumn<std::int64_t>(labels.data(), rows),
           tokumei::runtime::Run{threads, isa, {}});
      if (first.empty()) first = labels;
      CHECK(labels == first);
    }
  return first;
}

inline Data some_data(Random& random, std::size_t rows, std::size_t columns) {
  constexpr double offsets[] = {0.0, 0.0, 1e6};
  return make_data(random, rows, columns, random.below(3) * 4, offsets[random.below(3)]);
}

// A number of records at or near where something changes.
inline std::size_t some_rows(Random& random, std::size_t k) {
  const std::size_t near[] = {k, 2 * k - 1, 2 * k, 3 * k - 1, 3 * k, 5 * k + random.below(20)};
  return near[random.below(6)];
}

// Group sizes on both sides of where the ways of computing change.
inline constexpr std::size_t sizes_of_groups[] = {1, 2, 3, 5, 11, 12, 15, 16, 17, 40};
