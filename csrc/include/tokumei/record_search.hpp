// Exact search among records in blocks: those nearest to a point, or farthest from it.
//
// The answer is the one that looking at every record would give: by the squared distance as
// distance.hpp computes it, and among equals the lowest row. The walk goes down to the most
// promising block, takes from one of its leaves a limit that enough records keep, and then visits
// whatever may hold a record within the limit, nearest relatives of that block first: node boxes
// decide in float64, leaves and records are screened in float32 with the margins of frame.hpp, and
// only what passes is measured exactly.
//
// Nearest: no record of a box is nearer than the box. Farthest: none is farther than the farthest
// corner; nor, for the anchor c, any t > 0 and the point y = c - t (p - c) opposite to p, than
//     |x - p|^2 = (1 + 1/t) |x - c|^2 + (1 + t) |p - c|^2 - |x - y|^2 / t
// allows, where |x - c| is at most the reach of the node. With t = reach / |p - c| the records that
// can be farthest are those near y: a search for the farthest record is one for records near the
// opposite point.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "tokumei/frame.hpp"
#include "tokumei/instructions.hpp"
#include "tokumei/record_blocks.hpp"
#include "tokumei/sixteen.hpp"

namespace tokumei::detail {

enum class Side { nearest, farthest };

// A record found. The lower score is the better one: the squared distance, or less than nothing of
// it.
struct Found {
  double score = 0.0;
  std::size_t row = 0;
  std::size_t place = 0;
  bool operator<(const Found& other) const {
    return score < other.score || (score == other.score && row < other.row);
  }
};

template <Side side>
class Search {
 public:
  explicit Search(const RecordBlocks& records)
      : records_(records), point_(records.width, 0.0), direction_(records.width, 0.0),
        frames_(sixteen * records.width), opposite_(records.width) {}

  // The best `wanted` records, or all if there are fewer, in no particular order.
  const std::vector<Found>& run(const double* point, std::size_t wanted, Level level) {
    std::copy_n(point, records_.attributes, point_.begin());
    wanted_ = std::min(wanted, records_.size);
    best_.clear();
    limit_ = infinite;
    last_ = no_row;
    visited_ = 0;
    if constexpr (side == Side::farthest) {
      away_ = std::sqrt(plain_distance(point_.data(), records_.anchor.data(), records_.attributes));
      for (std::size_t j = 0; j < records_.attributes; ++j)
        direction_[j] = away_ > 0.0 ? (point_[j] - records_.anchor[j]) / away_ : 0.0;
    }
    if (wanted_ > 0) dispatch<Walk>(level, this);
    return best_;
  }

  // Blocks the last run looked into.
  std::size_t visited() const { return visited_; }

 private:
  static constexpr bool far = side == Side::farthest;
  static constexpr unsigned all_members = (1U << sixteen) - 1;
  static constexpr std::size_t most_height = 16;
  static constexpr float none = std::numeric_limits<float>::infinity();

  struct Walk {
    TOKUMEI_HOT static void run(Search* search) { search->walk(); }
  };

  // A group of sixteen nodes to look into, or some of them.
  struct Step {
    double bound;
    std::size_t lowest;
    std::size_t group;
    std::size_t height;
    unsigned members;
    bool on_path;
  };

  TOKUMEI_HOT void walk() {
    const BoxTree& tree = records_.tree;
    double path[most_height][sixteen];
    Step steps[(most_height + 1) * sixteen];
    std::size_t open = 0, group = 0;
    for (std::size_t height = tree.height(); height-- > 0;) {
      find_bounds(height, group, path[height]);
      const unsigned next = least_of(path[height]);
      if (height > 0) {
        steps[open++] = {-infinite, 0, group, height, all_members & ~(1U << next), true};
        group = group * sixteen + next;
      } else {
        const unsigned first = find_limit(group, path[0]);
        steps[open++] = {-infinite, 0, group, 0, all_members & ~first, true};
        steps[open++] = {-infinite, 0, group, 0, first, true};
      }
    }
    while (open > 0) {
      const Step step = steps[--open];
      if (!passes(step.bound, step.lowest)) continue;
      double fresh[sixteen];
      if (!step.on_path) find_bounds(step.height, step.group, fresh);
      const double* bounds = step.on_path ? path[step.height] : fresh;
      const unsigned members = within_limit(bounds) & step.members;
      if (step.height == 0) {
        scan(step.group, bounds, members);
        continue;
      }
      for (unsigned rest = members; rest != 0; rest &= rest - 1) {
        const auto lane = static_cast<std::size_t>(std::countr_zero(rest));
        const std::size_t node = step.group * sixteen + lane;
        steps[open++] = {bounds[lane], tree[step.height].lowest[node],
                         node,         step.height - 1,
                         all_members,  false};
      }
    }
  }

  bool passes(double bound, std::size_t lowest) const {
    return bound < limit_ || (bound == limit_ && lowest < last_);
  }

  TOKUMEI_HOT unsigned within_limit(const double* bounds) const {
    const double limit = limit_ < infinite ? limit_ : std::numeric_limits<double>::max();
    return where_doubles([=](std::size_t i) { return bounds[i] <= limit; });
  }

  // No record of node i of the group has a score below out[i]; infinity where there is none.
  TOKUMEI_HOT void find_bounds(std::size_t height, std::size_t group, double* out) const {
    const TreeLevel& level = records_.tree[height];
    const double* boxes = level.boxes(group);
    if constexpr (!far) {
      box_distances(boxes, point_.data(), records_.width, out);
    } else {
      const double* reach = level.reach.data() + group * sixteen;
      const double* anchor = records_.anchor.data();
      const double* direction = direction_.data();
      double gaps[sixteen], corners[sixteen];
      sum_attributes(records_.width, gaps, [=](std::size_t j, std::size_t i) {
        const double lower = boxes[j * 2 * sixteen + i] - anchor[j];
        const double upper = boxes[(j * 2 + 1) * sixteen + i] - anchor[j];
        const double opposite = -direction[j] * reach[i];
        double nearest = opposite < lower ? lower : opposite;
        nearest = nearest > upper ? upper : nearest;
        const double by = nearest - opposite;
        return by * by;
      });
      corner_distances(boxes, point_.data(), records_.width, corners);
      const double away = away_, rounding = margin(0x1p-49);
      TOKUMEI_SIXTEEN(i) {
        const double top = (away + reach[i]) * (away + reach[i]);
        const double bound = top + top * rounding + 1e-290 - away / reach[i] * gaps[i];
        const double least = bound < corners[i] ? bound : corners[i];
        out[i] = reach[i] < 0.0 ? infinite : -least;
      }
    }
  }

  // More than the roundings of a sum over the attributes, as a share of it.
  double margin(double unit) const { return static_cast<double>(records_.attributes + 16) * unit; }

  // The point in the frame of a block.
  TOKUMEI_HOT void enter(std::size_t block, float* frame) const {
    const double* centre = records_.centres.data() + block * records_.width;
    const double scale = records_.scales[block];
    for (std::size_t j = 0; j < records_.width; ++j)
      frame[j] = static_cast<float>((point_[j] - centre[j]) * scale);
  }

  // The leaves of a block that may hold a record within the limit; gaps[i] tells which to try
  // first.
  TOKUMEI_HOT unsigned find_leaves(std::size_t block, const Frame& frame, const float* point,
                                   float* gaps) {
    const float* boxes = records_.leaf_boxes.data() + block * records_.width * 2 * sixteen;
    if constexpr (!far) {
      box_distances(boxes, point, records_.width, gaps);
      const float within = frame.code_within(limit_);
      return where_floats([=](std::size_t i) { return gaps[i] <= within; });
    } else {
      const double* anchor = records_.anchor.data();
      const double* centre = records_.centres.data() + block * records_.width;
      const double scale = records_.scales[block], reach = records_.tree[0].reach[block];
      for (std::size_t j = 0; j < records_.width; ++j)
        opposite_[j] =
            static_cast<float>(((anchor[j] - centre[j]) - direction_[j] * reach) * scale);
      box_distances(boxes, opposite_.data(), records_.width, gaps);
      if (!(away_ > 0.0)) return all_members;
      // |x - y|^2 <= (1 + t) |x - c|^2 + t (1 + t) |p - c|^2 - t |x - p|^2
      const double t = reach / away_;
      const double rest = (1.0 + t) * reach * (away_ + margin(0x1p-48) * (away_ + reach)) +
                          1e-290 * (1.0 + t) + t * limit_;
      const double* leaf_reach = records_.leaf_reach.data() + block * sixteen;
      double wide_gaps[sixteen];
      TOKUMEI_SIXTEEN(i) wide_gaps[i] = gaps[i];
      return where_doubles([&](std::size_t i) {
        return wide_gaps[i] <= frame.wide_code_within((1.0 + t) * leaf_reach[i] + rest);
      });
    }
  }

  // Sets a limit that enough records of the most promising leaves keep, unless the group is too
  // poor. Returns the blocks it took them from.
  TOKUMEI_HOT unsigned find_limit(std::size_t group, const double* bounds) {
    std::size_t count = 0;
    double worst = far ? infinite : 0.0;
    unsigned taken = 0;
    double block_bounds[sixteen];
    std::copy_n(bounds, sixteen, block_bounds);
    for (;;) {
      const unsigned lane = least_of(block_bounds);
      if (!(block_bounds[lane] < infinite)) return all_members;
      block_bounds[lane] = infinite;
      taken |= 1U << lane;
      const std::size_t block = group * sixteen + lane;
      const Frame frame(records_.scales[block], records_.attributes);
      float gaps[sixteen], distances[sixteen];
      enter(block, frames_.data());
      find_leaves(block, frame, frames_.data(), gaps);
      for (;;) {
        const unsigned leaf = least_of(gaps);
        if (!(gaps[leaf] < none)) break;
        gaps[leaf] = none;
        record_distances(records_.codes.data() +
                             (block * sixteen + leaf) * records_.width * sixteen,
                         frames_.data(), records_.width, distances);
        const auto found = static_cast<std::size_t>(
            std::popcount(where_floats([&](std::size_t i) { return distances[i] < none; })));
        if (found == 0) continue;
        const float last = ranked(distances, count == 0 ? std::min(found, wanted_) : found);
        worst = far ? std::min(worst, frame.beyond(last)) : std::max(worst, frame.within(last));
        count += found;
        if (count >= wanted_) {
          limit_ = far ? -worst : worst;
          return taken;
        }
      }
    }
  }

  // The n-th best of sixteen distances; NaN is none of them.
  TOKUMEI_HOT static float ranked(const float* distances, std::size_t n) {
    std::uint32_t rank[sixteen];
    TOKUMEI_SIXTEEN(i) rank[i] = 0;
    for (std::size_t other = 0; other < sixteen; ++other) {
      const float with = distances[other];
      TOKUMEI_SIXTEEN(i) rank[i] += (far ? with >= distances[i] : with <= distances[i]) ? 1U : 0U;
    }
    float best = far ? -1.0F : none;
    for (std::size_t i = 0; i < sixteen; ++i)
      if (rank[i] >= n && (far ? distances[i] > best : distances[i] < best)) best = distances[i];
    return best;
  }

  // Looks into some blocks of a group: first which of their leaves, then which records, then
  // exactly.
  TOKUMEI_HOT void scan(std::size_t group, const double* bounds, unsigned members) {
    struct Chosen {
      std::uint32_t block;  // in the order of `frames_`
      std::uint32_t leaf;   // within the group
    };
    constexpr std::size_t at_once = 32, guess = 8;
    Chosen leaves[sixteen * sixteen + guess];
    float edges[sixteen], gaps[sixteen];
    double block_bounds[sixteen];
    std::size_t count = 0;
    std::uint32_t entered = 0;
    for (; members != 0; members &= members - 1) {
      const auto lane = static_cast<std::uint32_t>(std::countr_zero(members));
      const std::size_t block = group * sixteen + lane;
      if (!passes(bounds[lane], records_.tree[0].lowest[block])) continue;
      const Frame frame(records_.scales[block], records_.attributes);
      float* point = frames_.data() + entered * records_.width;
      enter(block, point);
      unsigned found = find_leaves(block, frame, point, gaps);
      edges[entered] = far ? frame.code_beyond(-limit_) : frame.code_within(limit_);
      block_bounds[entered] = bounds[lane];
      const auto leaf_base = static_cast<std::uint32_t>(lane * sixteen);
      const auto number = static_cast<std::size_t>(std::popcount(found));
      // Written without asking how many there are: a wrong guess of the processor costs more.
      for (std::size_t i = 0; i < guess; ++i, found &= found - 1)
        leaves[count + i] = {entered,
                             leaf_base + static_cast<std::uint32_t>(std::countr_zero(found))};
      for (std::size_t i = count + guess; found != 0; ++i, found &= found - 1)
        leaves[i] = {entered, leaf_base + static_cast<std::uint32_t>(std::countr_zero(found))};
      count += number;
      ++entered;
    }
    visited_ += entered;
    const float* codes =
        records_.codes.data() + group * sixteen * sixteen * records_.width * sixteen;
    for (std::size_t first = 0; first < count; first += at_once) {
      const std::size_t some = std::min(at_once, count - first);
      std::uint32_t hits[sixteen];  // by lane, a bit for each leaf
      TOKUMEI_SIXTEEN(i) hits[i] = 0;
      for (std::size_t at = 0; at < some; ++at) {
        const Chosen chosen = leaves[first + at];
        const std::uint32_t bit = 1U << at;
        const float edge = edges[chosen.block];
        float distances[sixteen];
        record_distances(codes + chosen.leaf * records_.width * sixteen,
                         frames_.data() + chosen.block * records_.width, records_.width, distances);
        TOKUMEI_SIXTEEN(i)
        hits[i] |= (far ? distances[i] >= edge : distances[i] <= edge) ? bit : 0U;
      }
      unsigned hit_lanes = where_floats([&](std::size_t i) { return hits[i] != 0; });
      for (; hit_lanes != 0; hit_lanes &= hit_lanes - 1) {
        const auto lane = static_cast<std::size_t>(std::countr_zero(hit_lanes));
        for (std::uint32_t rest = hits[lane]; rest != 0; rest &= rest - 1) {
          const Chosen chosen = leaves[first + static_cast<std::size_t>(std::countr_zero(rest))];
          consider((group * sixteen * sixteen + chosen.leaf) * sixteen + lane,
                   block_bounds[chosen.block]);
        }
      }
    }
  }

  // Measures a record of a block with that bound exactly and keeps it if it is among the best.
  void consider(std::size_t place, double bound) {
    const std::size_t row = records_.rows[place];
    if (bound == limit_ && row > last_) return;
    const double distance = plain_distance(records_.values.data() + place * records_.attributes,
                                           point_.data(), records_.attributes);
    const Found found{far ? -distance : distance, row, place};
    if (best_.size() == wanted_) {
      if (!(found < best_.front())) return;
      std::pop_heap(best_.begin(), best_.end());
      best_.back() = found;
    } else {
      if (found.score > limit_) return;
      best_.push_back(found);
    }
    std::push_heap(best_.begin(), best_.end());
    if (best_.size() < wanted_) return;
    limit_ = best_.front().score;
    last_ = best_.front().row;
  }

  const RecordBlocks& records_;
  Lines<double> point_;
  Lines<double> direction_;  // from the anchor to the point, of length 1
  double away_ = 0.0;        // distance from the anchor to the point
  Lines<float> frames_;      // the point in the frames of some blocks
  Lines<float> opposite_;    // the opposite point in the frame of one
  std::size_t wanted_ = 0;
  std::vector<Found> best_;    // a heap, the worst on top
  double limit_ = infinite;    // no worse score is of interest,
  std::size_t last_ = no_row;  // nor one as bad with a higher row
  std::size_t visited_ = 0;
};

}  // namespace tokumei::detail
