// Expectation-maximisation to a maximum, accelerated and never downhill.
//
// `climb` makes steps of EM until one gains less than the tolerance in log-likelihood. Accelerated
// (SQUAREM, Varadhan & Roland 2008, scheme S3): two steps show direction and decay of the sequence,
// which is extrapolated; what is reached is kept where its log-likelihood is not below that of the
// second point, else the climb goes on from the third. The log-likelihoods of the trace never fall,
// but for rounding.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <vector>

#include "tokumei/reconstruct/mixture_components.hpp"
#include "tokumei/runtime/run.hpp"

namespace tokumei::reconstruct {

struct ClimbLimits {
  double tolerance;
  std::size_t most_steps;
  bool accelerated;
};

// Where the log-likelihood of each point passed and of the last one, and how it went.
struct Climb {
  double log_likelihood = 0.0;
  std::size_t steps = 0;
  bool converged = false;
  std::vector<double> trace;
};

// How much farther the longest extrapolation may become at a time.
inline constexpr double growth_of_extrapolation = 4.0;

// How far two steps point, no farther than `longest`; moves `start` there. Nothing where they stand
// still.
inline std::optional<double> extrapolate(InstructionSet isa, MixtureComponents& start,
                                         const MixtureComponents& first,
                                         const MixtureComponents& second, double longest) {
  std::vector<double> at = start.to_vector(isa);
  const std::vector<double> one = first.to_vector(isa), two = second.to_vector(isa);
  double way_squared = 0.0, bend_squared = 0.0;
  for (std::size_t i = 0; i < at.size(); ++i) {
    const double way = one[i] - at[i], bend = (two[i] - one[i]) - way;
    way_squared += way * way;
    bend_squared += bend * bend;
  }
  if (!(bend_squared > 0.0)) return std::nullopt;
  const double wanted = std::sqrt(way_squared) / std::sqrt(bend_squared);
  const double length = std::min(std::max(1.0, wanted), longest);
  for (std::size_t i = 0; i < at.size(); ++i) {
    const double way = one[i] - at[i], bend = (two[i] - one[i]) - way;
    at[i] = at[i] + 2.0 * length * way + length * length * bend;
  }
  start.from_vector(isa, at);
  return length;
}

// step(components) makes one step of EM in place and returns the log-likelihood before it. `here`
// becomes the last point whose log-likelihood is known.
template <class Step>
Climb climb(Step& step, MixtureComponents& here, ClimbLimits limits, InstructionSet isa) {
  Climb done;
  double longest = 1.0;
  for (;;) {
    MixtureComponents first = here;
    const double before = step(first);
    MixtureComponents second = first;
    const double after = step(second);
    done.steps += 2;
    done.trace.insert(done.trace.end(), {before, after});
    done.converged = after - before < limits.tolerance;
    if (done.converged || done.steps >= limits.most_steps) {
      done.log_likelihood = after;
      here = first;
      return done;
    }
    const auto length = limits.accelerated ? extrapolate(isa, here, first, second, longest)
                                           : std::optional<double>{};
    if (length) {
      const double height = step(here);
      ++done.steps;
      if (height >= after) {
        done.trace.push_back(height);
        if (*length == longest) longest *= growth_of_extrapolation;
        continue;
      }
      longest = std::max(1.0, longest / growth_of_extrapolation);
    }
    here = second;
  }
}

}  // namespace tokumei::reconstruct
