// What is asked of the columns of codes: how far records are from a record, or from a mean.
//
// A record's term is 0 where slots are the same, the weight where one is missing, else twice the
// weight; a mean's is weight (1 + S / n^2 - share), see records.hpp. Bounds are in double
// precision, screening in float32.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <vector>

#include "tokumei/runtime/instruction_sets.hpp"
#include "tokumei/simd/lanes.hpp"
#include "tokumei/spatial/bounding_box_tree.hpp"
#include "tokumei/spatial/category_blocks.hpp"
#include "tokumei/spatial/category_counts.hpp"
#include "tokumei/spatial/category_leaves.hpp"
#include "tokumei/spatial/category_terms.hpp"

namespace tokumei::spatial {

class CategoryQuestion {
 public:
  // Borrows the blocks.
  explicit CategoryQuestion(const CategoryBlocks& blocks)
      : blocks_(blocks), slots_(blocks.columns), own_of_nodes_(blocks.columns),
        holding_(blocks.columns), missing_(blocks.columns), terms_(2 * blocks.columns),
        screened_(2 * blocks.columns) {}

  void ask(const CategorySlot* record) {
    mean_ = nullptr;
    for (std::size_t j = 0; j < columns(); ++j) {
      slots_[j] = record[j];
      own_of_nodes_[j] = set_of(record[j]);
      holding_[j] = blocks_.holding(j, record[j]);
      missing_[j] = blocks_.holding(j, 0);
      near_term(j) = blocks_.weights[j];
      far_term(j) = record[j] == 0 ? blocks_.weights[j] : 2.0 * blocks_.weights[j];
      screened_[2 * j] = blocks_.screened_weight(j);
      screened_[2 * j + 1] = (record[j] == 0 ? 1.0F : 2.0F) * blocks_.screened_weight(j);
    }
    sum_least();
  }

  // Borrows the mean until something else is asked.
  void ask(const CategoryCounts& mean) {
    mean_ = &mean;
    for (std::size_t j = 0; j < columns(); ++j) {
      base(j) = mean.base(j);
      screened_[2 * j] = blocks_.screened_weight(j) * static_cast<float>(base(j));
      screened_[2 * j + 1] = blocks_.screened_weight(j) * static_cast<float>(2.0 / mean.size());
    }
  }

  // From now on bounds are those of records that do not share the category of a column. Those that
  // do must be looked at one by one.
  void leave_out(std::size_t j) {
    holding_[j] = blocks_.nowhere();
    own_of_nodes_[j] = 0;
  }

  bool is_mean() const { return mean_ != nullptr; }
  const std::vector<CategorySlot>& slots() const { return slots_; }

  // A sum of squares of numbers and the terms of a record.
  double add_terms(double sum, const CategorySlot* record) const {
    for (std::size_t j = 0; j < columns(); ++j) sum += term(j, record[j]);
    return sum;
  }

  // The sums and the least terms of sixteen nodes, to a record.
  template <class V>
  TOKUMEI_HOT V add_least(V sums, std::size_t height, std::size_t group) const {
    using Sets = typename V::template Of<NodeSet>;
    if (height == 0) return add_least_of_blocks(sums, group * sixteen);
    const NodeSet* sets = blocks_.sets(height, group);
    for (std::size_t j = 0; j < columns(); ++j, sets += sixteen) {
      const Sets here = load<Sets>(sets);
      const auto outside = (here & own_of_nodes_[j]) == NodeSet{0};
      sums = sums + least_of<V>(j, outside, terms_.data(),
                                [&] { return (here & NodeSet{1}) == NodeSet{1}; });
    }
    return sums;
  }

  // The sums and the greatest terms of sixteen nodes.
  template <class V>
  TOKUMEI_HOT V add_greatest(V sums, const NodeSet* sets) const {
    using Sets = typename V::template Of<NodeSet>;
    for (std::size_t j = 0; j < columns(); ++j, sets += sixteen) {
      const bool exact = blocks_.tells_all(j);
      if (mean_ != nullptr) {
        const double any = blocks_.weights[j] * (base(j) - mean_->least_share(j));
        double greatest[sixteen];
        for (std::size_t i = 0; i < sixteen; ++i) {
          const bool one = exact && std::has_single_bit(sets[i]);
          greatest[i] = one ? term(j, static_cast<CategorySlot>(std::countr_zero(sets[i]))) : any;
        }
        sums = sums + load<V>(greatest);
        continue;
      }
      const Sets here = load<Sets>(sets);
      const V terms = far_term(j) - where_one(here == NodeSet{1}, far_term(j) - near_term(j));
      sums = sums + (exact ? where(~(here == own_of_nodes_[j]), terms) : terms);
    }
    return sums;
  }

  // --- screening: terms in the unit of the blocks, which has a size in the frame of each ---

  std::size_t room() const { return columns() == 0 ? 0 : 1; }

  TOKUMEI_HOT void enter(double area, float* unit) const {
    *unit = static_cast<float>(area * blocks_.unit());
  }

  // The sums and the least terms of the leaves of a block, to a record.
  template <class V>
  TOKUMEI_HOT V add_least_screened(V sums, std::size_t block, float unit) const {
    V terms{};
    for (std::size_t j = 0; j < columns(); ++j)
      terms = terms + least_of<V>(j, leaves_without<V>(holding_[j][block]), screened_.data(),
                                  [&] { return ~leaves_without<V>(missing_[j][block]); });
    return sums + terms * unit;
  }

  template <class V>
  TOKUMEI_HOT V add_screened(V sums, std::size_t leaf, float unit) const {
    const float *line = blocks_.line(leaf), *of_slot = screened_.data();
    V terms{};
    for (std::size_t j = 0; j < columns(); ++j, line += sixteen, of_slot += 2) {
      if (mean_ != nullptr) {
        const float* counts = mean_->screened(j);
        float of_slots[sixteen];
        for (std::size_t i = 0; i < sixteen; ++i)
          of_slots[i] = counts[static_cast<std::size_t>(line[i])];
        terms = terms + (of_slot[0] - load<V>(of_slots) * of_slot[1]);
        continue;
      }
      const V slots = load<V>(line);
      const auto here = static_cast<float>(slots_[j]);
      terms = terms + (blocks_.has_missing(j) ? terms_to(slots, here, of_slot[0], of_slot[1])
                                              : where_one(~(slots == here), of_slot[1]));
    }
    return sums + terms * unit;
  }

 private:
  std::size_t columns() const { return slots_.size(); }
  double& near_term(std::size_t j) { return terms_[2 * j]; }
  double near_term(std::size_t j) const { return terms_[2 * j]; }
  double& far_term(std::size_t j) { return terms_[2 * j + 1]; }
  double far_term(std::size_t j) const { return terms_[2 * j + 1]; }
  double& base(std::size_t j) { return terms_[2 * j]; }
  double base(std::size_t j) const { return terms_[2 * j]; }

  double term(std::size_t j, CategorySlot slot) const {
    if (mean_ != nullptr) return blocks_.weights[j] * (base(j) - mean_->share(j, slot));
    return slot == slots_[j] ? 0.0 : slot == 0 ? near_term(j) : far_term(j);
  }

  // The sums and the least terms of sixteen blocks from `first` on. What no leaf holds is apart;
  // and since a record is in one leaf, so are as many columns as even the leaf that holds most
  // slots lacks, at the least terms there are.
  template <class V>
  TOKUMEI_HOT V add_least_of_blocks(const V& numbers, std::size_t first) const {
    using Bits = typename V::template Of<LeafBits>;
    V sums = numbers;
    Bits ones{}, twos{}, fours{};  // how many slots a leaf holds, digit by digit
    for (std::size_t j = 0; j < columns(); ++j) {
      sums = sums + least_of<V>(j, blocks_without<V>(holding_[j] + first), terms_.data(),
                                [&] { return ~blocks_without<V>(missing_[j] + first); });
      if (j >= most_counted) continue;
      Bits held = load<Bits>(holding_[j] + first);
      if (blocks_.has_missing(j)) held = held | load<Bits>(missing_[j] + first);
      const Bits two = ones & held;
      ones = ones ^ held;
      fours = fours | (twos & two);
      twos = twos ^ two;
    }
    if (columns() < 2) return sums;
    // Of the leaves with the largest number, digit by digit.
    const Bits four = some(fours);
    Bits leaves = fours | ~four;
    const Bits two = some(twos & leaves);
    leaves = leaves & (twos | ~two);
    const Bits one = some(ones & leaves);
    LeafBits counts[sixteen];
    store(counts, (four & LeafBits{4}) | (two & LeafBits{2}) | (one & LeafBits{1}));
    double apart[sixteen];
    for (std::size_t i = 0; i < sixteen; ++i) apart[i] = least_apart_[counts[i]];
    // Added in another order than those of records: below every rounding of either.
    return larger(sums, (numbers + load<V>(apart)) * (1.0 - 0x1p-40));
  }

  // All bits of the words that are not 0.
  template <class Bits>
  TOKUMEI_HOT static Bits some(const Bits& words) {
    return bits_as<LeafBits>(~(words == LeafBits{0}));
  }

  // What records are apart at least that hold so many of the slots.
  void sum_least() {
    const std::size_t counted = std::min(columns(), most_counted);
    double least[most_counted];
    for (std::size_t j = 0; j < counted; ++j) {
      const double term = far_term(j);
      std::size_t i = j;
      for (; i > 0 && least[i - 1] > term; --i) least[i] = least[i - 1];
      least[i] = term;
    }
    least_apart_[counted] = 0.0;
    for (std::size_t j = 0; j < counted; ++j)
      least_apart_[counted - j - 1] = least_apart_[counted - j] + least[j];
  }

  // The least terms of column j, some of them without the record's slot; with_missing() tells who
  // has missing cells.
  template <class V, class Outside, class WithMissing>
  TOKUMEI_HOT V least_of(std::size_t j, const Outside& outside, const typename V::Value* terms,
                         WithMissing&& with_missing) const {
    const auto near_one = terms[2 * j], far_one = terms[2 * j + 1];
    if (!blocks_.has_missing(j)) return where_one(outside, far_one);
    return where(outside, far_one - where_one(with_missing(), far_one - near_one));
  }

  static constexpr std::size_t most_counted = 7;

  const CategoryBlocks& blocks_;
  const CategoryCounts* mean_ = nullptr;
  std::vector<CategorySlot> slots_;
  std::vector<NodeSet> own_of_nodes_;     // sets of these slots alone
  std::vector<const LeafBits*> holding_;  // the leaves that hold them,
  std::vector<const LeafBits*> missing_;  // and those with missing cells
  std::vector<double> terms_;  // two a column: near and far of a record; the base of a mean
  double least_apart_[most_counted + 1]{};
  std::vector<float> screened_;  // two a column: near and far; or the base and a record's share
};

}  // namespace tokumei::spatial
