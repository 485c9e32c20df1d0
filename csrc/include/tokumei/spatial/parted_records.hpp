// Records not yet visited, in parts: the nearest of a part, of all, of those in a box.
//
// Parts are stretches of the places of record_blocks.hpp that may begin and end inside a leaf, so
// many small ones share a leaf. Near parts stand near one another, and in a large part its records
// likewise (kd_order.hpp); a small one is looked at as a whole. When half of the records of a part
// are gone the others are brought together. Answers are those of looking at every record: by
// squared distance, summed by attributes (squared_distances.hpp), among equals the lowest row.
//
// Equal records must be in one part. Where they seem to be many they share a place, whose row is
// the lowest of theirs: the nearest to it are the others, in the order of their rows.
//
// Building takes O(n (d + log n)), on all threads, all visits together O(n d). Memory:
// record_blocks.hpp, 40 bytes a part, and where equal records share places 8 a row. Throws
// Interrupted.
#pragma once

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <utility>
#include <vector>

#include "tokumei/numeric/row_blocks.hpp"
#include "tokumei/runtime/records.hpp"
#include "tokumei/runtime/run.hpp"
#include "tokumei/runtime/thread_team.hpp"
#include "tokumei/runtime/views.hpp"
#include "tokumei/spatial/boxed_objective.hpp"
#include "tokumei/spatial/distance_objective.hpp"
#include "tokumei/spatial/distinct_records.hpp"
#include "tokumei/spatial/found.hpp"
#include "tokumei/spatial/kd_order.hpp"
#include "tokumei/spatial/place_stretch.hpp"
#include "tokumei/spatial/record_search.hpp"
#include "tokumei/spatial/stretch_blocks.hpp"

namespace tokumei::spatial {

class PartedRecords {
 public:
  // Every row in one part.
  PartedRecords(Table<double> x, const RowBlocks& blocks, Run& run)
      : isa_(run.isa), records_(Records(x)), number_(blocks.size()), nearest_(records_),
        boxed_(records_) {
    ThreadTeam team(run.n_threads);
    const RowBlocks lowest = share_places(x, blocks, run.monitor);
    const RowBlocks& parts = next_.empty() ? blocks : lowest;
    part_ = order_of_parts(x, parts, team, run.monitor);
    std::vector<std::size_t> rows;
    std::vector<PlaceStretch> large;
    rows.reserve(x.rows());
    for (const std::size_t part : part_) {
      number_[part] = begins_.size();
      begins_.push_back(rows.size());
      rows.insert(rows.end(), parts.rows.begin() + static_cast<std::ptrdiff_t>(parts.borders[part]),
                  parts.rows.begin() + static_cast<std::ptrdiff_t>(parts.borders[part + 1]));
      stretches_.push_back({begins_.back(), rows.size()});
      left_.push_back(stretches_.back().size());
      if (left_.back() > most_unordered) large.push_back(stretches_.back());
    }
    kd_order_within(x, rows, large, team, run.monitor);
    records_.build(rows, team, run.monitor);
  }

  std::size_t row(std::size_t place) const { return records_.rows[place]; }
  // The next of the records that share a place with this row, or no_row.
  std::size_t next(std::size_t row) const { return next_.empty() ? no_row : next_[row]; }
  const double* record(std::size_t place) const {
    return records_.values.data() + place * records_.attributes;
  }
  std::size_t part_of(std::size_t place) const {
    const auto after = std::upper_bound(begins_.begin(), begins_.end(), place);
    return part_[static_cast<std::size_t>(after - begins_.begin()) - 1];
  }
  bool empty(std::size_t part) const { return left_[number_[part]] == 0; }

  // The place of a row, the lowest of its equals. O(n).
  std::size_t place_of(std::size_t row) const {
    return static_cast<std::size_t>(std::find(records_.rows.begin(), records_.rows.end(), row) -
                                    records_.rows.begin());
  }

  // Takes out all records of a place. Others of the part may have other places afterwards.
  void visit(std::size_t place, std::size_t part) {
    const std::size_t i = number_[part];
    records_.strike(place);
    near_ = place;
    if (left_[i] == stretches_[i].size() && left_[i] <= most_unordered)
      records_.fetch(stretches_[i]);
    if (--left_[i] < smallest_packed || left_[i] * 2 > stretches_[i].size()) return;
    stretches_[i] = records_.pack(stretches_[i]);
    near_ = stretches_[i].begin + (place - stretches_[i].begin) / 2;
  }

  // Each of these puts the nearest to a point in the place of `best`, if it is better: the nearest
  // of a part,
  void nearest_of_part(std::size_t part, const double* point, Found& best) {
    const std::size_t i = number_[part];
    if (left_[i] > 0) nearest_.improve({point}, best, isa_, stretches_[i], near_);
  }
  // of all,
  void nearest(const double* point, Found& best) { nearest_.improve({point}, best, isa_); }
  // and of those in a box, the sides belonging to it.
  void nearest_in_box(const double* point, const double* lower, const double* upper, Found& best) {
    Found found = best;
    boxed_.improve({{point}, lower, upper}, found, isa_);
    if (found.score < infinite) best = found;
  }

 private:
  // Parts of fewer records are looked at as a whole.
  static constexpr std::size_t most_unordered = most_scanned_leaves * sixteen;
  static constexpr std::size_t smallest_packed = 128;

  // The lowest rows of equal records by their parts, if there are many equal ones.
  RowBlocks share_places(Table<double> x, const RowBlocks& blocks, ProgressMonitor& monitor) {
    const Records all(x);
    if (!seem_equal(x, blocks) || !told_apart(all)) return {};
    DistinctRecords distinct(all, monitor);
    if (distinct.rows.size() > x.rows() / 10 * 9) return {};
    std::vector<char> lowest(x.rows(), 0);
    for (const std::size_t row : distinct.rows) lowest[row] = 1;
    RowBlocks parts;
    parts.rows.reserve(distinct.rows.size());
    parts.borders.push_back(0);
    for (std::size_t part = 0; part < blocks.size(); ++part) {
      for (std::size_t i = blocks.borders[part]; i < blocks.borders[part + 1]; ++i)
        if (lowest[blocks.rows[i]] != 0) parts.rows.push_back(blocks.rows[i]);
      parts.borders.push_back(parts.rows.size());
    }
    next_ = std::move(distinct.next);
    return parts;
  }

  // Whether some records of some parts are equal as often as they would be if a tenth of all had an
  // equal before it. To find out of all takes as long as half of a path.
  static bool seem_equal(Table<double> x, const RowBlocks& parts) {
    constexpr std::size_t most_parts = 64, most_rows = 32;
    const auto equal = [&](std::size_t a, std::size_t b) {
      for (std::size_t j = 0; j < x.columns(); ++j)
        if (x(a, j) != x(b, j)) return false;
      return true;
    };
    const std::size_t looked_at = std::min(most_parts, parts.size());
    double pairs = 0.0, expected = 0.0;
    for (std::size_t n = 0; n < looked_at; ++n) {
      const std::size_t part = n * parts.size() / looked_at;
      const std::size_t begin = parts.borders[part], size = parts.borders[part + 1] - begin;
      if (size == 1) continue;
      const std::size_t count = std::min(most_rows, size);
      const auto row = [&](std::size_t i) { return parts.rows[begin + i * size / count]; };
      for (std::size_t i = 0; i < count; ++i)
        for (std::size_t before = 0; before < i; ++before) pairs += equal(row(i), row(before));
      // A tenth of `size` pairs, of all that there are, and as many of those looked at.
      expected += 0.1 * static_cast<double>(count * (count - 1)) / static_cast<double>(size - 1);
    }
    return pairs > 0.0 && pairs >= expected;
  }

  // Parts are near one another if the means of four of their records are.
  static std::vector<std::size_t> order_of_parts(Table<double> x, const RowBlocks& parts,
                                                 ThreadTeam& team, ProgressMonitor& monitor) {
    constexpr std::size_t sampled = 4;
    std::vector<double> means(parts.size() * x.columns(), 0.0);
    for (std::size_t j = 0; j < x.columns(); ++j) {
      monitor.tick(0.0);
      const auto column = x.column(j);
      for (std::size_t part = 0; part < parts.size(); ++part) {
        const std::size_t last = parts.borders[part + 1] - parts.borders[part] - 1;
        for (std::size_t i = 0; i < sampled; ++i)
          means[j * parts.size() + part] +=
              column[parts.rows[parts.borders[part] + last * i / (sampled - 1)]] / sampled;
      }
    }
    std::vector<std::size_t> order(parts.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    kd_order(Table<double>(means.data(), parts.size(), x.columns()), order, team, monitor);
    return order;
  }

  InstructionSet isa_;
  StretchBlocks records_;
  std::vector<std::size_t> number_;      // by part
  std::vector<std::size_t> part_;        // by number, in the order of places
  std::vector<std::size_t> begins_;      // of the stretches, by number
  std::vector<PlaceStretch> stretches_;  // that have all that is left
  std::vector<std::size_t> left_;
  std::vector<std::size_t> next_;  // of each row; empty where every record has a place of its own
  std::size_t near_ = no_row;      // where the last record was
  Search<DistanceObjective<Side::nearest>> nearest_;
  Search<BoxedObjective> boxed_;
};

}  // namespace tokumei::spatial
