// Groups of records that change hands, before there is a state for them: rows, centres, categories
// (group_categories.hpp), and which groups are near. Groups may be empty.
#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "tokumei/group/members.hpp"
#include "tokumei/numeric/squared_distances.hpp"
#include "tokumei/refine/group_categories.hpp"
#include "tokumei/runtime/records.hpp"
#include "tokumei/runtime/views.hpp"

namespace tokumei::refine {

class GroupingState {
 public:
  static constexpr std::size_t nobody = GroupCategories::nobody;

  GroupingState(const Records& x, const Members& members, const std::size_t* groups,
                std::size_t count)
      : x_(x.numbers), records_(x) {
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t* rows = members.rows.data();
      rows_.emplace_back(rows + members.starts[groups[i]], rows + members.starts[groups[i] + 1]);
      centres_.push_back(centre(rows_.back()));
      categories_.emplace_back(records_, rows_.back());
    }
  }

  std::size_t count() const { return rows_.size(); }
  const std::vector<std::size_t>& rows(std::size_t group) const { return rows_[group]; }

  // At most so many other groups with members, those first whose merger with the group adds least
  // squares; of equal ones the lower first. Each with what it adds.
  const std::vector<std::pair<double, std::size_t>>& nearest(std::size_t group, std::size_t most) {
    ranked_.clear();
    const double a = static_cast<double>(rows_[group].size());
    for (std::size_t other = 0; other < rows_.size(); ++other) {
      if (other == group || rows_[other].empty()) continue;
      const double b = static_cast<double>(rows_[other].size());
      const double apart = squared_distance_by_attributes(centres_[group].data(),
                                                          centres_[other].data(), x_.columns()) +
                           categories_[group].apart(categories_[other], records_);
      ranked_.push_back({a * b / (a + b) * apart, other});
    }
    most = std::min(most, ranked_.size());
    std::partial_sort(ranked_.begin(), ranked_.begin() + static_cast<std::ptrdiff_t>(most),
                      ranked_.end());
    ranked_.resize(most);
    return ranked_;
  }

  // The squares that `group` and `other` gain where `out` leaves the group for the other and `in`
  // comes from there; either may be nobody. Both keep members.
  double cost_of(std::size_t group, std::size_t other, std::size_t out, std::size_t in) const {
    return change(group, out, in) + change(other, in, out);
  }

  void exchange(std::size_t group, std::size_t other, std::size_t out, std::size_t in) {
    replace(group, out, in);
    replace(other, in, out);
  }

  // All rows of `from` go to `into`.
  void merge(std::size_t into, std::size_t from) {
    rows_[into].insert(rows_[into].end(), rows_[from].begin(), rows_[from].end());
    rows_[from].clear();
    centres_[into] = centre(rows_[into]);
    categories_[into] = GroupCategories(records_, rows_[into]);
  }

 private:
  // Around the old centre c, with p = in - c and q = out - c, the squares become
  // SSE + |p|^2 - |q|^2, and the new mean saves |p - q|^2 over the new size.
  double change(std::size_t group, std::size_t out, std::size_t in) const {
    const double size =
        static_cast<double>(rows_[group].size()) - (out != nobody ? 1 : 0) + (in != nobody ? 1 : 0);
    double squares = 0, pull = 0;
    for (std::size_t j = 0; j < x_.columns(); ++j) {
      const double p = in != nobody ? x_(in, j) - centres_[group][j] : 0;
      const double q = out != nobody ? x_(out, j) - centres_[group][j] : 0;
      squares += p * p - q * q;
      pull += (p - q) * (p - q);
    }
    return squares - pull / size + categories_[group].change(records_, out, in);
  }

  void replace(std::size_t group, std::size_t out, std::size_t in) {
    auto& rows = rows_[group];
    if (out != nobody) rows.erase(std::find(rows.begin(), rows.end(), out));
    if (in != nobody) rows.push_back(in);
    centres_[group] = centre(rows);
    categories_[group] = GroupCategories(records_, rows);
  }

  std::vector<double> centre(const std::vector<std::size_t>& rows) const {
    std::vector<double> mean(x_.columns());
    for (std::size_t j = 0; j < x_.columns(); ++j) {
      const double first = x_(rows[0], j);
      double sum = 0;
      for (const std::size_t row : rows) sum += x_(row, j) - first;
      mean[j] = first + sum / static_cast<double>(rows.size());
    }
    return mean;
  }

  Table<double> x_;
  Records records_;
  std::vector<std::vector<std::size_t>> rows_;
  std::vector<std::vector<double>> centres_;
  std::vector<GroupCategories> categories_;
  std::vector<std::pair<double, std::size_t>> ranked_;
};

}  // namespace tokumei::refine
