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

// What the components make of a step of records: for each g and g E t, g E t^2, the log of the
// density in the end. `at` holds four rows of a step for each component.
template <std::size_t bytes>
struct MixtureStep {
  using V = Lanes<double, bytes>;
  static constexpr std::size_t width = bytes / sizeof(double);
  static constexpr std::size_t n = records_of_a_step / width;

  TOKUMEI_HOT static void fill(const double* records, const WeightedNormal* components,
                               std::size_t count, double* at, V (&log_density)[n]) {
    V y[n], highest[n], level[n], sum[n];
    TOKUMEI_UNROLL for (std::size_t k = 0; k < n; ++k) {
      y[k] = load<V>(records + k * width);
      highest[k] = broadcast<V>(-std::numeric_limits<double>::infinity());
      sum[k] = V{};
    }
    for (std::size_t j = 0; j < count; ++j) {
      find_level(components[j].normal, y, level);
      TOKUMEI_UNROLL for (std::size_t k = 0; k < n; ++k) {
        highest[k] = larger(highest[k], level[k]);
        store(row(at, j, 3) + k * width, level[k]);
      }
    }
    for (std::size_t j = 0; j < count; ++j) {
      V factor[n];
      TOKUMEI_UNROLL for (std::size_t k = 0; k < n; ++k) factor[k] =
          load<V>(row(at, j, 3) + k * width) - highest[k];
      take_exp(factor);
      NormalLaplaceTerms<bytes, n> found;
      find_normal_laplace(components[j].normal, y, found);
      TOKUMEI_UNROLL for (std::size_t k = 0; k < n; ++k) {
        factor[k] = factor[k] * components[j].weight;
        const V density = factor[k] * found.density[k];
        sum[k] = sum[k] + density;
        store(row(at, j, 0) + k * width, density);
        store(row(at, j, 1) + k * width, factor[k] * found.first[k]);
        store(row(at, j, 2) + k * width, factor[k] * found.second[k]);
      }
    }
    TOKUMEI_UNROLL for (std::size_t k = 0; k < n; ++k) {
      y[k] = 1.0 / sum[k];
      log_density[k] = sum[k] * normal_laplace_unit;
    }
    take_log(log_density);
    TOKUMEI_UNROLL for (std::size_t k = 0; k < n; ++k) log_density[k] = log_density[k] + highest[k];
    for (std::size_t j = 0; j < count; ++j)
      for (std::size_t part = 0; part < 3; ++part)
        TOKUMEI_UNROLL for (std::size_t k = 0; k < n; ++k)
            store(row(at, j, part) + k * width, load<V>(row(at, j, part) + k * width) * y[k]);
  }

  TOKUMEI_HOT static double* row(double* at, std::size_t component, std::size_t part) {
    return at + (component * 4 + part) * records_of_a_step;
  }
};

// The sums of a block: lanes for each of three sums a component, and the log-likelihood last.
template <std::size_t bytes>
struct MixtureSums {
  TOKUMEI_HOT static void run(const double* y, const double* counts, std::size_t rows,
                              const WeightedNormal* components, std::size_t count, double* at,
                              double* sums) {
    using Step = MixtureStep<bytes>;
    using V = typename Step::V;
    for (std::size_t begin = 0; begin < rows; begin += records_of_a_step) {
      V log_density[Step::n], times[Step::n];
      Step::fill(y + begin, components, count, at, log_density);
      TOKUMEI_UNROLL for (std::size_t k = 0; k < Step::n; ++k) times[k] =
          load<V>(counts + begin + k * Step::width);
      for (std::size_t j = 0; j < count; ++j)
        for (std::size_t part = 0; part < 3; ++part)
          add(sums + (3 * j + part) * records_of_a_step, Step::row(at, j, part), times);
      TOKUMEI_UNROLL for (std::size_t k = 0; k < Step::n; ++k)
          store(at + k * Step::width, log_density[k]);
      add(sums + 3 * count * records_of_a_step, at, times);
    }
  }

 private:
  template <class V, std::size_t n>
  TOKUMEI_HOT static void add(double* sum, const double* values, const V (&times)[n]) {
    constexpr std::size_t width = sizeof(V) / sizeof(double);
    TOKUMEI_UNROLL for (std::size_t k = 0; k < n; ++k)
        store(sum + k * width, load<V>(sum + k * width) + load<V>(values + k * width) * times[k]);
  }
};

// P(component | y) and the log density of each record of a block.
template <std::size_t bytes>
struct MixtureMembers {
  TOKUMEI_HOT static void run(const double* y, std::size_t rows, const WeightedNormal* components,
                              std::size_t count, double* at, double* members,
                              double* log_densities) {
    using Step = MixtureStep<bytes>;
    for (std::size_t begin = 0; begin < rows; begin += records_of_a_step) {
      typename Step::V log_density[Step::n];
      Step::fill(y + begin, components, count, at, log_density);
      for (std::size_t k = 0; k < Step::n; ++k)
        store(log_densities + begin + k * Step::width, log_density[k]);
      for (std::size_t j = 0; j < count; ++j)
        std::copy_n(Step::row(at, j, 0), records_of_a_step,
                    members + j * records_of_a_block + begin);
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
        filled((rows + records_of_a_step - 1) / records_of_a_step * records_of_a_step),
        y(filled, records[begin]), counts(filled, 0.0) {
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
