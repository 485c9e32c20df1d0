// An order of records to write to, and what every order must be.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

#include "data.hpp"

using Order = std::vector<std::int64_t>;

inline tokumei::runtime::OutColumn<std::int64_t> out(Order& order) {
  return {order.data(), order.size()};
}

inline bool is_permutation(Order order) {
  std::sort(order.begin(), order.end());
  for (std::size_t i = 0; i < order.size(); ++i)
    if (order[i] != static_cast<std::int64_t>(i)) return false;
  return true;
}

inline double squared(const Data& data, std::size_t a, std::size_t b) {
  double sum = 0.0;
  for (std::size_t j = 0; j < data.columns; ++j) {
    const double by = data.table()(a, j) - data.table()(b, j);
    sum += by * by;
  }
  return sum;
}

// The path that always goes to the least of those not yet visited by before(here, a, b), from the
// record `first`. Of equal ones the lowest row.
template <class Before>
Order plain_path(const Data& data, std::size_t first, const Before& before) {
  std::vector<std::size_t> rows(data.rows);
  std::iota(rows.begin(), rows.end(), std::size_t{0});
  Order order;
  for (std::size_t here = first;;) {
    order.push_back(static_cast<std::int64_t>(here));
    rows.erase(std::find(rows.begin(), rows.end(), here));
    if (rows.empty()) return order;
    here = *std::min_element(rows.begin(), rows.end(),
                             [&](std::size_t a, std::size_t b) { return before(here, a, b); });
  }
}
