// What group-growing methods ask about the records that are in no group yet: who is farthest from
// the centre, nearest to a record, nearest to a group.
//
// Every question but the first is a scan of the ungrouped records, O(n d); the order from the
// centre is sorted once. Distances are squared. Ties: the lowest row. Answers are by row, so that
// they do not tell how they were found. Throws Interrupted.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>
#include <vector>

#include "tokumei/distance.hpp"
#include "tokumei/run.hpp"
#include "tokumei/squares.hpp"
#include "tokumei/team.hpp"
#include "tokumei/ungrouped.hpp"
#include "tokumei/views.hpp"

namespace tokumei {

namespace detail {

inline constexpr double no_distance = std::numeric_limits<double>::infinity();

// nearest[i] = min(nearest[i], |x_i - p|^2 for each of the points p) for the records of one chunk,
// and the least of them. Points lie one after the other.
struct NearestToAny {
  static constexpr std::size_t lanes = 8;

  TOKUMEI_HOT static double run(const double* const* columns, std::size_t begin, std::size_t count,
                                std::size_t attributes, const double* points, std::size_t n_points,
                                double* nearest) {
    double distances[Ungrouped::chunk_places];
    const std::size_t whole = (count + lanes - 1) / lanes * lanes;
    for (std::size_t p = 0; p < n_points; ++p) {
      SquaredDistances::run(columns, begin, whole, attributes, points + p * attributes, distances);
      for (std::size_t i = 0; i < whole; ++i)
        nearest[i] = distances[i] < nearest[i] ? distances[i] : nearest[i];
    }
    for (std::size_t i = count; i < whole; ++i) nearest[i] = no_distance;
    double least[lanes];
    for (std::size_t l = 0; l < lanes; ++l) least[l] = no_distance;
    for (std::size_t i = 0; i < whole; i += lanes)
      for (std::size_t l = 0; l < lanes; ++l)
        least[l] = nearest[i + l] < least[l] ? nearest[i + l] : least[l];
    for (std::size_t l = 1; l < lanes; ++l) least[0] = least[l] < least[0] ? least[l] : least[0];
    return least[0];
  }
};

}  // namespace detail

struct Neighbour {
  double distance = detail::no_distance;
  std::size_t row = 0;
  bool operator<(const Neighbour& other) const {
    return distance < other.distance || (distance == other.distance && row < other.row);
  }
};

class Neighbourhood {
 public:
  Neighbourhood(Table<double> x, const Run& run)
      : x_(x), run_(run), team_(run.n_threads), ungrouped_(x, team_), grouped_(x.rows(), false),
        outermost_first_(x.rows()) {
    sort_from_centre();
  }

  std::size_t size() const { return ungrouped_.size(); }

  void take(std::size_t row) {
    grouped_[row] = true;
    ungrouped_.take(row);
  }

  // The record farthest from the mean of all. There must be one.
  std::size_t farthest_from_centre() {
    while (grouped_[outermost_first_[outermost_].row]) ++outermost_;
    return outermost_first_[outermost_].row;
  }

  // The `wanted` records nearest to record `row` without itself, or all there are; nearest first.
  std::vector<Neighbour> nearest(std::size_t row, std::size_t wanted) {
    tick();
    const auto point = points_of({row});
    const std::size_t blocks = (ungrouped_.chunks() + block_chunks - 1) / block_chunks;
    // The first records alone answer where they hold enough equals, and bound the search elsewhere.
    std::vector<Neighbour> found;
    std::size_t begin = 0;
    while (begin < blocks && found.size() < wanted)
      collect_nearest(begin++, point, row, wanted, detail::no_distance, found);
    if (begin < blocks && found.front().distance > 0.0) {
      std::vector<std::vector<Neighbour>> more(blocks);
      team_.each_block(blocks - begin, [&](std::size_t b) {
        collect_nearest(begin + b, point, row, wanted, found.front().distance, more[b]);
      });
      for (const auto& part : more) found.insert(found.end(), part.begin(), part.end());
    }
    std::sort(found.begin(), found.end());
    found.resize(std::min(found.size(), wanted));
    return found;
  }

  void start_group() { asked_ = 0; }

  // The record nearest to any of the group, whose records come in the order in which they joined
  // it. Every ungrouped record remembers its distance to the group, so only new records are asked.
  Neighbour nearest_to_group(const std::vector<std::size_t>& group) {
    least_.resize(ungrouped_.chunks());
    while (asked_ < group.size()) {
      tick();
      const auto from = group.begin() + static_cast<std::ptrdiff_t>(asked_);
      const std::size_t count = std::min(most_points, group.size() - asked_);
      const auto points = points_of({from, from + static_cast<std::ptrdiff_t>(count)});
      each_chunk(team_, ungrouped_.chunks(), [&](std::size_t chunk) {
        double* nearest = ungrouped_.notes() + ungrouped_.begin(chunk);
        if (asked_ == 0) std::fill_n(nearest, Ungrouped::chunk_places, detail::no_distance);
        least_[chunk] = distances(chunk, points, count, nearest);
      });
      asked_ += count;
    }
    const auto first = std::min_element(least_.begin(), least_.end());
    const std::size_t begin = ungrouped_.begin(static_cast<std::size_t>(first - least_.begin()));
    const double* nearest = ungrouped_.notes() + begin;
    const auto i = static_cast<std::size_t>(
        std::find(nearest, nearest + Ungrouped::chunk_places, *first) - nearest);
    return {*first, ungrouped_.row(begin + i)};
  }

  // Whether two records are equal in every attribute.
  bool equal(std::size_t row, std::size_t other) const {
    for (std::size_t j = 0; j < x_.columns(); ++j)
      if (x_(row, j) != x_(other, j)) return false;
    return true;
  }

 private:
  static constexpr std::size_t block_chunks = 16;
  static constexpr std::size_t most_points = 16;

  void tick() {
    const double share = static_cast<double>(size()) / static_cast<double>(x_.rows());
    run_.watch.tick(1.0 - share * share);
  }

  void sort_from_centre() {
    std::vector<double> centre(x_.columns());
    team_.each_block(x_.columns(),
                     [&](std::size_t j) { centre[j] = exact_mean(x_.column(j)).high; });
    each_chunk(team_, ungrouped_.chunks(), [&](std::size_t chunk) {
      std::array<double, Ungrouped::chunk_places> buffer;
      buffer.fill(detail::no_distance);
      distances(chunk, centre, 1, buffer.data());
      for (std::size_t i = 0; i < ungrouped_.count(chunk); ++i) {
        const std::size_t row = ungrouped_.row(ungrouped_.begin(chunk) + i);
        outermost_first_[row] = {-buffer[i], row};
      }
    });
    std::sort(outermost_first_.begin(), outermost_first_.end());
  }

  std::vector<double> points_of(const std::vector<std::size_t>& rows) const {
    std::vector<double> points;
    points.reserve(rows.size() * x_.columns());
    for (const std::size_t row : rows)
      for (std::size_t j = 0; j < x_.columns(); ++j) points.push_back(x_(row, j));
    return points;
  }

  double distances(std::size_t chunk, const std::vector<double>& points, std::size_t n_points,
                   double* nearest) const {
    return dispatch<detail::NearestToAny>(run_.level, ungrouped_.columns(), ungrouped_.begin(chunk),
                                          ungrouped_.count(chunk), x_.columns(), points.data(),
                                          n_points, nearest);
  }

  // Adds the records of one block to a heap of the `wanted` that are nearest to a point, all of
  // them nearer than `bound`. Blocks must come in ascending order.
  void collect_nearest(std::size_t block, const std::vector<double>& point, std::size_t without,
                       std::size_t wanted, double bound, std::vector<Neighbour>& heap) const {
    std::array<double, Ungrouped::chunk_places> buffer;
    const std::size_t end = std::min(ungrouped_.chunks(), (block + 1) * block_chunks);
    for (std::size_t chunk = block * block_chunks; chunk < end && bound > 0.0; ++chunk) {
      if (ungrouped_.count(chunk) == 0) continue;
      buffer.fill(detail::no_distance);
      if (!(distances(chunk, point, 1, buffer.data()) < bound)) continue;
      for (std::size_t i = 0; i < ungrouped_.count(chunk); ++i) {
        const std::size_t row = ungrouped_.row(ungrouped_.begin(chunk) + i);
        if (!(buffer[i] < bound) || row == without) continue;
        heap.push_back({buffer[i], row});
        std::push_heap(heap.begin(), heap.end());
        if (heap.size() < wanted) continue;
        if (heap.size() > wanted) {
          std::pop_heap(heap.begin(), heap.end());
          heap.pop_back();
        }
        bound = std::min(bound, heap.front().distance);
      }
    }
  }

  Table<double> x_;
  Run run_;
  Team team_;
  Ungrouped ungrouped_;
  std::vector<bool> grouped_;
  std::vector<Neighbour> outermost_first_;  // distances negated
  std::size_t outermost_ = 0;
  std::vector<double> least_;
  std::size_t asked_ = 0;
};

}  // namespace tokumei
