// A scan of blocks of records: keeps the best for an aim, of equals the lowest row.
//
// Leaves and records are screened in float32 with the margins of the aim's frame; what passes is
// measured exactly. A limit says what is still of interest: it starts where enough records are
// known to be (find_limit) and follows the worst of the best.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "tokumei/numeric/aligned_vector.hpp"
#include "tokumei/runtime/instruction_sets.hpp"
#include "tokumei/simd/lanes.hpp"
#include "tokumei/simd/reductions.hpp"
#include "tokumei/spatial/best_lanes.hpp"
#include "tokumei/spatial/bounding_box_tree.hpp"
#include "tokumei/spatial/box_bounds.hpp"
#include "tokumei/spatial/found.hpp"
#include "tokumei/spatial/place_stretch.hpp"
#include "tokumei/spatial/quantisation_frame.hpp"
#include "tokumei/spatial/record_blocks.hpp"

namespace tokumei::spatial {

template <class Objective>
class RecordScan {
 public:
  // Borrows the records and the aim.
  RecordScan(const RecordBlocks& records, const Objective& aim)
      : records_(records), aim_(aim), frames_(sixteen * aim.room()), room_(aim.room()) {}

  // Forgets what was found; from now on `wanted` records of a stretch are that `limit` and `last`
  // allow.
  void begin(std::size_t wanted, double limit, std::size_t last, double slack = 0.0,
             const PlaceStretch& stretch = {}) {
    wanted_ = wanted;
    stretch_ = stretch;
    best_.clear();
    slack_ = slack;
    contested_ = false;
    allow(limit, last);
    visited_ = 0;
  }

  // The best, in no particular order.
  const std::vector<Found>& best() {
    trim();
    return best_;
  }
  // Blocks looked into.
  std::size_t visited() const { return visited_; }
  // Whether there may be others whose score is not by more than the slack above that of the best.
  bool contested() const { return contested_; }

  // Whether a record of such a row with such a score, or better ones, would be of interest.
  bool promises(double bound, std::size_t lowest) {
    if (bound < limit_ || (bound == limit_ && lowest < last_)) return true;
    contested_ |= bound <= noticed_;
    return false;
  }

  // Which of sixteen bounds are.
  template <class Bounds>
  TOKUMEI_HOT unsigned within_limit(const Bounds& bounds) const {
    return bits_of(bounds <= std::min(noticed_, std::numeric_limits<double>::max()));
  }

  // Sets a limit that enough records of the most promising leaves keep, unless the group is too
  // poor or the limit already as low. Returns the blocks it took them from.
  template <std::size_t bytes>
  TOKUMEI_HOT unsigned find_limit(std::size_t group, const Sixteen<double, bytes>& bounds) {
    using Codes = Sixteen<float, bytes>;
    double open_bounds[sixteen];
    float open_gaps[sixteen];
    store(open_bounds, bounds);
    double limit = -infinite;
    std::size_t count = 0;
    unsigned taken = 0;
    for (;;) {
      const unsigned member = first_lowest(load<Sixteen<double, bytes>>(open_bounds));
      if (!(open_bounds[member] < infinite)) return all_sixteen;
      open_bounds[member] = infinite;
      taken |= 1U << member;
      const std::size_t block = group * sixteen + member;
      const auto frame = aim_.frame(block);
      Codes gaps;
      aim_.template enter<bytes>(block, frames_.data());
      aim_.find_leaves(block, frame, infinite, frames_.data(), room_.data(), gaps);
      gaps = only(stretch_.members(leaf_shift, block), gaps, no_code);
      if (count == 0 && limit_by_lanes<bytes>(block, frame, gaps)) return taken;
      store(open_gaps, gaps);
      for (;;) {
        const unsigned leaf = first_lowest(load<Codes>(open_gaps));
        if (!(open_gaps[leaf] < no_code)) break;
        open_gaps[leaf] = no_code;
        const std::size_t at = block * sixteen + leaf;
        const auto distances = surely_measured<bytes>(at);
        const auto found = static_cast<std::size_t>(std::popcount(bits_of(distances < no_code)));
        if (found == 0) continue;
        const std::size_t rank = count == 0 ? std::min(found, wanted_) : found;
        limit = std::max(limit,
                         limit_of<Objective::far>(frame, ranked<Objective::far>(distances, rank)));
        count += found;
        if (count < wanted_) continue;
        if (limit < limit_) allow(limit, no_row);
        return taken;
      }
    }
  }

  // Adds the records of a block whose score is at most `limit`.
  template <std::size_t bytes>
  TOKUMEI_HOT void take_block(std::size_t block, double limit, std::vector<Found>& out) {
    using Codes = Sixteen<float, bytes>;
    const auto frame = aim_.frame(block);
    const float edge = edge_of<Objective::far>(frame, limit);
    float* point = frames_.data();
    Codes gaps;
    aim_.template enter<bytes>(block, point);
    unsigned leaves = aim_.find_leaves(block, frame, limit, point, room_.data(), gaps);
    for (; leaves != 0; leaves &= leaves - 1) {
      const std::size_t leaf = block * sixteen + static_cast<std::size_t>(std::countr_zero(leaves));
      const auto distances = codes_measured<Codes>(leaf, point);
      for (unsigned hits = bits_of(passing<Objective::far>(distances, edge)); hits != 0;
           hits &= hits - 1)
        take(leaf * sixteen + static_cast<std::size_t>(std::countr_zero(hits)), limit, out);
    }
  }

  // Adds a record if its score is at most `limit`.
  void take(std::size_t place, double limit, std::vector<Found>& out) const {
    const double score = aim_.score(place);
    if (score <= limit) out.push_back({score, records_.rows[place], place});
  }

  // Measures one record.
  void offer(std::size_t place) { keep({aim_.score(place), records_.rows[place], place}); }

  // Looks into blocks of a group: which of their leaves, which records of those, and then exactly.
  template <std::size_t bytes>
  TOKUMEI_HOT void scan(std::size_t group, const Sixteen<double, bytes>& bounds, unsigned members) {
    using Codes = Sixteen<float, bytes>;
    using Words = Sixteen<std::uint32_t, bytes>;
    // A leaf by its number within the group, and above that its block by the order of entering.
    constexpr std::uint32_t numbers = sixteen * sixteen;
    constexpr std::size_t guess = 4, at_once = 32;
    std::uint32_t leaves[numbers + guess];
    std::size_t count = 0;
    float edges[sixteen];
    Codes gaps;
    double entered_bounds[sixteen];
    std::uint32_t entered = 0;
    for (; members != 0; members &= members - 1) {
      const auto member = static_cast<std::uint32_t>(std::countr_zero(members));
      const std::size_t block = group * sixteen + member;
      if (!promises(bounds[member], records_.tree[0].lowest[block])) continue;
      const auto frame = aim_.frame(block);
      float* point = frames_.data() + entered * aim_.room();
      aim_.template enter<bytes>(block, point);
      unsigned found = aim_.find_leaves(block, frame, noticed_, point, room_.data(), gaps) &
                       stretch_.members(leaf_shift, block);
      edges[entered] = edge_of<Objective::far>(frame, noticed_);
      entered_bounds[entered] = bounds[member];
      const std::uint32_t first_leaf = entered * numbers + member * std::uint32_t{sixteen};
      const auto next_leaf = [&] {
        const auto leaf = static_cast<std::uint32_t>(std::countr_zero(found));
        found &= found - 1;
        return first_leaf + leaf;
      };
      // A few are written unasked: a wrong guess of how many there are costs the processor more.
      const auto end = count + static_cast<std::size_t>(std::popcount(found));
      for (std::size_t i = 0; i < guess; ++i) leaves[count + i] = next_leaf();
      for (std::size_t i = count + guess; i < end; ++i) leaves[i] = next_leaf();
      count = end;
      ++entered;
    }
    visited_ += entered;
    for (std::size_t first = 0; first < count; first += at_once) {
      const std::size_t some = std::min(at_once, count - first);
      Words hit_leaves{};  // of the i-th records: a bit for each leaf
      for (std::size_t at = 0; at < some; ++at) {
        const std::uint32_t leaf = leaves[first + at];
        const auto distances = codes_measured<Codes>(group * numbers + leaf % numbers,
                                                     frames_.data() + leaf / numbers * aim_.room());
        const auto passed = passing<Objective::far>(distances, edges[leaf / numbers]);
        hit_leaves = hit_leaves | (bits_as<std::uint32_t>(passed) & (std::uint32_t{1} << at));
      }
      std::uint32_t hits[sixteen];
      store(hits, hit_leaves);
      // All are fetched before the first is measured.
      Candidate candidates[at_once * sixteen];
      std::size_t waiting = 0;
      unsigned hit = all_sixteen & ~bits_of(hit_leaves == 0U);
      for (; hit != 0; hit &= hit - 1) {
        const auto i = static_cast<std::size_t>(std::countr_zero(hit));
        for (std::uint32_t rest = hits[i]; rest != 0; rest &= rest - 1) {
          const std::uint32_t leaf =
              leaves[first + static_cast<std::size_t>(std::countr_zero(rest))];
          const std::size_t place = (group * numbers + leaf % numbers) * sixteen + i;
          records_.fetch(place);
          candidates[waiting++] = {place, entered_bounds[leaf / numbers]};
        }
      }
      const std::size_t before = best_.size();
      for (std::size_t i = 0; i < waiting; ++i) measure(candidates[i]);
      if (wanted_ <= few && best_.size() != before) trim();
    }
  }

 private:
  static constexpr float no_code = std::numeric_limits<float>::infinity();
  // Up to so many wanted records the limit follows each batch, and begins with the best of lanes.
  static constexpr std::size_t few = 8;

  // The records of a leaf, measured in the frame of its block; NaN where there is none.
  template <std::size_t bytes>
  TOKUMEI_HOT Sixteen<float, bytes> surely_measured(std::size_t leaf) const {
    return only(stretch_.members(record_shift, leaf),
                aim_.template measure_surely<Sixteen<float, bytes>>(leaf, frames_.data()),
                std::numeric_limits<float>::quiet_NaN());
  }

  // Sets a limit that a few wanted records keep, taken from the most promising leaves of a block.
  // Whether there were enough of them.
  template <std::size_t bytes>
  TOKUMEI_HOT bool limit_by_lanes(std::size_t block, const QuantisationFrame& frame,
                                  const Sixteen<float, bytes>& gaps) {
    constexpr bool far = Objective::far;
    // The one nearest is mostly in the first leaf.
    if (wanted_ > few || (!far && wanted_ == 1)) return false;
    const auto best = best_of_lanes<far>(gaps, [&](std::size_t leaf) TOKUMEI_HOT_LAMBDA {
      return surely_measured<bytes>(block * sixteen + leaf);
    });
    if (known_of<far>(best) < wanted_) return false;
    const double limit = limit_of<far>(frame, ranked<far>(best, wanted_));
    if (limit < limit_) allow(limit, no_row);
    return true;
  }

  template <class Codes>
  TOKUMEI_HOT Codes codes_measured(std::size_t leaf, const float* point) const {
    return aim_.template measure_codes<Codes>(leaf, point);
  }

  // A record that has passed the screen, and the bound of its block.
  struct Candidate {
    std::size_t place;
    double bound;
  };

  void measure(const Candidate& candidate) {
    if (!stretch_.holds(candidate.place)) return;
    const std::size_t row = records_.rows[candidate.place];
    if (promises(candidate.bound, row)) keep({aim_.score(candidate.place), row, candidate.place});
  }

  void keep(const Found& found) {
    if (!promises(found.score, found.row)) return;
    best_.push_back(found);
    if (best_.size() > wanted_ + wanted_ / 2) trim();
  }

  void allow(double limit, std::size_t last) {
    limit_ = limit;
    last_ = last;
    noticed_ = limit + slack_;
  }

  void trim() {
    if (best_.size() < wanted_ || best_.empty()) return;
    const auto worst = best_.begin() + static_cast<std::ptrdiff_t>(wanted_ - 1);
    std::nth_element(best_.begin(), worst, best_.end());
    allow(worst->score, worst->row);
    for (auto worse = worst + 1; slack_ > 0.0 && worse != best_.end(); ++worse)
      contested_ |= worse->score <= noticed_;
    best_.resize(wanted_);
  }

  const RecordBlocks& records_;
  const Objective& aim_;
  AlignedVector<float> frames_;  // the point in the frames of some blocks
  AlignedVector<float> room_;
  std::size_t wanted_ = 0;
  PlaceStretch stretch_;
  std::vector<Found> best_;    // with up to half as many that were once among them
  double limit_ = infinite;    // no worse score is of interest,
  std::size_t last_ = no_row;  // nor one as bad with a higher row,
  double slack_ = 0.0;
  double noticed_ = infinite;  // but up to here it is noticed
  bool contested_ = false;
  std::size_t visited_ = 0;
};

}  // namespace tokumei::spatial
