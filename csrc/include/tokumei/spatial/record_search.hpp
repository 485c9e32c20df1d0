// Exact search among records in blocks: the best for an aim, of equals the lowest row. Aims are
// those of distance_objective.hpp and width_objective.hpp.
//
// The walk goes down to the most promising block, takes from its leaves a limit that enough records
// keep, and then scans whatever may hold a record within the limit, nearest relatives of that block
// first.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <utility>
#include <vector>

#include "tokumei/numeric/aligned_vector.hpp"
#include "tokumei/runtime/instruction_sets.hpp"
#include "tokumei/simd/lanes.hpp"
#include "tokumei/simd/reductions.hpp"
#include "tokumei/spatial/bounding_box_tree.hpp"
#include "tokumei/spatial/box_bounds.hpp"
#include "tokumei/spatial/category_listing.hpp"
#include "tokumei/spatial/found.hpp"
#include "tokumei/spatial/place_stretch.hpp"
#include "tokumei/spatial/record_blocks.hpp"
#include "tokumei/spatial/record_scan.hpp"
#include "tokumei/spatial/stretch_scan.hpp"

namespace tokumei::spatial {

template <class Objective>
class Search {
 public:
  // Borrows the records.
  explicit Search(const RecordBlocks& records)
      : records_(records), aim_(records), scan_(records, aim_), point_(aim_.room()) {}

  // The best `wanted` records, or all if there are fewer, in no particular order. Only those with a
  // score below `limit`, or with that score and a row below `last`. Where one is wanted,
  // `contested` tells whether another may be within the slack.
  const std::vector<Found>& run(const typename Objective::Question& question, std::size_t wanted,
                                InstructionSet isa, double limit = infinite,
                                std::size_t last = no_row, double slack = 0.0) {
    begin(question, std::min(wanted, records_.size), limit, last, slack);
    if (records_.size > 0 && wanted > 0) dispatch_lanes<Walk>(isa, this);
    return scan_.best();
  }

  // The best one, if any. A listing that is up to date spares looking for rare categories; `within`
  // cannot be asked afterwards.
  const std::vector<Found>& run_one(const typename Objective::Question& question,
                                    InstructionSet isa, double limit, std::size_t last,
                                    const CategoryListing& listing) {
    begin(question, 1, limit, last, 0.0);
    aim_.take_listed(listing, [this](std::size_t place) { scan_.offer(place); });
    if (records_.size > 0) dispatch_lanes<Walk>(isa, this);
    return scan_.best();
  }

  // Puts the best record of a stretch in the place of `best`, if it is better. The block of the
  // place `near`, if it has some of the stretch, is looked at first, all of it.
  void improve(const typename Objective::Question& question, Found& best, InstructionSet isa,
               const PlaceStretch& stretch = {}, std::size_t near = no_row) {
    aim_.set(question);
    stretch_ = stretch;
    near_ = near;
    best_ = best;
    if (records_.size > 0) dispatch_lanes<Improve>(isa, this);
    best = best_;
  }

  // Blocks the last run looked into.
  std::size_t visited() const { return scan_.visited(); }
  bool contested() const { return scan_.contested(); }

  // The records with a score up to `limit` by the question of the last run, in no particular order.
  // Of equal records that fill a node the one with the lowest row stands for all.
  const std::vector<Found>& within(double limit, InstructionSet isa) {
    within_.clear();
    dispatch_lanes<Gather>(isa, this, limit);
    return within_;
  }

 private:
  static constexpr std::size_t most_height = 16;

  // Of all records, none of which has been looked at.
  void begin(const typename Objective::Question& question, std::size_t wanted, double limit,
             std::size_t last, double slack) {
    aim_.set(question);
    stretch_ = {};
    known_ = no_row;
    scan_.begin(wanted, limit, last, slack);
  }

  static unsigned shift_of(std::size_t height) {
    return block_shift + 4 * static_cast<unsigned>(height);
  }

  template <std::size_t bytes>
  struct Walk {
    TOKUMEI_HOT static void run(Search* search) { search->template walk<bytes>(); }
  };

  template <std::size_t bytes>
  struct Improve {
    TOKUMEI_HOT static void run(Search* search) { search->template improve<bytes>(); }
  };

  template <std::size_t bytes>
  struct Gather {
    TOKUMEI_HOT static void run(Search* search, double limit) {
      search->template gather<bytes>(limit);
    }
  };

  // Some members of a group of sixteen nodes, to be looked into.
  struct Step {
    double bound;
    std::size_t lowest;
    std::size_t group;
    std::size_t height;
    unsigned members;
    bool on_path;
  };

  template <std::size_t bytes>
  TOKUMEI_HOT void improve() {
    known_ = no_row;
    if constexpr (requires { &Objective::template measure_four<Sixteen<float, bytes>>; }) {
      if (stretch_.leaves() <= most_scanned_leaves)
        return scan_stretch<bytes>(records_, aim_, stretch_, point_.data(), best_);
      if (stretch_.holds(near_)) {
        known_ = near_ / block_rows;
        scan_stretch<bytes>(records_, aim_, stretch_.within(block_shift, known_), point_.data(),
                            best_);
      }
    }
    scan_.begin(1, best_.score, best_.row, 0.0, stretch_);
    walk<bytes>();
    if (!scan_.best().empty()) best_ = scan_.best().front();
  }

  // Of a group of blocks those that have not been looked at before.
  unsigned unknown(std::size_t group) const {
    return known_ / sixteen == group ? all_sixteen & ~(1U << known_ % sixteen) : all_sixteen;
  }

  template <std::size_t bytes>
  TOKUMEI_HOT void walk() {
    using Bounds = Sixteen<double, bytes>;
    const BoundingBoxTree& tree = records_.tree;
    Bounds path[most_height];
    Step steps[(most_height + 1) * sixteen];
    std::size_t open = 0, above = 1;
    while (above < tree.height() && !stretch_.fits_one_group(shift_of(above - 1))) ++above;
    std::size_t group = stretch_.begin >> shift_of(above);
    for (std::size_t height = above; height-- > 0;) {
      aim_.find_bounds(height, group, path[height]);
      path[height] = only(stretch_.members(shift_of(height), group), path[height], infinite);
      const unsigned next = first_lowest(path[height]);
      if (scan_.within_limit(path[height]) == 0) break;
      if (height > 0) {
        steps[open++] = {-infinite, 0, group, height, all_sixteen & ~(1U << next), true};
        group = group * sixteen + next;
      } else if (known_ != no_row) {
        steps[open++] = {-infinite, 0, group, 0, all_sixteen, true};
      } else {
        const unsigned first = scan_.find_limit(group, path[0]);
        steps[open++] = {-infinite, 0, group, 0, all_sixteen & ~first, true};
        steps[open++] = {-infinite, 0, group, 0, first, true};
      }
    }
    while (open > 0) {
      const Step step = steps[--open];
      if (!scan_.promises(step.bound, step.lowest)) continue;
      Bounds bounds;
      if (step.on_path)
        bounds = path[step.height];
      else
        aim_.find_bounds(step.height, step.group, bounds);
      const unsigned members = scan_.within_limit(bounds) & step.members &
                               stretch_.members(shift_of(step.height), step.group);
      if (step.height == 0) {
        scan_.scan(step.group, bounds, members & unknown(step.group));
        continue;
      }
      // The first is opened last and looked into next: of equal records it has the lowest rows.
      for (unsigned rest = members; rest != 0; rest = std::bit_floor(rest) ^ rest) {
        const auto member = static_cast<std::size_t>(std::bit_width(rest)) - 1;
        const std::size_t node = step.group * sixteen + member;
        steps[open++] = {bounds[member], tree[step.height].lowest[node],
                         node,           step.height - 1,
                         all_sixteen,    false};
      }
    }
  }

  template <std::size_t bytes>
  TOKUMEI_HOT void gather(double limit) {
    std::pair<std::size_t, std::size_t> groups[(most_height + 1) * sixteen];  // and their heights
    std::size_t waiting = 0;
    groups[waiting++] = {0, records_.tree.height() - 1};
    while (waiting > 0) {
      const auto [group, height] = groups[--waiting];
      Sixteen<double, bytes> bounds;
      aim_.find_bounds(height, group, bounds);
      for (unsigned open = bits_of(bounds <= limit); open != 0; open &= open - 1) {
        const std::size_t node = group * sixteen + static_cast<std::size_t>(std::countr_zero(open));
        if (records_.holds_one_point(height, node))
          scan_.take(records_.place_of_lowest(height, node), limit, within_);
        else if (height > 0)
          groups[waiting++] = {node, height - 1};
        else
          scan_.template take_block<bytes>(node, limit, within_);
      }
    }
  }

  const RecordBlocks& records_;
  Objective aim_;
  RecordScan<Objective> scan_;
  AlignedVector<float> point_;  // in the frame of a block
  PlaceStretch stretch_;
  std::size_t near_ = no_row;
  std::size_t known_ = no_row;  // a block that has been looked at
  Found best_ = nothing;
  std::vector<Found> within_;
};

}  // namespace tokumei::spatial
