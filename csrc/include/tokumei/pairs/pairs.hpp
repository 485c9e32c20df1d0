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
#include <limits>

#include "tokumei/numeric/double_double.hpp"
#include "tokumei/pairs/pair_tiles.hpp"
#include "tokumei/runtime/run.hpp"
#include "tokumei/runtime/thread_team.hpp"
#include "tokumei/runtime/views.hpp"

namespace tokumei::pairs {

// A kernel for one block of pairs, at the level in use.
using PairKernel = double (*)(InstructionSet, PairBlock, double p, double power);

template <class Terms>
double sum_block(InstructionSet isa, PairBlock block, double p, double power) {
  return dispatch_lanes<PairTiles<Terms>::template Body>(isa, block, p, power);
}

inline PairKernel pair_kernel(double p, double power) {
  if (p == 1.0) {
    if (power == 1.0) return sum_block<PowersOfSums<AddMagnitude, First>>;
    if (power == 2.0) return sum_block<PowersOfSums<AddMagnitude, Square>>;
    return sum_block<PowersOfSums<AddMagnitude, AnyPower>>;
  }
  if (p == 2.0) {
    if (power == 1.0) return sum_block<PowersOfSums<AddSquare, Root>>;
    if (power == 2.0) return sum_block<PowersOfSums<AddSquare, First>>;
    return sum_block<PowersOfSums<AddSquare, AnyPower>>;
  }
  if (p == 3.0 && power == 1.0) return sum_block<PowersOfSums<AddCube, CubeRoot<false>>>;
  if (p == 3.0 && power == 2.0) return sum_block<PowersOfSums<AddCube, CubeRoot<true>>>;
  if (p == 4.0 && power == 2.0) return sum_block<PowersOfSums<AddFourth, Root>>;
  if (p == std::numeric_limits<double>::infinity()) {
    if (power == 1.0) return sum_block<PowersOfSums<TakeLargest, First>>;
    if (power == 2.0) return sum_block<PowersOfSums<TakeLargest, Square>>;
    return sum_block<PowersOfSums<TakeLargest, AnyPower>>;
  }
  if (p <= largest_moderate_p)
    return 2.0 * p == std::floor(2.0 * p) ? sum_block<ModerateMinkowski<true>>
                                          : sum_block<ModerateMinkowski<false>>;
  return sum_block<AnyMinkowski>;
}

inline double sum_over_pairs(Table<double> x, Column<double> counts, double p, double power,
                             Run run) {
  // With one attribute all p-distances are the same.
  if (x.columns() == 1) p = 1.0;
  const PackedRows packed(x, counts);
  // The largest of the contributions stands in for infinity, whose power would be 0.
  const auto kernel = pair_kernel(p, power);
  const double root = std::isinf(p) ? 1.0 : p;
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
      sums[block] = kernel(run.isa, blocks[block], root, power);
    });
    for (std::size_t block = 0; block < waiting; ++block) total.add(sums[block]);
  }
  const double scale = power * packed.exponent();
  const double sum = 2.0 * total.value();
  return scale == std::floor(scale) ? std::ldexp(sum, static_cast<int>(scale))
                                    : sum * std::exp2(scale);
}

}  // namespace tokumei::pairs
