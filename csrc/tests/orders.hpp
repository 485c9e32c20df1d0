// An order of records to write to, and what every order must be.
#pragma once

#include <algorithm>
#include <cstdint>
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
