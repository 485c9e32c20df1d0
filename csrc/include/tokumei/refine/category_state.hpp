// The codes of the records of a state: what they add to costs and to changes of costs.
//
// A category is a corner of a simplex (records.hpp), so all there is to know are inner products:
// those of two records are the weights of the columns in which they hold the same category, and
// N(x), of a record with itself, the weights of those in which it holds one. With m(x, G) the sum
// of those of x with the members of a group G of g records, and Q that of m over the members,
//
//   a group costs                        sum of N - Q / g
//   the squared distance to its mean is  N(x) - 2 m(x, G) / g + Q / g^2.
//
// A group's costs are taken from whole counts, so records that agree cost exactly nothing. Every
// member keeps m(x, G) of its own group; members stand side by side in tiles (member_tiles.hpp), so
// eight are compared with a record at once. Nothing takes longer where there are more categories:
// slots are local to the state, and counts are made in a table of theirs and cleared again.
// O(members x columns) to look at a group, 8 bytes a record and column twice, and 8 a local
// category.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "tokumei/refine/group_cost.hpp"
#include "tokumei/runtime/instruction_sets.hpp"
#include "tokumei/runtime/records.hpp"
#include "tokumei/simd/lanes.hpp"
#include "tokumei/simd/reductions.hpp"
#include "tokumei/spatial/category_terms.hpp"

namespace tokumei::refine {

class CategoryState {
 public:
  CategoryState() = default;

  // The records of these rows, and room for members in so many places.
  CategoryState(const Records& x, const std::vector<std::size_t>& rows, std::size_t places,
                std::size_t groups)
      : columns(x.codes.columns()), weights(x.weights.begin(), x.weights.end()),
        slots_(rows.size() * columns), norms_(rows.size(), 0.0), own_(rows.size(), 0.0),
        squares_(groups, 0.0), versions_(groups, 0), tiles_(places * (columns + 1), nobody) {
    std::vector<std::int32_t> known;
    for (std::size_t j = 0; j < columns; ++j) {
      known.clear();
      for (const std::size_t row : rows) known.push_back(x.codes(row, j));
      std::sort(known.begin(), known.end());
      known.erase(std::unique(known.begin(), known.end()), known.end());
      if (known.front() < 0) known.erase(known.begin());
      for (std::size_t i = 0; i < rows.size(); ++i) {
        const std::int32_t code = x.codes(rows[i], j);
        if (code < 0) continue;
        const auto at = std::lower_bound(known.begin(), known.end(), code);
        slots_[i * columns + j] = static_cast<double>(at - known.begin() + 1);
        norms_[i] += weights[j];
      }
      starts_.push_back(counts_.size());
      counts_.resize(counts_.size() + known.size() + 1, 0.0);
    }
  }

  const double* slots(StateIndex row) const { return slots_.data() + row * columns; }
  double norm(StateIndex row) const { return norms_[row]; }
  // m of a record with its own group.
  double own(StateIndex row) const { return own_[row]; }

  // --- tiles: a line of slots for each column, and one of the members' m with their group ---

  const double* chunk(std::size_t place) const { return &tiles_[place * (columns + 1)]; }

  void set(std::size_t place, StateIndex row) {
    double* to = tile(place);
    for (std::size_t j = 0; j < columns; ++j) to[j * lane_count] = slots_[row * columns + j];
  }
  void leave(std::size_t place) {
    double* to = tile(place);
    for (std::size_t j = 0; j < columns; ++j) to[j * lane_count] = nobody;
    to[columns * lane_count] = 0.0;
  }

  // What the codes of a group cost; its members begin at a place.
  double refresh(StateIndex group, const StateIndex* members, std::size_t size, std::size_t place) {
    const double n = static_cast<double>(size);
    double cost = 0.0;
    squares_[group] = 0.0;
    versions_[group] = ++version_;
    for (std::size_t m = 0; m < size; ++m) own_[members[m]] = 0.0;
    for (std::size_t j = 0; j < columns; ++j) {
      double* counts = &counts_[starts_[j]];
      double present = 0.0, squares = 0.0;
      for (std::size_t m = 0; m < size; ++m) counts[slot(members[m], j)] += 1.0;
      for (std::size_t m = 0; m < size; ++m) {
        const std::size_t at = slot(members[m], j);
        if (at == 0) continue;
        present += 1.0;
        squares += counts[at];
        own_[members[m]] += weights[j] * counts[at];
      }
      for (std::size_t m = 0; m < size; ++m) counts[slot(members[m], j)] = 0.0;
      cost += weights[j] * (present - squares / n);
      squares_[group] += weights[j] * squares;
    }
    for (std::size_t m = 0; m < size; ++m) tile(place + m)[columns * lane_count] = own_[members[m]];
    return cost;
  }

  // The squared distance of two records.
  double apart(StateIndex a, StateIndex b) const {
    return norms_[a] + norms_[b] - 2 * shared(a, b);
  }

  // The inner product of two records.
  double shared(StateIndex a, StateIndex b) const {
    const double *x = slots(a), *y = slots(b);
    double sum = 0.0;
    for (std::size_t j = 0; j < columns; ++j)
      sum += (x[j] == y[j]) & (x[j] > 0.0) ? weights[j] : 0.0;
    return sum;
  }

  // The squared distance to the mean of a group of so many, for a record's m with it.
  double to_mean(StateIndex row, StateIndex group, double matched, double size) const {
    return norms_[row] - 2 * matched / size + squares_[group] / (size * size);
  }

  // m of a record with the members from a place on.
  template <std::size_t bytes>
  TOKUMEI_HOT double matched(StateIndex row, std::size_t place, std::size_t size) const {
    using V = Lanes<double, bytes, lane_count>;
    const double* x = slots(row);
    V sum{};
    for (std::size_t first = 0; first < size; first += lane_count)
      sum = sum + shared_with<V>(x, chunk(place + first));
    return total(sum);
  }

  // The inner products of a record and the eight members of a tile.
  template <class V>
  TOKUMEI_HOT V shared_with(const double* x, const double* tile) const {
    V sum{};
    for (std::size_t j = 0; j < columns; ++j) {
      if (!(x[j] > 0.0)) continue;
      sum = sum + where_one(load<V>(tile + j * lane_count) == x[j], weights[j]);
    }
    return sum;
  }

  // What the codes change where x of a group of a records and y of one of b change places.
  double exchanged(StateIndex x, StateIndex y, double x_with_b, double y_with_a, double a,
                   double b) const {
    const double s = 1 / a + 1 / b;
    return 2 * shared(x, y) * s - (norms_[x] + norms_[y]) * s + 2 * (own_[x] - y_with_a) / a +
           2 * (own_[y] - x_with_b) / b;
  }

  // What each different category of a group weighs: m of any record is the sum of what it holds.
  struct Held {
    std::vector<double> slots, weights;
    std::vector<std::size_t> ends;  // of each column's stretch
    StateIndex group = ~StateIndex{0};
    std::uint64_t version = 0;  // of the group when it was looked at
  };

  void find_held(StateIndex group, const StateIndex* members, std::size_t size, Held& held) const {
    if (held.group == group && held.version == versions_[group]) return;
    held.group = group;
    held.version = versions_[group];
    held.slots.clear();
    held.weights.clear();
    held.ends.clear();
    for (std::size_t j = 0; j < columns; ++j) {
      double* counts = &counts_[starts_[j]];
      const std::size_t first = held.slots.size();
      for (std::size_t m = 0; m < size; ++m) {
        const std::size_t at = slot(members[m], j);
        if (at == 0) continue;
        if (counts[at] == 0.0) held.slots.push_back(static_cast<double>(at));
        counts[at] += 1.0;
      }
      for (std::size_t i = first; i < held.slots.size(); ++i) {
        double& count = counts[static_cast<std::size_t>(held.slots[i])];
        held.weights.push_back(weights[j] * count);
        count = 0.0;
      }
      held.ends.push_back(held.slots.size());
    }
  }

  // The slot that most members hold, of each column; of equal ones the one met first.
  void find_usual(const StateIndex* members, std::size_t size, double* usual) const {
    for (std::size_t j = 0; j < columns; ++j) {
      double* counts = &counts_[starts_[j]];
      for (std::size_t m = 0; m < size; ++m) counts[slot(members[m], j)] += 1.0;
      std::size_t best = slot(members[0], j);
      for (std::size_t m = 1; m < size; ++m)
        if (counts[slot(members[m], j)] > counts[best]) best = slot(members[m], j);
      for (std::size_t m = 0; m < size; ++m) counts[slot(members[m], j)] = 0.0;
      usual[j] = static_cast<double>(best);
    }
  }

  // m of the eight members of a tile with the group that holds all that.
  template <class V>
  TOKUMEI_HOT V matched_with(const Held& held, const double* tile) const {
    using Bits = typename V::template Of<std::int64_t>;
    V sum{};
    for (std::size_t j = 0, i = 0; j < columns; ++j) {
      const V here = load<V>(tile + j * lane_count);
      Bits weight{};  // of the one that is met, if one is
      for (; i < held.ends[j]; ++i)
        weight = weight | bits_as<std::int64_t>(where_one(here == held.slots[i], held.weights[i]));
      sum = sum + bits_as<double>(weight);
    }
    return sum;
  }

  std::size_t columns = 0;
  std::vector<double> weights;

 private:
  static constexpr double nobody = -1.0;

  std::size_t slot(StateIndex row, std::size_t j) const {
    return static_cast<std::size_t>(slots_[row * columns + j]);
  }
  double* tile(std::size_t place) {
    return &tiles_[place / lane_count * lane_count * (columns + 1) + place % lane_count];
  }

  std::vector<double> slots_, norms_, own_;
  std::vector<double> squares_;  // Q of each group
  std::vector<std::uint64_t> versions_;
  std::uint64_t version_ = 0;
  std::vector<double> tiles_;
  std::vector<std::size_t> starts_;
  mutable std::vector<double> counts_;  // all zero between two calls
};

}  // namespace tokumei::refine
