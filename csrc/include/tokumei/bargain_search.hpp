// The search of pricing.hpp: the bargains that grow from one record and a higher row.
//
// A node of the walk is a set of m' < m records, root first, with the records that may still join
// ("candidates") and the sums of their squared distances to the set. Candidates that no bargain of
// this size can hold beside the set are dropped for all its descendants.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "tokumei/distance.hpp"
#include "tokumei/instructions.hpp"
#include "tokumei/views.hpp"

namespace tokumei {

// A group that costs less than its records' prices, and by how much; rows ascending.
struct Bargain {
  double gain = 0.0;
  std::vector<std::size_t> rows;
};

// What the price of a row must fall by: at least so much, or so much on top of all that.
struct Relief {
  std::size_t row;
  double amount;
  bool on_top;
};

namespace detail {

// More than all rounding errors of a comparison: of a few thousand operations on terms that add up
// to the prices of a group.
inline double pricing_margin(std::size_t columns, std::size_t k, Column<double> prices) {
  double largest = 0.0;
  for (const double price : prices) largest = std::max(largest, std::abs(price));
  const double size = static_cast<double>(2 * k);
  const double operations = 4 * (static_cast<double>(columns) + size * size + 16);
  return operations * size * largest * std::numeric_limits<double>::epsilon();
}

// out[i] = (sums[i] + near[i]) / m - prices[i]: the least a candidate adds to a group of size m.
struct LeastShares {
  TOKUMEI_HOT static void run(const double* sums, const double* near, const double* prices,
                              double by_size, std::size_t count, double* out) {
    for (std::size_t i = 0; i < count; ++i) out[i] = (sums[i] + near[i]) * by_size - prices[i];
  }
};

// out[i] = a[i] + b[i].
struct Sums {
  TOKUMEI_HOT static void run(const double* a, const double* b, std::size_t count, double* out) {
    for (std::size_t i = 0; i < count; ++i) out[i] = a[i] + b[i];
  }
};

class BargainSearch {
 public:
  // Borrows all of it; `raised` are the prices without ties.
  BargainSearch(Table<double> x, Table<double> near, Column<double> prices, Column<double> raised,
                std::size_t k, double margin, std::size_t steps, std::size_t kept, Level level)
      : x_(x), near_(near), prices_(prices), raised_(raised), k_(k), margin_(margin), steps_(steps),
        kept_(kept), level_(level), point_(x.columns()), distances_(x.rows()), shares_(x.rows()),
        nodes_(2 * k), relief_(x.rows()) {
    for (std::size_t j = 0; j < x.columns(); ++j) columns_.push_back(x.column(j).data());
  }

  // Adds the best bargains to `found` and what all of them ask for to `reliefs`.
  template <class Pause>
  void from(std::size_t root, std::vector<Bargain>& found, std::vector<Relief>& reliefs,
            Pause&& pause) {
    pause();
    for (std::size_t j = 0; j < point_.size(); ++j) point_[j] = columns_[j][root];
    dispatch<SquaredDistances>(level_, static_cast<const double* const*>(columns_.data()),
                               std::size_t{0}, x_.rows(), columns_.size(),
                               static_cast<const double*>(point_.data()), distances_.data());
    distances_[root] = std::numeric_limits<double>::infinity();
    best_.clear();
    double unfinished = 0.0;
    for (size_ = k_; size_ <= std::min(2 * k_ - 1, x_.rows()); ++size_) {
      const double gain = gather(root);
      if (!(gain > margin_)) continue;
      left_ = steps_;
      if (!grow(1, {0.0, prices_[root], raised_[root], 0.0}, pause))
        unfinished = std::max(unfinished, gain);
    }
    for (const std::size_t row : relieved_) {
      reliefs.push_back({row, relief_[row], false});
      relief_[row] = 0.0;
    }
    relieved_.clear();
    if (unfinished > 0) reliefs.push_back({root, unfinished, true});
    found.insert(found.end(), best_.begin(), best_.end());
  }

 private:
  struct Node {
    std::vector<std::uint32_t> who;
    std::vector<double> sums, prices, near;
    std::vector<double> weights;  // of each record of the set, with the others

    void resize(std::size_t count) {
      who.resize(count);
      sums.resize(count);
      prices.resize(count);
      near.resize(count);
    }
  };

  // Sums over a set of records.
  struct Totals {
    double pairs;   // squared distances
    double price;   // prices
    double raised;  // raised prices
    double weight;  // weights of pairs
  };

  // The sum of the `count` least of some values, and the largest of those.
  struct Least {
    double sum = 0.0;
    double last = std::numeric_limits<double>::infinity();
  };
  Least least(const double* values, std::size_t size, std::size_t count) {
    if (size < count) return {std::numeric_limits<double>::infinity(), 0.0};
    least_.assign(values, values + count);
    std::sort(least_.begin(), least_.end());
    for (std::size_t i = count; i < size; ++i) {
      if (!(values[i] < least_.back())) continue;
      std::size_t at = count - 1;
      for (; at > 0 && values[i] < least_[at - 1]; --at) least_[at] = least_[at - 1];
      least_[at] = values[i];
    }
    Least result{0.0, least_.back()};
    for (const double value : least_) result.sum += value;
    return result;
  }

  double by_size() const { return 1.0 / static_cast<double>(size_); }
  double by_others() const { return 1.0 / static_cast<double>(size_ - 1); }

  // Finds who may be in a bargain of `size_` records with the root, which becomes local record 0.
  // Returns more than any such bargain gains, or what is below the margin.
  double gather(std::size_t root) {
    const std::size_t n = x_.rows();
    dispatch<LeastShares>(level_, static_cast<const double*>(distances_.data()),
                          near_.column(size_ - 2).data(), prices_.data(), by_size(), n,
                          shares_.data());
    const Least best = least(shares_.data(), n, size_ - 1);
    const double gain = prices_[root] - best.sum;
    if (!(gain > margin_)) return 0.0;
    rows_.assign(1, root);
    Node& node = nodes_[1];
    node.resize(0);
    const double limit = gain + best.last - margin_;
    bool pairs = false;
    for (std::size_t row = 0; row < n; ++row) {
      if (!(shares_[row] <= best.last || shares_[row] < limit)) continue;
      if (row == root) continue;
      rows_.push_back(row);
      pairs |= row > root && pair_weight(distances_[row], raised_[root], raised_[row]) < margin_;
    }
    if (!pairs) return 0.0;
    const std::size_t count = rows_.size();
    local_.resize(columns_.size() * count);
    local_columns_.resize(columns_.size());
    for (std::size_t j = 0; j < columns_.size(); ++j) {
      local_columns_[j] = &local_[j * count];
      for (std::size_t i = 0; i < count; ++i) local_[j * count + i] = columns_[j][rows_[i]];
    }
    between_.assign(count, {});
    node.resize(count - 1);
    node.weights.assign(1, 0.0);
    for (std::size_t i = 1; i < count; ++i) {
      node.who[i - 1] = static_cast<std::uint32_t>(i);
      node.sums[i - 1] = distances_[rows_[i]];
      node.prices[i - 1] = prices_[rows_[i]];
    }
    members_.assign(1, 0);
    return gain + margin_;
  }

  double pair_weight(double distance, double a, double b) const {
    return distance * by_size() - (a + b) * by_others();
  }

  // Squared distances between one local record and all.
  const std::vector<double>& from_local(std::uint32_t i) {
    auto& row = between_[i];
    if (row.empty()) {
      row.resize(rows_.size());
      for (std::size_t j = 0; j < point_.size(); ++j) point_[j] = local_columns_[j][i];
      dispatch<SquaredDistances>(level_, static_cast<const double* const*>(local_columns_.data()),
                                 std::size_t{0}, rows_.size(), columns_.size(),
                                 static_cast<const double*>(point_.data()), row.data());
    }
    return row;
  }

  // Drops the candidates of a node that cannot be in a bargain with its set. Returns how many stay.
  std::size_t filter(Node& node, std::size_t in_set, double base) {
    const std::size_t count = node.who.size(), wanted = size_ - in_set;
    const double* near = near_.column(wanted - 1).data();
    for (std::size_t i = 0; i < count; ++i) node.near[i] = near[rows_[node.who[i]]];
    dispatch<LeastShares>(level_, static_cast<const double*>(node.sums.data()),
                          static_cast<const double*>(node.near.data()),
                          static_cast<const double*>(node.prices.data()), by_size(), count,
                          shares_.data());
    const Least best = least(shares_.data(), count, wanted);
    if (!(base + best.sum < -margin_)) return 0;
    const double limit = best.last - margin_ - base - best.sum;
    std::size_t stay = 0;
    for (std::size_t i = 0; i < count; ++i) {
      if (!(shares_[i] < limit)) continue;
      node.who[stay] = node.who[i];
      node.sums[stay] = node.sums[i];
      node.prices[stay] = node.prices[i];
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
      const double with =
          pair_weight(between_[members_[u]][who], raised_[rows_[members_[u]]], raised_[rows_[who]]);
      if (node.weights[u] + with > weight + margin_) return false;
    }
    return true;
  }

  // Bargains that hold the set of a node. False if there were too many steps.
  template <class Pause>
  bool grow(std::size_t in_set, const Totals& totals, Pause&& pause) {
    if (left_ == 0) return false;
    if (--left_ % 256 == 0) pause();
    Node& node = nodes_[in_set];
    const double base = totals.pairs * by_size() - totals.price;
    from_local(members_.back());
    if (in_set + 1 == size_) {
      finish(node, base, totals);
      return true;
    }
    if (filter(node, in_set, base) == 0) return true;
    for (std::size_t i = 0; i < node.who.size(); ++i) {
      const std::uint32_t who = node.who[i];
      const double weight = weight_of(node, i, in_set, totals);
      if (!joins(node, who, weight, totals)) continue;
      add(node, nodes_[in_set + 1], i, weight);
      members_.push_back(who);
      const bool done = grow(in_set + 1,
                             {totals.pairs + node.sums[i], totals.price + node.prices[i],
                              totals.raised + raised_[rows_[who]], totals.weight + weight},
                             pause);
      members_.pop_back();
      if (!done) return false;
    }
    return true;
  }

  // The node of a set and one candidate more.
  void add(const Node& node, Node& next, std::size_t candidate, double weight) {
    const std::uint32_t who = node.who[candidate];
    const auto& row = from_local(who);
    next.weights.resize(members_.size() + 1);
    for (std::size_t u = 0; u < members_.size(); ++u)
      next.weights[u] = node.weights[u] + pair_weight(row[members_[u]], raised_[rows_[members_[u]]],
                                                      raised_[rows_[who]]);
    next.weights[members_.size()] = weight;
    next.resize(node.who.size() - 1);
    for (std::size_t from = 0, to = 0; from < node.who.size(); ++from) {
      if (from == candidate) continue;
      next.who[to] = node.who[from];
      next.prices[to] = node.prices[from];
      next.sums[to] = node.sums[from] + row[node.who[from]];
      ++to;
    }
  }

  // One record is wanting.
  void finish(const Node& node, double base, const Totals& totals) {
    for (std::size_t i = 0; i < node.who.size(); ++i) {
      const double reduced = base + node.sums[i] * by_size() - node.prices[i];
      if (reduced < -margin_ &&
          joins(node, node.who[i], weight_of(node, i, size_ - 1, totals), totals))
        report(node.who[i], -reduced);
    }
  }

  void report(std::uint32_t last, double gain) {
    const double part = gain / static_cast<double>(size_);
    for (const std::uint32_t member : members_) relieve(rows_[member], part);
    relieve(rows_[last], part);
    if (best_.size() == kept_ && !(gain > best_.back().gain)) return;
    Bargain bargain{gain, {rows_[last]}};
    for (const std::uint32_t member : members_) bargain.rows.push_back(rows_[member]);
    std::sort(bargain.rows.begin(), bargain.rows.end());
    if (best_.size() == kept_) best_.pop_back();
    const auto place =
        std::upper_bound(best_.begin(), best_.end(), bargain,
                         [](const Bargain& a, const Bargain& b) { return a.gain > b.gain; });
    best_.insert(place, std::move(bargain));
  }

  void relieve(std::size_t row, double amount) {
    if (relief_[row] == 0.0) relieved_.push_back(row);
    relief_[row] = std::max(relief_[row], amount);
  }

  Table<double> x_, near_;
  Column<double> prices_, raised_;
  std::size_t k_;
  double margin_;
  std::size_t steps_, kept_;
  Level level_;
  std::vector<const double*> columns_;
  std::vector<double> point_, distances_, shares_, least_;
  std::size_t size_ = 0, left_ = 0;
  std::vector<std::size_t> rows_;  // of the local records
  std::vector<double> local_;
  std::vector<const double*> local_columns_;
  std::vector<std::vector<double>> between_;
  std::vector<std::uint32_t> members_;
  std::vector<Node> nodes_;
  std::vector<Bargain> best_;
  std::vector<double> relief_;
  std::vector<std::size_t> relieved_;
};

}  // namespace detail

}  // namespace tokumei
