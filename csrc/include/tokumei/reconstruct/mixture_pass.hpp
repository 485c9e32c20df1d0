// One pass of a mixture of normal-Laplace variables over the records: the E-step and its sums.
//
// The density of a record y is sum_k weight_k f_k(y) (normal_laplace.hpp; the unit of all values is
// the scale of the noise). For each component the pass sums, over the records with their counts,
//
//   g,  g E t,  g E t^2        g = P(component | y),  t = (x - mu_k) / sigma_k
//
// and returns the log-likelihood. sum g is the component's share, sum g E t and sum g (E t^2 - 1)
// are sigma_k times the derivatives of the log-likelihood by mu_k and sigma_k. Components of weight
// 0 get nothing. Records are taken in 32 lanes (row mod 32) and blocks of 2048, whose sums are
// added in order in twice the precision: threads and instruction sets change no bit.
//
// O(n K), 3 to 18 ns a record and component by instruction set. Throws Interrupted;
// std::invalid_argument where no component has weight.
#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>
#include <stdexcept>
#include <vector>

#include "tokumei/numeric/double_double.hpp"
#include "tokumei/reconstruct/normal_laplace.hpp"
#include "tokumei/runtime/monitored_blocks.hpp"
#include "tokumei/runtime/run.hpp"
#include "tokumei/runtime/thread_team.hpp"
#include "tokumei/runtime/views.hpp"

namespace tokumei::reconstruct {

// Weights, means and standard deviations, one each a component.
struct MixtureView {
  Column<double> weights, means, deviations;
};

inline constexpr std::size_t records_of_a_step = 32, records_of_a_block = 2048;

struct WeightedNormal {
  NormalLaplace normal;
  double weight;
  std::size_t number;
};

inline std::vector<WeightedNormal> weighted_normals(const MixtureView& mixture) {
  std::vector<WeightedNormal> present;
  for (std::size_t k = 0; k < mixture.weights.size(); ++k) {
    const double deviation = mixture.deviations[k];
    if (mixture.weights[k] >= 0x1p-1000)
      present.push_back({{mixture.means[k], deviation, deviation > 0.0 ? 1.0 / deviation : 0.0},
                         mixture.weights[k],
                         k});
  }
  if (present.empty()) throw std::invalid_argument("a mixture needs a component of some weight");
  return present;
}

// What the components make of V::count records: for each g and g E t, g E t^2; returned is the log
// of the density. `at` holds four rows of a step for each component. The baseline takes few records
// at a time: it has few registers.
template <std::size_t bytes>
struct MixtureStep {
  using V = Lanes<double, bytes, bytes == narrowest ? lane_count : records_of_a_step>;
  static_assert(records_of_a_step % V::count == 0);

  TOKUMEI_HOT static V fill(const double* records, const WeightedNormal* components,
                            std::size_t count, double* at) {
    const V y = load<V>(records);
    V highest = broadcast<V>(-std::numeric_limits<double>::infinity()), sum{};
    for (std::size_t j = 0; j < count; ++j) {
      const V level = level_of(components[j].normal, y);
      highest = larger(highest, level);
      store(row(at, j, 3), level);
    }
    for (std::size_t j = 0; j < count; ++j) {
      V factor = load<V>(row(at, j, 3)) - highest;
      take_exp(factor);
      const auto found = normal_laplace_terms(components[j].normal, y);
      factor = factor * components[j].weight;
      const V density = factor * found.density;
      sum = sum + density;
      store(row(at, j, 0), density);
      store(row(at, j, 1), factor * found.first);
      store(row(at, j, 2), factor * found.second);
    }
    const V share = 1.0 / sum;
    V log_density = sum * normal_laplace_unit;
    take_log(log_density);
    for (std::size_t j = 0; j < count; ++j)
      for (std::size_t part = 0; part < 3; ++part)
        store(row(at, j, part), load<V>(row(at, j, part)) * share);
    return log_density + highest;
  }

  TOKUMEI_HOT static double* row(double* at, std::size_t component, std::size_t part) {
    return at + (component * 4 + part) * records_of_a_step;
  }
};

// The sums of a block: lanes for each of three sums a component, and the log-likelihood last.
template <std::size_t bytes>
struct MixtureSums {
  using Step = MixtureStep<bytes>;
  using V = typename Step::V;

  TOKUMEI_HOT static void run(const double* y, const double* counts, std::size_t rows,
                              const WeightedNormal* components, std::size_t count, double* at,
                              double* sums) {
    for (std::size_t begin = 0; begin < rows; begin += V::count) {
      const V log_density = Step::fill(y + begin, components, count, at);
      const V times = load<V>(counts + begin);
      double* lanes = sums + begin % records_of_a_step;
      for (std::size_t j = 0; j < count; ++j)
        for (std::size_t part = 0; part < 3; ++part)
          add(lanes + (3 * j + part) * records_of_a_step, load<V>(Step::row(at, j, part)) * times);
      add(lanes + 3 * count * records_of_a_step, log_density * times);
    }
  }

 private:
  TOKUMEI_HOT static void add(double* sum, const V& terms) { store(sum, load<V>(sum) + terms); }
};

// P(component | y) and the log density of each record of a block.
template <std::size_t bytes>
struct MixtureMembers {
  TOKUMEI_HOT static void run(const double* y, std::size_t rows, const WeightedNormal* components,
                              std::size_t count, double* at, double* members,
                              double* log_densities) {
    using Step = MixtureStep<bytes>;
    for (std::size_t begin = 0; begin < rows; begin += Step::V::count) {
      store(log_densities + begin, Step::fill(y + begin, components, count, at));
      for (std::size_t j = 0; j < count; ++j)
        std::copy_n(Step::row(at, j, 0), Step::V::count, members + j * records_of_a_block + begin);
    }
  }
};

// The records of one block, filled up to whole steps with copies of the first that count nothing.
struct MixtureBlock {
  std::size_t begin, rows, filled;
  std::vector<double> y, counts;

  MixtureBlock(Column<double> records, Column<double> given, std::size_t block)
      : begin(block * records_of_a_block),
        rows(std::min(records_of_a_block, records.size() - begin)),
        filled(padded(rows, records_of_a_step)), y(filled, records[begin]), counts(filled, 0.0) {
    std::copy_n(records.data() + begin, rows, y.data());
    if (given.size() == 0)
      std::fill_n(counts.data(), rows, 1.0);
    else
      std::copy_n(given.data() + begin, rows, counts.data());
  }
};

inline std::size_t mixture_blocks(std::size_t records) {
  return (records + records_of_a_block - 1) / records_of_a_block;
}

// sums: one row a component of the three sums above. counts: of the records, none for 1 each.
inline double mixture_pass(Column<double> y, Column<double> counts, MixtureView mixture,
                           OutTable<double> sums, ThreadTeam& team, Run& run) {
  const auto components = weighted_normals(mixture);
  const std::size_t blocks = mixture_blocks(y.size());
  const std::size_t lanes = (3 * components.size() + 1) * records_of_a_step;
  std::vector<double> parts(blocks * (3 * components.size() + 1));
  each_watched_block(team, run.monitor, blocks, 32, [&](std::size_t number) {
    const MixtureBlock block(y, counts, number);
    std::vector<double> at(components.size() * 4 * records_of_a_step), lane_sums(lanes);
    dispatch_lanes<MixtureSums>(run.isa, block.y.data(), block.counts.data(), block.filled,
                                components.data(), components.size(), at.data(), lane_sums.data());
    double* to = parts.data() + number * (3 * components.size() + 1);
    for (std::size_t i = 0; i < lanes; ++i) to[i / records_of_a_step] += lane_sums[i];
  });
  std::vector<DoubleDouble> totals(3 * components.size() + 1);
  for (std::size_t i = 0; i < parts.size(); ++i) totals[i % totals.size()].add(parts[i]);
  std::fill_n(sums.column(0).data(), sums.rows() * sums.columns(), 0.0);
  for (std::size_t j = 0; j < components.size(); ++j)
    for (std::size_t part = 0; part < 3; ++part)
      sums.column(part)[components[j].number] = totals[3 * j + part].value();
  return totals.back().value();
}

inline double mixture_pass(Column<double> y, Column<double> counts, MixtureView mixture,
                           OutTable<double> sums, Run run) {
  ThreadTeam team(run.n_threads);
  return mixture_pass(y, counts, mixture, sums, team, run);
}

// members: P(component | record), records x components; log_densities: of each record.
inline void mixture_members(Column<double> y, MixtureView mixture, OutTable<double> members,
                            OutColumn<double> log_densities, Run run) {
  const auto components = weighted_normals(mixture);
  std::fill_n(members.column(0).data(), members.rows() * members.columns(), 0.0);
  ThreadTeam team(run.n_threads);
  each_watched_block(team, run.monitor, mixture_blocks(y.size()), 32, [&](std::size_t number) {
    const MixtureBlock block(y, Column<double>{}, number);
    std::vector<double> at(components.size() * 4 * records_of_a_step);
    std::vector<double> found(components.size() * records_of_a_block);
    std::vector<double> logs(records_of_a_block);
    dispatch_lanes<MixtureMembers>(run.isa, block.y.data(), block.filled, components.data(),
                                   components.size(), at.data(), found.data(), logs.data());
    std::copy_n(logs.data(), block.rows, log_densities.data() + block.begin);
    for (std::size_t j = 0; j < components.size(); ++j)
      std::copy_n(found.data() + j * records_of_a_block, block.rows,
                  members.column(components[j].number).data() + block.begin);
  });
}

}  // namespace tokumei::reconstruct
