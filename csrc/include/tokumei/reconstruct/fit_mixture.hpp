// A mixture of normal variables fitted to records under Laplace noise: on the whole line, where
// both steps of EM have closed forms (mixture_pass.hpp), or cut to bounds (bounded_mixture.hpp).
//
//   fit_mixture               climbs from a start to a maximum of the likelihood
//   mixture_log_likelihood    of any mixture
//   mixture_posterior         P(component | record) and log densities
//
// All in units of the noise's scale; records ascend. No edges: the whole line. Throws Interrupted.
#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>
#include <numeric>
#include <vector>

#include "tokumei/reconstruct/bounded_mixture.hpp"
#include "tokumei/reconstruct/mixture_climb.hpp"
#include "tokumei/reconstruct/mixture_pass.hpp"
#include "tokumei/runtime/run.hpp"
#include "tokumei/runtime/thread_team.hpp"
#include "tokumei/runtime/views.hpp"

namespace tokumei::reconstruct {

// Records with their counts (none for 1 each), and the edges of cells (none for the whole line).
struct MixtureRecords {
  Column<double> y, counts, edges;
};

class UnboundedMixture {
 public:
  UnboundedMixture(MixtureRecords records, Run run)
      : records_(records), run_(run), team_(run.n_threads),
        total_(std::accumulate(records.counts.begin(), records.counts.end(), 0.0)) {
    if (records.counts.size() == 0) total_ = static_cast<double>(records.y.size());
  }

  // One step of EM; the log-likelihood before it.
  double operator()(MixtureComponents& mixture) {
    const std::size_t all = mixture.size();
    sums_.resize(3 * all);
    const double log_likelihood = mixture_pass(records_.y, records_.counts, mixture.view(),
                                               {sums_.data(), all, 3}, team_, run_);
    std::vector<double> shares(all), shifts(all), squares(all);
    for (std::size_t k = 0; k < all; ++k) {
      const double held = std::max(sums_[k], std::numeric_limits<double>::min());
      shares[k] = sums_[k] / total_;
      shifts[k] = sums_[all + k] / held;
      squares[k] = sums_[2 * all + k] / held;
    }
    mixture.move(shares, shifts, squares);
    return log_likelihood;
  }

 private:
  MixtureRecords records_;
  Run run_;
  ThreadTeam team_;
  double total_;
  std::vector<double> sums_;
};

// use(step) with the step of EM that suits the records.
template <class Use>
auto with_step(MixtureRecords records, Run run, Use&& use) {
  if (records.edges.size() == 0) {
    UnboundedMixture step(records, run);
    return use(step);
  }
  BoundedMixture step(records.y, records.counts, records.edges, run);
  return use(step);
}

// The last `atoms` components have no width and stay. weights, means, deviations: where to start,
// then where the climb arrived.
inline Climb fit_mixture(MixtureRecords records, OutColumn<double> weights, OutColumn<double> means,
                         OutColumn<double> deviations, std::size_t atoms, ClimbLimits limits,
                         Run run) {
  MixtureComponents at({weights, means, deviations}, atoms);
  const Climb done =
      with_step(records, run, [&](auto& step) { return climb(step, at, limits, run.isa); });
  std::copy(at.weights.begin(), at.weights.end(), weights.data());
  std::copy(at.means.begin(), at.means.end(), means.data());
  std::copy(at.deviations.begin(), at.deviations.end(), deviations.data());
  return done;
}

inline double mixture_log_likelihood(MixtureRecords records, MixtureView mixture, std::size_t atoms,
                                     Run run) {
  MixtureComponents at(mixture, atoms);
  return with_step(records, run, [&](auto& step) { return step(at); });
}

// members: records x components.
inline void mixture_posterior(MixtureRecords records, MixtureView mixture, std::size_t atoms,
                              OutTable<double> members, OutColumn<double> log_densities, Run run) {
  if (records.edges.size() == 0)
    mixture_members(records.y, mixture, members, log_densities, run);
  else
    BoundedMixture(records.y, records.counts, records.edges, run)
        .members(MixtureComponents(mixture, atoms), members, log_densities);
}

}  // namespace tokumei::reconstruct
