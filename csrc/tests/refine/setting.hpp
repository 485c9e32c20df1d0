// A table, groups of it and costs by their definitions, for the tests of the search.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include "data.hpp"
#include "tokumei/group/labels.hpp"
#include "tokumei/refine/absolute_cost.hpp"
#include "tokumei/refine/search_state.hpp"
#include "tokumei/refine/squares_cost.hpp"

namespace setting {

using namespace tokumei::refine;

using Rows = std::vector<std::size_t>;

// What a group costs, by its definition.
inline double plain(const Data& data, const std::vector<double>& weights, const Rows& rows,
                    const Squares&) {
  double cost = 0;
  for (std::size_t j = 0; j < data.columns; ++j) {
    double sum = 0, mass = 0;
    for (const auto row : rows) {
      const double weight = weights.empty() ? 1.0 : weights[row];
      sum += weight * data.table()(row, j);
      mass += weight;
    }
    for (const auto row : rows) {
      const double by = data.table()(row, j) - sum / mass;
      cost += (weights.empty() ? 1.0 : weights[row]) * by * by;
    }
  }
  return cost;
}

inline double plain(const Data& data, const std::vector<double>& weights, const Rows& rows,
                    const WeightedSquares&) {
  return plain(data, weights, rows, Squares());
}

inline double plain(const Data& data, const std::vector<double>&, const Rows& rows,
                    const AbsoluteDeviations&) {
  double cost = 0;
  for (std::size_t j = 0; j < data.columns; ++j) {
    std::vector<double> values;
    for (const auto row : rows) values.push_back(data.table()(row, j));
    std::sort(values.begin(), values.end());
    for (const double value : values) cost += std::abs(value - values[values.size() / 2]);
  }
  return cost;
}

inline Data any_table(Random& random, std::size_t rows, std::size_t columns) {
  const std::size_t kind = random.below(5);
  Data data = make_data(random, rows, columns, kind < 2 ? 0 : 1 + random.below(4));
  if (kind == 1)  // duplicates
    for (std::size_t j = 0; j < columns; ++j)
      for (std::size_t i = rows / 2; i < rows; ++i)
        data.values[j * rows + i] = data.values[j * rows + i - rows / 2];
  return data;
}

// Groups of k to 2k-1, of records in any order.
inline std::vector<std::int64_t> any_groups(Random& random, std::size_t rows, std::size_t k) {
  Rows order(rows);
  for (std::size_t i = 0; i < rows; ++i) order[i] = i;
  for (std::size_t i = rows; i-- > 1;) std::swap(order[i], order[random.below(i + 1)]);
  std::vector<std::int64_t> labels(rows);
  std::int64_t group = 0;
  for (std::size_t at = 0; at < rows; ++group) {
    std::size_t size = k + random.below(k);
    if (rows - at < 2 * k || rows - at < size + k) size = rows - at < 2 * k ? rows - at : k;
    for (; size > 0; --size) labels[order[at++]] = group;
  }
  renumber({labels.data(), rows});
  return labels;
}

inline std::size_t count_of(const std::vector<std::int64_t>& labels) {
  return static_cast<std::size_t>(*std::max_element(labels.begin(), labels.end())) + 1;
}

template <class Cost>
struct Setting {
  Data data;
  std::size_t k;
  std::vector<double> weights;
  std::vector<std::int64_t> labels;
  std::vector<Rows> codes;

  Setting(Random& random, std::size_t most_rows)
      : data(any_table(random, 1 + random.below(most_rows), 1 + random.below(11))),
        k(1 + random.below(std::min<std::size_t>(5, data.rows))) {
    if (Cost::weighted)
      for (std::size_t i = 0; i < data.rows; ++i) weights.push_back(0.25 + 4 * random.uniform());
    labels = any_groups(random, data.rows, k);
  }

  SearchState<Cost> state(InstructionSet isa, const GroupRules* rules = nullptr) const {
    const std::size_t groups = count_of(labels);
    const auto members = members_of({labels.data(), data.rows}, groups);
    Rows all(groups);
    for (std::size_t group = 0; group < groups; ++group) all[group] = group;
    return SearchState<Cost>(
        records_of(data.table(), {weights.data(), weights.size()}, members, all.data(), groups),
        groups, k, 2 * k - 1, rules, isa);
  }

  Rows rows_of(const SearchState<Cost>& state, StateIndex group) const {
    Rows rows;
    for (std::size_t m = 0; m < state.size(group); ++m)
      rows.push_back(state.table_rows()[state.members(group)[m]]);
    return rows;
  }

  double cost(const Rows& rows) const {
    return rows.empty() ? 0.0 : plain(data, weights, rows, Cost());
  }

  // What the best move or swap of a record changes, over all groups.
  double least_change(const SearchState<Cost>& state, StateIndex row) const {
    const StateIndex own = state.group_of(row);
    double least = 0;
    for (StateIndex group = 0; group < state.room(); ++group) {
      if (group == own || state.size(group) == 0) continue;
      const auto change = [&](bool move, std::size_t m) {
        Rows a = rows_of(state, own), b = rows_of(state, group);
        const double before = cost(a) + cost(b);
        const std::size_t here = state.table_rows()[row];
        a.erase(std::find(a.begin(), a.end(), here));
        if (!move) {
          a.push_back(b[m]);
          b.erase(b.begin() + static_cast<std::ptrdiff_t>(m));
        }
        b.push_back(here);
        least = std::min(least, cost(a) + cost(b) - before);
      };
      if (state.size(own) > k && state.size(group) < state.most) change(true, 0);
      for (std::size_t m = 0; m < state.size(group); ++m) change(false, m);
    }
    return least;
  }
};

}  // namespace setting
