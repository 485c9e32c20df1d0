// MDAV: maximum distance to average vector (Domingo-Ferrer & Torra 2005; NOTES section 2).
//
// While 3k records or more remain: r is the remaining record farthest from their mean, and r with
// its k-1 nearest is a group; s is the record farthest from r among those left, and s with its k-1
// nearest is a group. From 2k to 3k-1 remaining: the group of r, and the rest. Fewer: the rest is
// one group.
//
// Ties: the lowest row wins everywhere. The mean is the correctly rounded sum of the remaining
// records over their number; it is kept up to date exactly, so it costs O(d k) a round and no scan.
// O(n^2 d / k) time, one copy of the data as memory. Needs 1 <= k <= n and finite data whose
// squares are finite. Throws Interrupted.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "tokumei/distance.hpp"
#include "tokumei/exact_sum.hpp"
#include "tokumei/groups.hpp"
#include "tokumei/run.hpp"
#include "tokumei/team.hpp"
#include "tokumei/views.hpp"

namespace tokumei {

namespace detail {

// A remaining record: its distance to the point in question, and its place among the remaining.
// Places keep the order of the rows, so comparing places breaks ties for the lowest row.
struct Reached {
  double distance = 0.0;
  std::size_t place = 0;
  bool nearer(const Reached& other) const {
    return distance < other.distance || (distance == other.distance && place < other.place);
  }
  bool farther(const Reached& other) const {
    return distance > other.distance || (distance == other.distance && place < other.place);
  }
};

// The records not yet in a group, their data packed without gaps in row order.
class Remaining {
 public:
  Remaining(Table<double> x, const Run& run)
      : run_(run), team_(run.n_threads), data_(x.columns(), std::vector<double>(x.rows())),
        rows_(x.rows()), sums_(x.columns()), mean_(x.columns()) {
    for (std::size_t row = 0; row < x.rows(); ++row) rows_[row] = row;
    team_.each_block(x.columns(), [&](std::size_t j) {
      const auto column = x.column(j);
      std::copy(column.begin(), column.end(), data_[j].begin());
      for (const double value : column) sums_[j].add(value);
    });
    for (const auto& column : data_) columns_.push_back(column.data());
  }

  std::size_t size() const { return rows_.size(); }
  std::size_t row(std::size_t place) const { return rows_[place]; }

  const std::vector<double>& mean() {
    for (std::size_t j = 0; j < sums_.size(); ++j)
      mean_[j] = sums_[j].value() / static_cast<double>(size());
    return mean_;
  }

  std::vector<double> point(std::size_t place) const {
    std::vector<double> values(data_.size());
    for (std::size_t j = 0; j < data_.size(); ++j) values[j] = data_[j][place];
    return values;
  }

  // The record farthest from a point.
  Reached farthest(const std::vector<double>& point) {
    std::vector<Reached> best(blocks());
    each_distance(point, [&](std::size_t block, std::size_t place, double distance) {
      const Reached here{distance, place};
      if (place % scan_block == 0 || here.farther(best[block])) best[block] = here;
    });
    return *std::max_element(best.begin(), best.end(),
                             [](const Reached& a, const Reached& b) { return b.farther(a); });
  }

  // The places of the record at `place` and of the k-1 others nearest to it, nearest first.
  std::vector<std::size_t> with_nearest(std::size_t place, std::size_t k) {
    const auto nearer = [](const Reached& a, const Reached& b) { return a.nearer(b); };
    std::vector<std::vector<Reached>> near(blocks());
    const auto centre = point(place);
    each_distance(centre, [&](std::size_t block, std::size_t other, double distance) {
      auto& heap = near[block];
      const Reached here{distance, other};
      if (other == place || k == 1) return;
      if (heap.size() + 1 < k) {
        heap.push_back(here);
        std::push_heap(heap.begin(), heap.end(), nearer);
      } else if (here.nearer(heap.front())) {
        std::pop_heap(heap.begin(), heap.end(), nearer);
        heap.back() = here;
        std::push_heap(heap.begin(), heap.end(), nearer);
      }
    });
    std::vector<Reached> all;
    for (const auto& heap : near) all.insert(all.end(), heap.begin(), heap.end());
    std::sort(all.begin(), all.end(), nearer);
    std::vector<std::size_t> places{place};
    for (std::size_t i = 0; i + 1 < k; ++i) places.push_back(all[i].place);
    return places;
  }

  // Takes records out; what is left keeps its order.
  void remove(std::vector<std::size_t> places) {
    std::sort(places.begin(), places.end());
    team_.each_block(data_.size(), [&](std::size_t j) {
      for (const std::size_t place : places) sums_[j].subtract(data_[j][place]);
      close_gaps(data_[j], places);
    });
    close_gaps(rows_, places);
    for (std::size_t j = 0; j < data_.size(); ++j) columns_[j] = data_[j].data();
  }

 private:
  static constexpr std::size_t scan_block = 4096;
  static constexpr std::size_t buffer_rows = 256;

  std::size_t blocks() const { return (size() + scan_block - 1) / scan_block; }

  template <class T>
  static void close_gaps(std::vector<T>& values, const std::vector<std::size_t>& places) {
    auto target = values.begin() + static_cast<std::ptrdiff_t>(places.front());
    for (std::size_t i = 0; i < places.size(); ++i) {
      const auto begin = values.begin() + static_cast<std::ptrdiff_t>(places[i] + 1);
      const auto end = i + 1 < places.size()
                           ? values.begin() + static_cast<std::ptrdiff_t>(places[i + 1])
                           : values.end();
      target = std::copy(begin, end, target);
    }
    values.erase(target, values.end());
  }

  // visit(block, place, distance) for every remaining record, in order within a block.
  template <class Visit>
  void each_distance(const std::vector<double>& point, Visit&& visit) {
    team_.each_block(blocks(), [&](std::size_t block) {
      double distances[buffer_rows];
      const std::size_t end = std::min(size(), (block + 1) * scan_block);
      for (std::size_t begin = block * scan_block; begin < end; begin += buffer_rows) {
        const std::size_t count = std::min(buffer_rows, end - begin);
        dispatch<SquaredDistances>(run_.level, columns_.data(), begin, count, data_.size(),
                                   point.data(), static_cast<double*>(distances));
        for (std::size_t i = 0; i < count; ++i) visit(block, begin + i, distances[i]);
      }
    });
  }

  Run run_;
  Team team_;
  std::vector<std::vector<double>> data_;
  std::vector<const double*> columns_;
  std::vector<std::size_t> rows_;
  std::vector<ExactSum> sums_;
  std::vector<double> mean_;
};

}  // namespace detail

inline void mdav(Table<double> x, std::size_t k, OutColumn<std::int64_t> labels, Run run) {
  detail::Remaining remaining(x, run);
  std::int64_t group = 0;
  const auto close_group = [&](const std::vector<std::size_t>& places) {
    for (const std::size_t place : places) labels[remaining.row(place)] = group;
    ++group;
    remaining.remove(places);
  };
  const double all = static_cast<double>(x.rows());
  while (remaining.size() >= 3 * k) {
    const double share = static_cast<double>(remaining.size()) / all;
    run.watch.tick(1.0 - share * share);
    const auto r = remaining.farthest(remaining.mean());
    const auto from_r = remaining.point(r.place);
    close_group(remaining.with_nearest(r.place, k));
    const auto s = remaining.farthest(from_r);
    close_group(remaining.with_nearest(s.place, k));
  }
  if (remaining.size() >= 2 * k) {
    const auto r = remaining.farthest(remaining.mean());
    close_group(remaining.with_nearest(r.place, k));
  }
  for (std::size_t place = 0; place < remaining.size(); ++place)
    labels[remaining.row(place)] = group;
  renumber(labels);
}

}  // namespace tokumei
