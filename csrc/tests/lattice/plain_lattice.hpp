// Full-domain generalisation written out plainly: every node of the lattice, every group by
// comparing rows.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <random>
#include <vector>

#include "tokumei/lattice/full_domain.hpp"

namespace plain {

using namespace tokumei::lattice;
using Whole = std::vector<std::int64_t>;
using Node = std::vector<std::size_t>;

// Distinct rows of values 0..3, a hierarchy of two levels above them for every attribute (pairs,
// all), and generalised.
struct Problem {
  std::size_t rows, attributes;
  Whole values, counts, sizes, heights, codes;
  std::vector<double> generalised, suppressed, shift, scale, weight;
  std::vector<double> shares;
  Whole pair_rows, pair_codes, pair_counts;
  Costs costs;
  std::vector<Demand> demands;
  std::int64_t k = 3, most_suppressed = 0;

  Problem(std::size_t records, std::size_t d, std::uint64_t seed) : attributes(d) {
    std::mt19937_64 chance(seed);
    std::map<std::pair<Whole, std::int64_t>, std::int64_t> pairs;
    std::map<Whole, std::int64_t> distinct;
    for (std::size_t i = 0; i < records; ++i) {
      Whole row;
      for (std::size_t j = 0; j < d; ++j) row.push_back(static_cast<std::int64_t>(chance() % 4));
      ++distinct[row];
      ++pairs[{row, static_cast<std::int64_t>(chance() % 3)}];
    }
    rows = distinct.size();
    values.resize(rows * d);
    std::map<Whole, std::int64_t> number;
    for (const auto& [row, count] : distinct) {
      for (std::size_t j = 0; j < d; ++j) values[j * rows + counts.size()] = row[j];
      number[row] = static_cast<std::int64_t>(counts.size());
      counts.push_back(count);
    }
    shares.assign(3, 0.0);
    for (const auto& [pair, count] : pairs) {
      pair_rows.push_back(number[pair.first]);
      pair_codes.push_back(pair.second);
      pair_counts.push_back(count);
      shares[static_cast<std::size_t>(pair.second)] +=
          static_cast<double>(count) / static_cast<double>(records);
    }
    for (std::size_t j = 0; j < d; ++j) {
      sizes.push_back(4);
      heights.push_back(2);
      for (const std::int64_t code : {0, 1, 2, 3, 0, 0, 1, 1, 0, 0, 0, 0}) codes.push_back(code);
      for (const double share : {0.0, 0.0, 0.0, 0.0, 0.5, 0.5, 0.4, 0.4, 1.0, 1.0, 1.0, 1.0}) {
        generalised.push_back(share / static_cast<double>(d + j));
        suppressed.push_back(1.0 / static_cast<double>(d + j));
      }
    }
    shift.assign(d, 0.0);
    scale.assign(d, 1.0 / static_cast<double>(records));
    weight.assign(d, 1.0);
  }

  // What points into the problem, made once it stands still.
  void cost_by(MetricKind kind, double entropy_factor = 0.0) {
    costs = {kind,
             entropy_factor,
             {generalised.data(), generalised.size()},
             {suppressed.data(), suppressed.size()},
             {shift.data(), shift.size()},
             {scale.data(), scale.size()},
             {weight.data(), weight.size()}};
  }

  void demand(DemandKind kind, double limit) {
    demands.push_back({kind,
                       limit,
                       {shares.data(), shares.size()},
                       {pair_rows.data(), pair_rows.size()},
                       {pair_codes.data(), pair_codes.size()},
                       {pair_counts.data(), pair_counts.size()}});
  }

  Table<std::int64_t> table() const { return {values.data(), rows, attributes}; }
  Column<std::int64_t> column(const Whole& all) const { return {all.data(), all.size()}; }
  Hierarchies hierarchies() const { return {column(sizes), column(heights), column(codes)}; }

  std::int64_t label(std::size_t row, std::size_t j, std::size_t level) const {
    return codes[place(row, j, level)];
  }
  std::size_t place(std::size_t row, std::size_t j, std::size_t level) const {
    return 12 * j + 4 * level + static_cast<std::size_t>(values[j * rows + row]);
  }
};

inline bool holds(const Problem& problem, const Demand& demand, const Whole& members) {
  std::vector<double> count(3, 0.0);
  double size = 0.0;
  for (std::size_t i = 0; i < problem.pair_rows.size(); ++i)
    for (const std::int64_t row : members)
      if (problem.pair_rows[i] == row) {
        count[static_cast<std::size_t>(problem.pair_codes[i])] +=
            static_cast<double>(problem.pair_counts[i]);
        size += static_cast<double>(problem.pair_counts[i]);
      }
  double values = 0.0, apart = 0.0, area = 0.0, ahead = 0.0;
  for (std::size_t code = 0; code < 3; ++code) {
    values += count[code] > 0 ? 1.0 : 0.0;
    const double more = count[code] / size - problem.shares[code];
    apart += std::abs(more) / 2.0;
    ahead += more;
    area += std::abs(ahead) / 2.0;
  }
  if (demand.kind == DemandKind::distinct) return values >= demand.limit;
  return (demand.kind == DemandKind::equal_distance ? apart : area) <= demand.limit + 1e-12;
}

// The cost of a node; infinite where it is not allowed.
inline double cost(const Problem& problem, const Node& levels, std::vector<std::uint8_t>& gone) {
  const double infinite = std::numeric_limits<double>::infinity();
  std::map<Whole, Whole> groups;
  for (std::size_t row = 0; row < problem.rows; ++row) {
    Whole labels;
    for (std::size_t j = 0; j < problem.attributes; ++j)
      labels.push_back(problem.label(row, j, levels[j]));
    groups[labels].push_back(static_cast<std::int64_t>(row));
  }
  gone.assign(problem.rows, 0);
  double suppressed = 0.0, kept = 0.0, squares = 0.0, all = 0.0;
  for (const auto count : problem.counts) all += static_cast<double>(count);
  for (const auto& [labels, members] : groups) {
    double size = 0.0;
    for (const auto row : members)
      size += static_cast<double>(problem.counts[static_cast<std::size_t>(row)]);
    bool fine = size >= static_cast<double>(problem.k);
    for (const auto& demand : problem.demands) fine = fine && holds(problem, demand, members);
    const bool of_all = problem.costs.kind == MetricKind::discernibility_of_all;
    squares += size * (fine || of_all ? size : all);
    kept += fine ? 1.0 : 0.0;
    suppressed += fine ? 0.0 : size;
    if (!fine)
      for (const auto row : members) gone[static_cast<std::size_t>(row)] = 1;
  }
  if (suppressed > static_cast<double>(problem.most_suppressed)) return infinite;
  if (problem.costs.kind == MetricKind::class_size)
    return all / (kept + (suppressed > 0 ? 1.0 : 0.0));
  if (problem.costs.kind >= MetricKind::discernibility) return squares;
  const bool geometric = problem.costs.kind == MetricKind::geometric_mean;
  double whole = geometric ? 1.0 : 0.0;
  for (std::size_t j = 0; j < problem.attributes; ++j) {
    double x = 0.0;
    std::map<std::int64_t, double> lost;
    for (std::size_t row = 0; row < problem.rows; ++row) {
      const auto& generalised = gone[row] ? problem.suppressed : problem.generalised;
      const auto count = static_cast<double>(problem.counts[row]);
      x += count * generalised[problem.place(row, j, levels[j])];
      if (gone[row]) lost[problem.label(row, j, levels[j])] += count;
    }
    for (const auto& [label, count] : lost)
      x -= problem.costs.entropy_factor * count * std::log2(count / suppressed);
    const double v = std::max(0.0, (x - problem.shift[j]) * problem.scale[j]);
    whole =
        geometric ? whole * std::pow(1.0 + v, problem.weight[j]) : whole + problem.weight[j] * v;
  }
  return geometric ? whole - 1.0 : whole;
}

struct Best {
  double cost = std::numeric_limits<double>::infinity();
  Whole levels;
  std::vector<std::uint8_t> gone;
};

// All nodes in lexicographic order; the first of equal costs.
inline Best best(const Problem& problem) {
  Best found;
  Node levels(problem.attributes, 0);
  std::vector<std::uint8_t> gone;
  for (;;) {
    const double one = cost(problem, levels, gone);
    if (one < found.cost - 1e-12 * std::abs(found.cost) ||
        (std::isfinite(one) && !std::isfinite(found.cost)))
      found = {one, {levels.begin(), levels.end()}, gone};
    std::size_t j = problem.attributes;
    while (j > 0 && levels[j - 1] == 2) levels[--j] = 0;
    if (j == 0) return found;
    ++levels[j - 1];
  }
}

}  // namespace plain
