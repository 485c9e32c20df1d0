// Records not yet visited, in parts: the nearest of a part, of all, of those in a box.
//
// Parts are stretches of the places of record_blocks.hpp that may begin and end inside a leaf, so
// many small ones share a leaf. Near parts stand near one another, and in a large part its records
// likewise (kd_order.hpp); a small one is looked at as a whole. When half of the records of a part
// are gone the others are brought together. Answers are those of looking at every record: by
// squared distance, summed by attributes (squared_distances.hpp), among equals the lowest row.
//
// Building takes O(n (d + log n)), on all threads, all visits together O(n d). Memory:
// record_blocks.hpp, and 40 bytes a part. Throws Interrupted.
#pragma once

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <vector>

#include "tokumei/numeric/row_blocks.hpp"
#include "tokumei/runtime/records.hpp"
#include "tokumei/runtime/run.hpp"
#include "tokumei/runtime/thread_team.hpp"
#include "tokumei/runtime/views.hpp"
#include "tokumei/spatial/boxed_objective.hpp"
#include "tokumei/spatial/distance_objective.hpp"
#include "tokumei/spatial/found.hpp"
#include "tokumei/spatial/kd_order.hpp"
#include "tokumei/spatial/place_stretch.hpp"
#include "tokumei/spatial/record_search.hpp"
#include "tokumei/spatial/stretch_blocks.hpp"

namespace tokumei::spatial {

class PartedRecords {
 public:
  // Every row in one part.
  PartedRecords(Table<double> x, const RowBlocks& parts, Run& run)
      : isa_(run.isa), records_(Records(x)), number_(parts.size()), nearest_(records_),
        boxed_(records_) {
    ThreadTeam team(run.n_threads);
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
  const double* record(std::size_t place) const {
    return records_.values.data() + place * records_.attributes;
  }
  std::size_t part_of(std::size_t place) const {
    const auto after = std::upper_bound(begins_.begin(), begins_.end(), place);
    return part_[static_cast<std::size_t>(after - begins_.begin()) - 1];
  }
  bool empty(std::size_t part) const { return left_[number_[part]] == 0; }

  // The place of a row. O(n).
  std::size_t place_of(std::size_t row) const {
    return static_cast<std::size_t>(std::find(records_.rows.begin(), records_.rows.end(), row) -
                                    records_.rows.begin());
  }

  // Takes out a record of a part. Others of the part may have other places afterwards.
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
  std::size_t near_ = no_row;  // where the last record was
  Search<DistanceObjective<Side::nearest>> nearest_;
  Search<BoxedObjective> boxed_;
};

}  // namespace tokumei::spatial
