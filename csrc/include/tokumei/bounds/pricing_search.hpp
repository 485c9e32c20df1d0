// The search of pricing.hpp: the columns of negative reduced cost that grow from one record and a
// higher row.
//
// A node of the walk is a set of m' < m records, root first, with the records that may still join
// ("candidates") and the sums of their squared distances to the set. Candidates that no column of
// negative reduced cost of this size can hold beside the set are dropped for all its descendants.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "tokumei/bounds/column_pool.hpp"
#include "tokumei/bounds/completion_bound.hpp"
#include "tokumei/bounds/distance_rows.hpp"
#include "tokumei/bounds/pricing_index.hpp"
#include "tokumei/bounds/subset_rows.hpp"
#include "tokumei/runtime/instruction_sets.hpp"
#include "tokumei/runtime/views.hpp"

namespace tokumei::bounds {

class PricingSearch {
 public:
  // Borrows all of it; `raised` are the dual values without ties.
  PricingSearch(Table<double> x, Column<double> duals, Column<double> raised,
                const PricingIndex& index, const SubsetRows& subsets, std::size_t k, double margin,
                std::size_t steps, std::size_t kept, InstructionSet isa)
      : x_(x), duals_(duals), raised_(raised), index_(index), toll_(subsets), k_(k),
        margin_(margin), steps_(steps), isa_(isa), nodes_(2 * k), book_(kept) {}

  // Adds the best columns of negative reduced cost to `found` and what all of them ask for to
  // `corrections`.
  template <class Pause>
  void from(std::size_t root, std::vector<NegativeColumn>& found,
            std::vector<DualCorrection>& corrections, Pause&& pause) {
    pause();
    double unfinished = 0.0;
    toll_.add(root);
    for (size_ = std::max<std::size_t>(k_, 2); size_ <= std::min(2 * k_ - 1, x_.rows()); ++size_) {
      const double gain = gather(root);
      if (!(gain > margin_)) continue;
      left_ = steps_;
      if (!grow(1, {0.0, duals_[root], raised_[root], 0.0, 0.0}, pause))
        unfinished = std::max(unfinished, gain);
    }
    toll_.take(root);
    book_.close(found, corrections);
    if (unfinished > 0) corrections.push_back({root, unfinished, true});
  }

 private:
  struct Node {
    std::vector<std::uint32_t> who;
    std::vector<double> sums, duals, near;
    std::vector<double> weights;  // of each record of the set, with the others

    void resize(std::size_t count) {
      who.resize(count);
      sums.resize(count);
      duals.resize(count);
      near.resize(count);
    }
  };

  // Sums over a set of records.
  struct Totals {
    double pairs;   // squared distances
    double dual;    // dual values
    double raised;  // raised dual values
    double weight;  // weights of pairs
    double toll;    // of subset rows
  };

  double by_size() const { return 1.0 / static_cast<double>(size_); }
  double by_others() const { return 1.0 / static_cast<double>(size_ - 1); }

  // Finds who may be in a column of negative reduced cost of `size_` records with the root, which
  // becomes local record 0. Returns more than any such column of negative reduced cost gains, or
  // what is below the margin.
  double gather(std::size_t root) {
    index_.bound(root, size_, candidates_, isa_);
    const double gain = -candidates_.least;
    if (!(gain > margin_)) return 0.0;
    index_.gather(root, size_, gain + candidates_.last + margin_, candidates_, isa_);
    rows_.assign(1, root);
    rows_.insert(rows_.end(), candidates_.rows.begin(), candidates_.rows.end());
    among_.choose(x_, rows_);
    const auto& distances = among_.from(0, isa_);
    bool pairs = false;
    for (std::size_t i = 1; i < rows_.size() && !pairs; ++i)
      pairs =
          rows_[i] > root && pair_weight(distances[i], raised_[root], raised_[rows_[i]]) < margin_;
    if (!pairs) return 0.0;
    Node& node = nodes_[1];
    node.resize(rows_.size() - 1);
    node.weights.assign(1, 0.0);
    for (std::size_t i = 1; i < rows_.size(); ++i) {
      node.who[i - 1] = static_cast<std::uint32_t>(i);
      node.sums[i - 1] = distances[i];
      node.duals[i - 1] = duals_[rows_[i]];
    }
    members_.assign(1, 0);
    return gain + margin_;
  }

  double pair_weight(double distance, double a, double b) const {
    return distance * by_size() - (a + b) * by_others();
  }

  // Drops the candidates of a node that cannot be in a column of negative reduced cost with its
  // set. Returns how many stay.
  std::size_t filter(Node& node, std::size_t in_set, const Totals& totals) {
    const std::size_t count = node.who.size(), wanted = size_ - in_set;
    shares_.resize(std::max(shares_.size(), count));
    for (std::size_t i = 0; i < count; ++i)
      node.near[i] = index_.half_least(rows_[node.who[i]], wanted - 1, size_);
    const double set = static_cast<double>(in_set);
    dispatch<CompletionBound>(isa_, static_cast<const double*>(node.sums.data()),
                              static_cast<const double*>(node.near.data()),
                              static_cast<const double*>(node.duals.data()), by_size(),
                              set * by_others(), count, shares_.data());
    if (!toll_.none())
      for (std::size_t i = 0; i < count; ++i) shares_[i] += toll_.part(rows_[node.who[i]], wanted);
    // What the set weighs, and its dual values in its pairs with those wanted.
    const double base = totals.pairs * by_size() + totals.toll -
                        (set - 1 + static_cast<double>(wanted)) * totals.dual * by_others();
    const Least best = least_of(shares_.data(), count, wanted, least_);
    if (!(base + best.sum < -margin_)) return 0;
    const double limit = best.last - margin_ - base - best.sum;
    std::size_t stay = 0;
    for (std::size_t i = 0; i < count; ++i) {
      if (!(shares_[i] < limit)) continue;
      node.who[stay] = node.who[i];
      node.sums[stay] = node.sums[i];
      node.duals[stay] = node.duals[i];
      ++stay;
    }
    node.resize(stay);
    return stay;
  }

  // The weight of a candidate with the set of a node.
  double weight_of(const Node& node, std::size_t candidate, std::size_t in_set,
                   const Totals& totals) const {
    const double own = raised_[rows_[node.who[candidate]]];
    return node.sums[candidate] * by_size() -
           (static_cast<double>(in_set) * own + totals.raised) * by_others();
  }

  // Whether a candidate, of that weight with the set, may join: the set stays below 0, and of its
  // records the candidate would be the one to take away (of a pair, the higher row).
  bool joins(const Node& node, std::uint32_t who, double weight, const Totals& totals) const {
    if (!(totals.weight + weight < margin_)) return false;
    if (members_.size() == 1) return rows_[who] > rows_[0];
    for (std::size_t u = 0; u < members_.size(); ++u) {
      const double with = pair_weight(among_.between(members_[u], who), raised_[rows_[members_[u]]],
                                      raised_[rows_[who]]);
      if (node.weights[u] + with > weight + margin_) return false;
    }
    return true;
  }

  // Negative columns that hold the set of a node. False if there were too many steps.
  template <class Pause>
  bool grow(std::size_t in_set, const Totals& totals, Pause&& pause) {
    if (left_ == 0) return false;
    if (--left_ % 256 == 0) pause();
    Node& node = nodes_[in_set];
    among_.from(members_.back(), isa_);
    if (in_set + 1 == size_) {
      finish(node, totals.pairs * by_size() + totals.toll - totals.dual, totals);
      return true;
    }
    if (filter(node, in_set, totals) == 0) return true;
    for (std::size_t i = 0; i < node.who.size(); ++i) {
      const std::uint32_t who = node.who[i];
      const double weight = weight_of(node, i, in_set, totals);
      if (!joins(node, who, weight, totals)) continue;
      add(node, nodes_[in_set + 1], i, weight);
      const double toll = totals.toll + toll_.rise(rows_[who]);
      members_.push_back(who);
      toll_.add(rows_[who]);
      const bool done = grow(in_set + 1,
                             {totals.pairs + node.sums[i], totals.dual + node.duals[i],
                              totals.raised + raised_[rows_[who]], totals.weight + weight, toll},
                             pause);
      toll_.take(rows_[who]);
      members_.pop_back();
      if (!done) return false;
    }
    return true;
  }

  // The node of a set and one candidate more.
  void add(const Node& node, Node& next, std::size_t candidate, double weight) {
    const std::uint32_t who = node.who[candidate];
    const auto& row = among_.from(who, isa_);
    next.weights.resize(members_.size() + 1);
    for (std::size_t u = 0; u < members_.size(); ++u)
      next.weights[u] = node.weights[u] + pair_weight(row[members_[u]], raised_[rows_[members_[u]]],
                                                      raised_[rows_[who]]);
    next.weights[members_.size()] = weight;
    next.resize(node.who.size() - 1);
    for (std::size_t from = 0, to = 0; from < node.who.size(); ++from) {
      if (from == candidate) continue;
      next.who[to] = node.who[from];
      next.duals[to] = node.duals[from];
      next.sums[to] = node.sums[from] + row[node.who[from]];
      ++to;
    }
  }

  // One record is wanting.
  void finish(const Node& node, double base, const Totals& totals) {
    for (std::size_t i = 0; i < node.who.size(); ++i) {
      double reduced = base + node.sums[i] * by_size() - node.duals[i];
      if (!(reduced < -margin_)) continue;
      reduced += toll_.rise(rows_[node.who[i]]);
      if (reduced < -margin_ &&
          joins(node, node.who[i], weight_of(node, i, size_ - 1, totals), totals))
        report(node.who[i], -reduced);
    }
  }

  void report(std::uint32_t last, double gain) {
    NegativeColumn negative_column{gain, {rows_[last]}};
    for (const std::uint32_t member : members_) negative_column.rows.push_back(rows_[member]);
    book_.enter(std::move(negative_column));
  }

  Table<double> x_;
  Column<double> duals_, raised_;
  const PricingIndex& index_;
  Toll toll_;
  std::size_t k_;
  double margin_;
  std::size_t steps_;
  InstructionSet isa_;
  PricingIndex::Candidates candidates_;
  std::vector<double> shares_, least_;
  std::size_t size_ = 0, left_ = 0;
  std::vector<std::size_t> rows_;  // of the local records
  DistanceRows among_;
  std::vector<std::uint32_t> members_;
  std::vector<Node> nodes_;
  ColumnPool book_;
};

}  // namespace tokumei::bounds
