// A group that grows within a box: which ungrouped record widens the box least, which is farthest.
//
// A question that the last scan cannot answer is a scan of the ungrouped records, O(n d). Ties: the
// lowest row. Throws Interrupted.
#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>
#include <vector>

#include "tokumei/box.hpp"
#include "tokumei/instructions.hpp"
#include "tokumei/run.hpp"
#include "tokumei/team.hpp"
#include "tokumei/ungrouped.hpp"
#include "tokumei/views.hpp"

namespace tokumei {

namespace detail {

inline std::vector<double> point_of(Table<double> x, std::size_t row) {
  std::vector<double> point;
  for (std::size_t j = 0; j < x.columns(); ++j) point.push_back(x(row, j));
  return point;
}

struct Candidate {
  double width = std::numeric_limits<double>::infinity();
  std::size_t row = 0;
};

}  // namespace detail

// The group under way and the records that may still join it.
//
// A box only grows, so the width with a record is never less than it was when last measured. One
// scan therefore leaves a short list, all records up to some width; as long as the best of them
// stays within that width nobody else needs to be asked.
class GrowingGroup {
 public:
  GrowingGroup(Table<double> x, std::size_t k, const Run& run)
      : x_(x), k_(k), run_(run), team_(run.n_threads), ungrouped_(x, team_),
        grouped_(x.rows(), false) {}

  // Number of records in no group.
  std::size_t size() const { return ungrouped_.size(); }
  const Box& box() const { return box_; }

  // Starts anew with the box of one point.
  void start(const std::vector<double>& point) {
    box_ = {point, point};
    measure();
    list_cheapest();
    list_farthest();
  }

  void take(std::size_t row) {
    grouped_[row] = true;
    ungrouped_.take(row);
  }

  void join(std::size_t row) {
    take(row);
    box_.hold(detail::point_of(x_, row).data());
  }

  // The record that leaves the least width if it joins. There must be one.
  std::size_t cheapest() {
    detail::Candidate best = best_listed();
    if (best.width > listed_width_) {
      measure();
      list_cheapest();
      best = best_listed();
    }
    return best.row;
  }

  // The record farthest from the point the group started at, if less than k have been taken since.
  std::size_t farthest() const {
    const auto first =
        std::find_if(farthest_.begin(), farthest_.end(),
                     [&](const detail::Candidate& other) { return !grouped_[other.row]; });
    return first->row;
  }

 private:
  // Notes for every ungrouped record the width with it.
  void measure() {
    const double share = static_cast<double>(size()) / static_cast<double>(x_.rows());
    run_.watch.tick(1.0 - share * share);
    constexpr double infinity = std::numeric_limits<double>::infinity();
    spans_.assign(ungrouped_.chunks(), {infinity, -infinity});
    each_chunk(team_, ungrouped_.chunks(), [&](std::size_t chunk) {
      const std::size_t begin = ungrouped_.begin(chunk);
      const std::size_t count = ungrouped_.count(chunk);
      if (count > 0)
        spans_[chunk] = dispatch<detail::BoxWidths>(run_.level, ungrouped_.columns(), begin, count,
                                                    x_.columns(), box_.lower.data(),
                                                    box_.upper.data(), ungrouped_.notes() + begin);
    });
  }

  // Lists the records up to the width that a quarter of the chunks reach. Right after `measure`.
  void list_cheapest() {
    constexpr std::size_t most_chunks = 64;
    std::vector<double> least;
    for (const detail::Span& span : spans_) least.push_back(span.least);
    const std::size_t some = std::min(least.size() / 4, most_chunks);
    const auto middle = least.begin() + static_cast<std::ptrdiff_t>(some);
    std::nth_element(least.begin(), middle, least.end());
    listed_width_ = *middle;
    listed_.clear();
    listed_points_.clear();
    for (std::size_t chunk = 0; chunk < spans_.size(); ++chunk) {
      if (spans_[chunk].least > listed_width_) continue;
      for (std::size_t i = 0; i < ungrouped_.count(chunk); ++i) {
        const std::size_t place = ungrouped_.begin(chunk) + i;
        if (ungrouped_.notes()[place] > listed_width_) continue;
        listed_.push_back(ungrouped_.row(place));
        for (std::size_t j = 0; j < x_.columns(); ++j)
          listed_points_.push_back(ungrouped_.columns()[j][place]);
      }
    }
  }

  detail::Candidate best_listed() const {
    const double now = box_.width();
    detail::Candidate best;
    for (std::size_t c = 0; c < listed_.size() && best.width > now; ++c) {
      if (grouped_[listed_[c]]) continue;
      const double width = box_.width_with(listed_points_.data() + c * x_.columns());
      if (width < best.width) best = {width, listed_[c]};
    }
    return best;
  }

  // Lists the k records of greatest width, greatest first. Right after `measure`.
  void list_farthest() {
    const auto farther = [](const detail::Candidate& a, const detail::Candidate& b) {
      return a.width > b.width || (a.width == b.width && a.row < b.row);
    };
    farthest_.clear();
    for (std::size_t chunk = 0; chunk < spans_.size(); ++chunk) {
      if (farthest_.size() == k_ && !(spans_[chunk].most > farthest_.front().width)) continue;
      for (std::size_t i = 0; i < ungrouped_.count(chunk); ++i) {
        const std::size_t place = ungrouped_.begin(chunk) + i;
        const detail::Candidate here{ungrouped_.notes()[place], ungrouped_.row(place)};
        if (farthest_.size() == k_) {
          if (!(here.width > farthest_.front().width)) continue;
          std::pop_heap(farthest_.begin(), farthest_.end(), farther);
          farthest_.pop_back();
        }
        farthest_.push_back(here);
        std::push_heap(farthest_.begin(), farthest_.end(), farther);
      }
    }
    std::sort(farthest_.begin(), farthest_.end(), farther);
  }

  Table<double> x_;
  std::size_t k_;
  Run run_;
  Team team_;
  Ungrouped ungrouped_;
  std::vector<bool> grouped_;
  Box box_;
  std::vector<detail::Span> spans_;
  double listed_width_ = 0.0;
  std::vector<std::size_t> listed_;
  std::vector<double> listed_points_;
  std::vector<detail::Candidate> farthest_;
};

}  // namespace tokumei
