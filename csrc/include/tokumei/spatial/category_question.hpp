// What is asked of the columns of codes: how far records are from a record, or from a mean.
//
// A record's term is 0 where slots are the same, the weight where one is missing, else twice the
// weight; a mean's is weight (1 + S / n^2 - share), see records.hpp. Bounds are in double
// precision, screening in float32, with terms at the scale of a block.
#pragma once

#include <bit>
#include <cstddef>
#include <vector>

#include "tokumei/runtime/instruction_sets.hpp"
#include "tokumei/simd/lanes.hpp"
#include "tokumei/spatial/bounding_box_tree.hpp"
#include "tokumei/spatial/category_blocks.hpp"
#include "tokumei/spatial/category_counts.hpp"
#include "tokumei/spatial/category_terms.hpp"

namespace tokumei::spatial {

class CategoryQuestion {
 public:
  // Borrows the blocks.
  explicit CategoryQuestion(const CategoryBlocks& blocks)
      : blocks_(blocks), slots_(blocks.columns), own_of_nodes_(blocks.columns),
        own_of_leaves_(2 * blocks.columns), terms_(2 * blocks.columns) {}

  void ask(const CategorySlot* record) {
    mean_ = nullptr;
    for (std::size_t j = 0; j < columns(); ++j) {
      slots_[j] = record[j];
      own_of_nodes_[j] = set_of<NodeSet>(record[j]);
      own_of_leaves_[2 * j] = bit_of(set_of<LeafSet>(record[j]));
      own_of_leaves_[2 * j + 1] = bit_of(quotient_set_of(record[j]));
      near_term(j) = blocks_.weights[j];
      far_term(j) = record[j] == 0 ? blocks_.weights[j] : 2.0 * blocks_.weights[j];
    }
  }

  // Borrows the mean until something else is asked.
  void ask(const CategoryCounts& mean) {
    mean_ = &mean;
    for (std::size_t j = 0; j < columns(); ++j) base(j) = mean.base(j);
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
  TOKUMEI_HOT V add_least(V sums, const NodeSet* sets) const {
    using Sets = typename V::template Of<NodeSet>;
    for (std::size_t j = 0; j < columns(); ++j, sets += sixteen) {
      const Sets here = load<Sets>(sets);
      const auto outside = (here & own_of_nodes_[j]) == NodeSet{0};
      sums = sums + least_of(j, here, outside, terms_.data());
    }
    return sums;
  }

  // The sums and the greatest terms of sixteen nodes.
  template <class V>
  TOKUMEI_HOT V add_greatest(V sums, const NodeSet* sets) const {
    using Sets = typename V::template Of<NodeSet>;
    for (std::size_t j = 0; j < columns(); ++j, sets += sixteen) {
      const bool exact = blocks_.tells_all<NodeSet>(j);
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

  // --- screening: `terms` are two numbers a column at the scale of a block ---

  std::size_t room() const { return terms_.size(); }

  TOKUMEI_HOT void enter(double area, float* terms) const {
    for (std::size_t j = 0; j < columns(); ++j) {
      const double unit = blocks_.weights[j] * area;
      terms[2 * j] = static_cast<float>(mean_ != nullptr ? unit * base(j) : near_term(j) * area);
      terms[2 * j + 1] =
          static_cast<float>(mean_ != nullptr ? 2.0 * unit / mean_->size() : far_term(j) * area);
    }
  }

  template <class V>
  TOKUMEI_HOT V add_least_screened(V sums, std::size_t block, const float* terms) const {
    using Sets = typename V::template Of<LeafSet>;
    const LeafSet* sets = blocks_.leaf_sets(block);
    for (std::size_t j = 0; j < columns(); ++j) {
      const Sets here = load<Sets>(sets);
      Sets both = here >> own_of_leaves_[2 * j];
      // Bits are brought together before they are asked for: a compiler takes masks apart.
      if (blocks_.words(j) == 2)
        both = both & (load<Sets>(sets + sixteen) >> own_of_leaves_[2 * j + 1]);
      sets += blocks_.words(j) * sixteen;
      sums = sums + least_of(j, here, (both & LeafSet{1}) == LeafSet{0}, terms);
    }
    return sums;
  }

  template <class V>
  TOKUMEI_HOT V add_screened(V sums, std::size_t leaf, const float* terms) const {
    const float* line = blocks_.line(leaf);
    for (std::size_t j = 0; j < columns(); ++j, line += sixteen) {
      if (mean_ != nullptr) {
        const float* counts = mean_->screened(j);
        float of_slots[sixteen];
        for (std::size_t i = 0; i < sixteen; ++i)
          of_slots[i] = counts[static_cast<std::size_t>(line[i])];
        sums = sums + (terms[2 * j] - load<V>(of_slots) * terms[2 * j + 1]);
        continue;
      }
      const V slots = load<V>(line);
      const auto here = static_cast<float>(slots_[j]);
      sums = sums + (blocks_.has_missing(j) ? terms_to(slots, here, terms[2 * j], terms[2 * j + 1])
                                            : where_one(~(slots == here), terms[2 * j + 1]));
    }
    return sums;
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

  static LeafSet bit_of(LeafSet set) { return static_cast<LeafSet>(std::countr_zero(set)); }

  // The least terms of column j where sets are as here, some of them without the record's slot.
  template <class Sets, class Outside, class Real>
  TOKUMEI_HOT auto least_of(std::size_t j, const Sets& here, const Outside& outside,
                            const Real* terms) const {
    using Set = typename Sets::Value;
    const Real near_one = terms[2 * j], far_one = terms[2 * j + 1];
    if (!blocks_.has_missing(j)) return where_one(outside, far_one);
    const auto missing = where_one((here & Set{1}) == Set{1}, far_one - near_one);
    return where(outside, far_one - missing);
  }

  const CategoryBlocks& blocks_;
  const CategoryCounts* mean_ = nullptr;
  std::vector<CategorySlot> slots_;
  std::vector<NodeSet> own_of_nodes_;   // sets of these slots alone
  std::vector<LeafSet> own_of_leaves_;  // the places of their bits in two words a column
  std::vector<double> terms_;  // two a column: near and far of a record; the base of a mean
};

}  // namespace tokumei::spatial
