// Odd sets of rows at prices, by chance, and their tolls by counting.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "data.hpp"
#include "tokumei/bounds/subset_rows.hpp"

struct OddSets {
  // `count` sets of three or five among so many rows.
  OddSets(Random& random, std::size_t rows, std::size_t count)
      : among(rows), members(5 * count, -1) {
    for (std::size_t set = 0; set < count; ++set) {
      std::vector<std::size_t> chosen;
      const std::size_t size = rows < 5 || random.below(2) == 0 ? 3 : 5;
      while (chosen.size() < size) {
        const std::size_t row = random.below(rows);
        if (std::find(chosen.begin(), chosen.end(), row) == chosen.end()) chosen.push_back(row);
      }
      for (std::size_t j = 0; j < size; ++j)
        members[j * count + set] = static_cast<std::int64_t>(chosen[j]);
      sets.push_back(chosen);
      prices.push_back(random.uniform() * 0.3);
    }
  }

  tokumei::bounds::SubsetRows rows() const {
    return {{members.data(), sets.size(), 5}, {prices.data(), prices.size()}, among};
  }

  double toll(const std::vector<std::size_t>& group) const {
    double sum = 0.0;
    for (std::size_t set = 0; set < sets.size(); ++set) {
      std::size_t held = 0;
      for (const std::size_t row : sets[set])
        held += std::find(group.begin(), group.end(), row) != group.end() ? 1 : 0;
      if (2 * held > sets[set].size()) sum += prices[set];
    }
    return sum;
  }

  std::size_t among;
  std::vector<std::int64_t> members;  // one set a row of a table of five columns
  std::vector<std::vector<std::size_t>> sets;
  std::vector<double> prices;
};
