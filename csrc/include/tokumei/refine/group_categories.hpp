// The categories of a group that changes hands, and how often it has each: distances of means and
// changes of squares, before there is a state for them (category_state.hpp has the formulas).
//
// O(records x columns) memory and O(that x its logarithm) to make, whatever the categories.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "tokumei/runtime/records.hpp"

namespace tokumei::refine {

class GroupCategories {
 public:
  static constexpr std::size_t nobody = ~std::size_t{0};

  GroupCategories(const Records& x, const std::vector<std::size_t>& rows)
      : size_(static_cast<double>(rows.size())) {
    std::vector<Key> keys;
    for (const std::size_t row : rows)
      for (std::size_t j = 0; j < x.codes.columns(); ++j)
        if (x.codes(row, j) >= 0) keys.push_back({j, x.codes(row, j)});
    std::sort(keys.begin(), keys.end());
    for (const Key& key : keys) {
      if (counts_.empty() || counts_.back().first != key) counts_.push_back({key, 0.0});
      counts_.back().second += 1.0;
    }
    squares_ = product(*this, x);
  }

  // The squared distance of two means.
  double apart(const GroupCategories& other, const Records& x) const {
    if (!x.has_codes()) return 0.0;
    return squares_ / (size_ * size_) + other.squares_ / (other.size_ * other.size_) -
           2 * product(other, x) / (size_ * other.size_);
  }

  // What its squares gain where `out` leaves and `in` joins; either may be nobody.
  double change(const Records& x, std::size_t out, std::size_t in) const {
    if (!x.has_codes()) return 0.0;
    double size = size_, present = 0, squares = 0;
    if (out != nobody) size -= 1;
    if (in != nobody) size += 1;
    for (std::size_t j = 0; j < x.codes.columns(); ++j) {
      const std::int32_t gone = out == nobody ? -1 : x.codes(out, j);
      const std::int32_t come = in == nobody ? -1 : x.codes(in, j);
      if (gone == come) continue;
      if (gone >= 0) {
        present -= x.weights[j];
        squares -= x.weights[j] * (2 * count({j, gone}) - 1);
      }
      if (come >= 0) {
        present += x.weights[j];
        squares += x.weights[j] * (2 * count({j, come}) + 1);
      }
    }
    return present - (squares_ + squares) / size + squares_ / size_;
  }

 private:
  using Key = std::pair<std::size_t, std::int32_t>;  // column, code

  // The sum of the inner products of their records.
  double product(const GroupCategories& other, const Records& x) const {
    double sum = 0;
    auto a = counts_.begin(), b = other.counts_.begin();
    while (a != counts_.end() && b != other.counts_.end()) {
      if (a->first == b->first) sum += x.weights[a->first.first] * a->second * b->second;
      const bool next = a->first <= b->first, following = b->first <= a->first;
      a += next ? 1 : 0;
      b += following ? 1 : 0;
    }
    return sum;
  }

  double count(const Key& key) const {
    const auto at =
        std::lower_bound(counts_.begin(), counts_.end(), std::pair<Key, double>{key, 0});
    return at != counts_.end() && at->first == key ? at->second : 0.0;
  }

  double size_, squares_ = 0.0;
  std::vector<std::pair<Key, double>> counts_;  // by column and code; missing cells left out
};

}  // namespace tokumei::refine
