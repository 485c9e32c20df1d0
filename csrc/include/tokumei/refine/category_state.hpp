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
// eight are compared with a record at once. A category is a place in a table of this state, and
// counts are made there and cleared again: nothing takes longer where there are more categories.
// A group whose members change has a new version; undoing brings the old one back with all that was
// known of it. O(members x columns) to look at a group; 28 bytes a record and column, and 8 a
// local category.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
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

  // The records of these rows, and room for members in so many places; weights as the cost has
  // them.
  CategoryState(const Records& x, const std::vector<std::size_t>& rows, std::size_t places,
                std::size_t groups, std::vector<double> of_columns)
      : columns(x.codes.columns()), weights(std::move(of_columns)),
        weights_of_squares(x.weights.begin(), x.weights.end()), keys_(rows.size() * columns, none),
        places_(keys_.size()), norms_(rows.size(), 0.0), own_(rows.size(), 0.0),
        squares_(groups, 0.0), versions_(groups, 0), tiles_(places * (columns + 1), none),
        place_tiles_(places * columns, 0) {
    std::vector<std::int32_t> known;
    for (std::size_t j = 0; j < columns; ++j) {
      known.clear();
      for (const std::size_t row : rows) known.push_back(x.codes(row, j));
      std::sort(known.begin(), known.end());
      known.erase(std::unique(known.begin(), known.end()), known.end());
      if (known.front() < 0) known.erase(known.begin());
      for (std::size_t i = 0; i < rows.size(); ++i) {
        const std::int32_t code = x.codes(rows[i], j);
        places_[i * columns + j] = static_cast<StateIndex>(starts_.back());
        if (code < 0) continue;
        const auto slot = std::lower_bound(known.begin(), known.end(), code) - known.begin() + 1;
        keys_[i * columns + j] = static_cast<double>(slot);
        places_[i * columns + j] += static_cast<StateIndex>(slot);
        norms_[i] += weights[j];
      }
      starts_.push_back(starts_.back() + known.size() + 1);
    }
    counts_.resize(starts_.back(), 0.0);
  }

  // The slots of a record; NaN, which is none, where a cell is missing.
  const double* keys(StateIndex row) const { return keys_.data() + row * columns; }
  // The places of its categories in a table of all; a missing cell's is the first of its column.
  const StateIndex* places(StateIndex row) const { return places_.data() + row * columns; }
  std::size_t first_place(std::size_t j) const { return starts_[j]; }
  std::size_t all_places() const { return starts_.back(); }
  double norm(StateIndex row) const { return norms_[row]; }
  // m of a record with its own group.
  double own(StateIndex row) const { return own_[row]; }
  std::uint64_t version(StateIndex group) const { return versions_[group]; }

  // --- tiles: a line of slots for each column, and one of the members' m with their group ---

  const double* chunk(std::size_t place) const { return &tiles_[place * (columns + 1)]; }
  // Likewise a line of the categories' places for each column, 0 where there is no member.
  const StateIndex* places_of_tile(std::size_t place) const {
    return &place_tiles_[place * columns];
  }

  void set(std::size_t place, StateIndex row, StateIndex group) {
    versions_[group] = ++version_;
    double* keys = tile(place);
    StateIndex* places = place_tile(place);
    const std::size_t from = row * columns;
    for (std::size_t j = 0; j < columns; ++j) {
      keys[j * lane_count] = keys_[from + j];
      places[j * lane_count] = places_[from + j];
    }
  }
  void leave(std::size_t place, StateIndex group) {
    versions_[group] = ++version_;
    double* keys = tile(place);
    StateIndex* places = place_tile(place);
    for (std::size_t j = 0; j < columns; ++j) {
      keys[j * lane_count] = none;
      places[j * lane_count] = 0;
    }
    keys[columns * lane_count] = 0.0;
  }

  // What the codes of a group cost; its members begin at a place. Counts are whole numbers: either
  // way of counting gives the same bits.
  template <std::size_t bytes>
  TOKUMEI_HOT double refresh(StateIndex group, const StateIndex* members, std::size_t size,
                             std::size_t place) {
    return size <= few ? by_pairs<bytes>(group, members, size, place)
                       : by_counts(group, members, size, place);
  }

  // --- what is known of a group, kept and brought back in the order in which it was kept ---

  void begin() {
    kept_.clear();
    kept_own_.clear();
  }
  void keep(StateIndex group, const StateIndex* members, std::size_t size) {
    kept_.push_back({squares_[group], versions_[group]});
    for (std::size_t m = 0; m < size; ++m) kept_own_.push_back(own_[members[m]]);
  }
  void begin_to_bring_back() { next_ = next_own_ = 0; }
  void bring_back(StateIndex group, const StateIndex* members, std::size_t size,
                  std::size_t place) {
    squares_[group] = kept_[next_].squares;
    versions_[group] = kept_[next_++].version;
    for (std::size_t m = 0; m < size; ++m) {
      own_[members[m]] = kept_own_[next_own_++];
      tile(place + m)[columns * lane_count] = own_[members[m]];
    }
  }

  // --- distances and changes ---

  // The squared distance of two records.
  double apart(StateIndex a, StateIndex b) const {
    return norms_[a] + norms_[b] - 2 * shared(a, b);
  }

  // The inner product of two records.
  double shared(StateIndex a, StateIndex b) const {
    const double *x = keys(a), *y = keys(b);
    double sum = 0.0;
    for (std::size_t j = 0; j < columns; ++j) sum += x[j] == y[j] ? weights[j] : 0.0;
    return sum;
  }

  // The squared distance to the mean of a group of so many, for a record's m with it.
  TOKUMEI_HOT double to_mean(StateIndex row, StateIndex group, double matched, double size) const {
    const double share = 1 / size;
    return norms_[row] - 2 * matched * share + squares_[group] * share * share;
  }

  // m of a record with the members from a place on.
  template <std::size_t bytes>
  TOKUMEI_HOT double matched(StateIndex row, std::size_t place, std::size_t size) const {
    using V = Lanes<double, bytes, lane_count>;
    const double* x = keys(row);
    V sum{};
    for (std::size_t first = 0; first < size; first += lane_count)
      sum = sum + shared_with<V>(x, chunk(place + first));
    return total(sum);
  }

  // The inner products of a record and the eight members of a tile.
  template <class V>
  TOKUMEI_HOT V shared_with(const double* x, const double* tile) const {
    const double* of_columns = weights.data();
    V sum{};
    for (std::size_t j = 0; j < columns; ++j)
      sum = sum + where_one(load<V>(tile + j * lane_count) == x[j], of_columns[j]);
    return sum;
  }

  // What the codes change where x of a group of a records and y of one of b change places.
  double exchanged(StateIndex x, StateIndex y, double x_with_b, double y_with_a, double a,
                   double b) const {
    const double s = 1 / a + 1 / b;
    return 2 * shared(x, y) * s - (norms_[x] + norms_[y]) * s + 2 * (own_[x] - y_with_a) / a +
           2 * (own_[y] - x_with_b) / b;
  }

  // The slot that most members hold, 0 for missing ones, of each column; of equal ones the one met
  // first.
  void find_usual(const StateIndex* members, std::size_t size, double* usual) const {
    for (std::size_t j = 0; j < columns; ++j) {
      for (std::size_t m = 0; m < size; ++m) counts_[places(members[m])[j]] += 1.0;
      StateIndex best = places(members[0])[j];
      for (std::size_t m = 1; m < size; ++m)
        if (counts_[places(members[m])[j]] > counts_[best]) best = places(members[m])[j];
      for (std::size_t m = 0; m < size; ++m) counts_[places(members[m])[j]] = 0.0;
      usual[j] = static_cast<double>(best - starts_[j]);
    }
  }

  std::size_t columns = 0;
  std::vector<double> weights;
  std::vector<double> weights_of_squares;  // those of squared distances

  // Members of so many, or fewer, are compared one by one rather than counted.
  static constexpr std::size_t few = 16;

 private:
  // Counts the members of each category for eight of them at once.
  template <std::size_t bytes>
  TOKUMEI_HOT double by_pairs(StateIndex group, const StateIndex* members, std::size_t size,
                              std::size_t place) {
    using V = Lanes<double, bytes, lane_count>;
    const double n = static_cast<double>(size);
    const std::size_t width = columns * lane_count, tiles = padded(size) / lane_count;
    double* first = tile(place);
    V own[few / lane_count] = {};
    double cost = 0.0, all = 0.0;
    for (std::size_t j = 0; j < columns; ++j) {
      const double weight = weights[j];
      V squares{}, present{};
      for (std::size_t t = 0; t < tiles; ++t) {
        const V keys = load<V>(first + t * (width + lane_count) + j * lane_count);
        V counts{};
        for (std::size_t m = 0; m < size; ++m)
          counts = counts + where_one(keys == keys_[members[m] * columns + j], 1.0);
        own[t] = own[t] + counts * weight;
        squares = squares + counts;
        present = present + where_one(keys == keys, 1.0);
      }
      const double of_column = total(squares);
      cost += weight * (total(present) - of_column / n);
      all += weight * of_column;
    }
    squares_[group] = all;
    for (std::size_t t = 0; t < tiles; ++t) store(first + t * (width + lane_count) + width, own[t]);
    for (std::size_t m = 0; m < size; ++m) own_[members[m]] = tile(place + m)[width];
    return cost;
  }

  double by_counts(StateIndex group, const StateIndex* members, std::size_t size,
                   std::size_t place) {
    const double n = static_cast<double>(size);
    double* const counts = counts_.data();
    for (std::size_t m = 0; m < size; ++m) own_[members[m]] = 0.0;
    double cost = 0.0;
    squares_[group] = 0.0;
    for (std::size_t j = 0; j < columns; ++j) {
      for (std::size_t m = 0; m < size; ++m) counts[places(members[m])[j]] += 1.0;
      // Whole numbers, whatever the order.
      const double present = n - counts[starts_[j]];
      counts[starts_[j]] = 0.0;
      double squares = 0.0;
      for (std::size_t m = 0; m < size; ++m) {
        const double count = counts[places(members[m])[j]];
        squares += count;
        own_[members[m]] += weights[j] * count;
      }
      for (std::size_t m = 0; m < size; ++m) counts[places(members[m])[j]] = 0.0;
      cost += weights[j] * (present - squares / n);
      squares_[group] += weights[j] * squares;
    }
    for (std::size_t m = 0; m < size; ++m) tile(place + m)[columns * lane_count] = own_[members[m]];
    return cost;
  }

  static constexpr double none = std::numeric_limits<double>::quiet_NaN();

  struct Kept {
    double squares;
    std::uint64_t version;
  };

  double* tile(std::size_t place) {
    return &tiles_[place / lane_count * lane_count * (columns + 1) + place % lane_count];
  }

  StateIndex* place_tile(std::size_t place) {
    return &place_tiles_[place / lane_count * lane_count * columns + place % lane_count];
  }

  std::vector<double> keys_;
  std::vector<StateIndex> places_;
  std::vector<double> norms_, own_;
  std::vector<double> squares_;  // Q of each group
  std::vector<std::uint64_t> versions_;
  std::uint64_t version_ = 0;
  std::vector<double> tiles_;
  std::vector<StateIndex> place_tiles_;
  std::vector<std::size_t> starts_{0};
  mutable std::vector<double> counts_;  // all zero between two calls
  std::vector<Kept> kept_;
  std::vector<double> kept_own_;
  std::size_t next_ = 0, next_own_ = 0;
};

}  // namespace tokumei::refine
