// What each record tells of one normal variable under Laplace noise: log density, moments and
// derivatives.
//
// For every record y, in units of the noise's scale (normal_laplace.hpp), five columns:
//   log f(y),  E[x - mu | y],  E[(x - mu)^2 | y],  d log f / d mu,  d log f / d sigma
// The derivative by sigma is sigma (1 - N(y; mu, sigma^2) / f) for narrow and
// (E t^2 - 1) / sigma for wide variables: it keeps its digits but where it is nearly 0. Atoms
// (sigma = 0) have moments and a derivative by sigma of 0; that by mu is the sign of y - mu.
// O(n). Throws Interrupted.
#pragma once

#include <algorithm>
#include <cstddef>

#include "tokumei/reconstruct/mixture_pass.hpp"

namespace tokumei::reconstruct {

template <std::size_t bytes>
struct NormalLaplaceColumns {
  TOKUMEI_HOT static void run(const double* records, std::size_t rows, NormalLaplace x,
                              double* out) {
    using V = typename MixtureStep<bytes>::V;
    const double q = x.deviation;
    for (std::size_t begin = 0; begin < rows; begin += V::count) {
      const V y = load<V>(records + begin);
      const auto found = normal_laplace_terms(x, y);
      V log_density = found.density * normal_laplace_unit;
      take_log(log_density);
      const V first = found.first / found.density;
      const V second = found.second / found.density;
      V slope = q * (1.0 - (2.0 / q) * found.normal / found.density);
      if (q > widest_near_noise) slope = (second - 1.0) * x.inverse;
      V shift = first * x.inverse;
      if (q == 0.0) {
        slope = V{};
        shift = select(y < broadcast<V>(x.mean), broadcast<V>(-1.0),
                       select(y > broadcast<V>(x.mean), broadcast<V>(1.0), V{}));
      }
      double* to = out + begin;
      store(to, level_of(x, y) + log_density);
      store(to + records_of_a_block, first * q);
      store(to + 2 * records_of_a_block, second * (q * q));
      store(to + 3 * records_of_a_block, shift);
      store(to + 4 * records_of_a_block, slope);
    }
  }
};

inline void normal_laplace_records(Column<double> y, double mean, double deviation,
                                   OutTable<double> out, Run run) {
  const NormalLaplace x{mean, deviation, deviation > 0.0 ? 1.0 / deviation : 0.0};
  ThreadTeam team(run.n_threads);
  each_watched_block(team, run.monitor, mixture_blocks(y.size()), 32, [&](std::size_t number) {
    const MixtureBlock block(y, Column<double>{}, number);
    std::vector<double> found(5 * records_of_a_block);
    dispatch_lanes<NormalLaplaceColumns>(run.isa, block.y.data(), block.filled, x, found.data());
    for (std::size_t j = 0; j < 5; ++j)
      std::copy_n(found.data() + j * records_of_a_block, block.rows,
                  out.column(j).data() + block.begin);
  });
}

}  // namespace tokumei::reconstruct
