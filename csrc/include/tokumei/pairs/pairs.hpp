// The double sum over pairs of records, for distances that no closed form covers.
//
//   sum_over_pairs(x, counts, p, power) = sum_i sum_j c_i c_j |x_i - x_j|_p ^ power
//
// over all ordered pairs, |.|_p being the p-distance (Manhattan 1, Euclid 2, Chebyshev infinity)
// and c the number of records that a row stands for (1 where no counts are given). Within 1e-13 of
// the exact value, infinite beyond the largest double.
//
// O(n^2 d) time over i < j, one copy of the data as memory. Blocks of pairs follow from the size of
// the table alone and are summed in their order: threads and instruction sets change no bit. Needs
// p >= 1, power > 0, finite data and counts. Throws Interrupted.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>

#include "tokumei/numeric/double_double.hpp"
#include "tokumei/pairs/pair_tiles.hpp"
#include "tokumei/runtime/run.hpp"
#include "tokumei/runtime/thread_team.hpp"
#include "tokumei/runtime/views.hpp"

namespace tokumei::pairs {

// Calls `use` with the terms of |.|_p ^ power.
template <class Use>
void with_terms(double p, double power, Use&& use) {
  const auto powers_of = [&]<class Metric>(Metric, auto one, auto two) {
    if (power == 1.0) return use(PowersOfSums<Metric, decltype(one)>{});
    if (power == 2.0) return use(PowersOfSums<Metric, decltype(two)>{});
    use(PowersOfSums<Metric, FixedPower>{FixedPower(std::isinf(p) ? power : power / p)});
  };
  if (p == 1.0) return powers_of(AddMagnitude{}, First{}, Square{});
  if (p == 2.0) return powers_of(AddSquare{}, Root{}, First{});
  if (std::isinf(p)) return powers_of(TakeLargest{}, First{}, Square{});
  if (p == 3.0 && power == 1.0) return use(PowersOfSums<AddCube, CubeRoot<false>>{});
  if (p == 3.0 && power == 2.0) return use(PowersOfSums<AddCube, CubeRoot<true>>{});
  if (p == 4.0 && power == 2.0) return use(PowersOfSums<AddFourth, Root>{});
  const FixedPower of_sum(power / p);
  if (p > largest_moderate_p) return use(AnyMinkowski{p, of_sum, FixedPower(power)});
  if (2.0 * p == std::floor(2.0 * p))
    return use(ModerateMinkowski<Halves>{{static_cast<unsigned>(2.0 * p)}, of_sum});
  use(ModerateMinkowski<FixedPower>{FixedPower(p), of_sum});
}

// The sum over all pairs of packed rows, each once.
template <class Terms>
double sum_of_terms(const PackedRows& packed, const Terms& terms, Run& run) {
  ThreadTeam team(run.n_threads);
  DoubleDouble total;
  constexpr std::size_t most = 32;
  std::array<PairBlock, most> blocks;
  std::array<double, most> sums;
  std::size_t row = 0, column = 0;
  while (column < packed.chunks()) {
    const double share = static_cast<double>(column) / static_cast<double>(packed.chunks());
    run.monitor.tick(share * share);
    std::size_t waiting = 0;
    for (; waiting < most && column < packed.chunks(); ++waiting) {
      blocks[waiting] = {packed.values(row),    packed.counts(row),  packed.values(column),
                         packed.counts(column), packed.width(),      packed.used(row),
                         packed.used(column),   packed.attributes(), row == column};
      if (row++ == column) {
        ++column;
        row = 0;
      }
    }
    team.each_block(waiting, [&](std::size_t block) {
      sums[block] =
          dispatch_lanes<PairTiles<Terms>::template Body>(run.isa, &blocks[block], &terms);
    });
    for (std::size_t block = 0; block < waiting; ++block) total.add(sums[block]);
  }
  return total.value();
}

inline double sum_over_pairs(Table<double> x, Column<double> counts, double p, double power,
                             Run run) {
  // With one attribute all p-distances are the same.
  if (x.columns() == 1) p = 1.0;
  const PackedRows packed(x, counts);
  double sum = 0.0;
  with_terms(p, power, [&](const auto& terms) { sum = 2.0 * sum_of_terms(packed, terms, run); });
  const double scale = power * packed.exponent();
  return scale == std::floor(scale) ? std::ldexp(sum, static_cast<int>(scale))
                                    : sum * std::exp2(scale);
}

}  // namespace tokumei::pairs
