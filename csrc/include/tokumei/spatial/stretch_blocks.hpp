// Records in blocks (record_blocks.hpp) for those who take out one stretch of places after another.
//
// Striking a record out costs less than removing it, and what is known of its block is fitted to
// what is left only now and then. In between boxes hold more than there is and lowest rows may be
// those of records struck out: bounds that are true, but not the tightest. Refilling a stretch with
// what is left of it brings records together again.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "tokumei/runtime/progress_monitor.hpp"
#include "tokumei/runtime/thread_team.hpp"
#include "tokumei/spatial/bounding_box_tree.hpp"
#include "tokumei/spatial/place_stretch.hpp"
#include "tokumei/spatial/record_blocks.hpp"

namespace tokumei::spatial {

class StretchBlocks : public RecordBlocks {
 public:
  explicit StretchBlocks(const Records& x)
      : RecordBlocks(x), least_(attributes), most_(attributes) {}

  void build(const std::vector<std::size_t>& chosen, ThreadTeam& team, ProgressMonitor& monitor) {
    RecordBlocks::build(chosen, team, monitor);
    struck_.assign(scales.size(), 0);
  }

  // Asks for the numbers of a stretch that is about to be searched: its records are measured in an
  // order that no processor guesses.
  void fetch(const PlaceStretch& stretch) const {
#if defined(__GNUC__) || defined(__clang__)
    constexpr std::size_t line = 64 / sizeof(double);
    const double* end = values.data() + stretch.end * attributes;
    for (const double* at = values.data() + stretch.begin * attributes; at < end; at += line)
      __builtin_prefetch(at);
#endif
  }

  void strike(std::size_t place) {
    const std::size_t block = place / block_rows, leaf = place / sixteen;
    rows[place] = no_row;
    --size;
    --leaf_sizes[leaf];
    float* code = codes.data() + leaf * attributes * sixteen + place % sixteen;
    for (std::size_t j = 0; j < attributes; ++j, code += sixteen)
      *code = std::numeric_limits<float>::quiet_NaN();
    if (++struck_[block] == patience) fit(block);
  }

  // Puts the records that are left in a stretch into its first places, in their order, and returns
  // the stretch of these. O(m d) for a stretch of m places.
  PlaceStretch pack(const PlaceStretch& stretch) {
    std::size_t kept = stretch.begin;
    for (std::size_t place = stretch.begin; place < stretch.end; ++place) {
      const std::size_t row = rows[place];
      rows[place] = no_row;
      if (row != no_row) rows[kept++] = row;
    }
    for (std::size_t block = stretch.begin / block_rows; block * block_rows < stretch.end;
         ++block) {
      fill(block);
      tree.settle_above(block);
      struck_[block] = 0;
    }
    return {stretch.begin, kept};
  }

 private:
  // Fitting a block costs about as much as striking so many records out.
  static constexpr std::uint8_t patience = 128;

  void fit(std::size_t block) {
    struck_[block] = 0;
    const std::size_t begin = block * block_rows;
    for (std::size_t leaf = block * sixteen; leaf < (block + 1) * sixteen; ++leaf) {
      fit_leaf(leaf);
      categories.fit_leaf(leaf, rows.data());
    }
    std::fill(least_.begin(), least_.end(), infinite);
    std::fill(most_.begin(), most_.end(), -infinite);
    for (std::size_t place = begin; place < begin + block_rows; ++place) {
      if (rows[place] == no_row) continue;
      const double* record = values.data() + place * attributes;
      for (std::size_t j = 0; j < attributes; ++j) {
        least_[j] = std::min(least_[j], record[j]);
        most_[j] = std::max(most_[j], record[j]);
      }
    }
    for (std::size_t j = 0; j < attributes; ++j) {
      tree.set_lower(block, j, least_[j]);
      tree.set_upper(block, j, most_[j]);
    }
    tree.set_lowest(block, lowest_row(block));
  }

  std::vector<double> least_, most_;
  std::vector<std::uint8_t> struck_;  // of each block, since it was fitted
};

}  // namespace tokumei::spatial
