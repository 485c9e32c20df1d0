// Iterative Bayes: the probabilities of cells from counts of what was released, by EM.
//
// One pass makes p[c] (T' (n / T p))[c] / N of p: by Bayes' rule the share of the records that come
// from cell c, were p true. The log likelihood sum n log(T p) never falls. Its maximum is a few
// spikes wherever the noise is wide, so it pays to stop long before: `max_passes` and `tolerance`
// (stop where a pass gains less) are the caller's. With smoothing s > 0 each pass ends with
// p[c] = (1 - s) p[c] + s/2 (p[c - 1] + p[c + 1]), along every axis; the ends count as their own
// neighbours.
//
// Accelerated: two passes give a step and its change, and p goes as far as both together point
// (SQUAREM; Varadhan & Roland 2008); a cell keeps at least a tenth of what the passes left it.
// Where the likelihood turns out lower than before, p goes back to the second pass and steps become
// shorter: the likelihood does not fall from one pair of passes to the next. Not with smoothing,
// which has no likelihood to look at.
//
// Sums run in eight lanes: all instruction sets give the same bits. One thread. Throws
// std::invalid_argument where a record was released that p cannot explain, and Interrupted.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <stdexcept>
#include <utility>
#include <vector>

#include "tokumei/reconstruct/cell_steps.hpp"
#include "tokumei/reconstruct/cell_table.hpp"
#include "tokumei/runtime/run.hpp"
#include "tokumei/runtime/views.hpp"

namespace tokumei::reconstruct {

struct Passes {
  Passes(std::size_t most_, double tolerance_, double smoothing_, bool accelerated_)
      : most(most_), tolerance(tolerance_), smoothing(smoothing_), accelerated(accelerated_) {}

  std::size_t most;
  double tolerance;  // 0: never stop before
  double smoothing;
  bool accelerated;
};

struct CellFit {
  double log_likelihood;
  std::size_t passes;
  bool converged;
};

class CellSearch {
 public:
  CellSearch(CellTable& cells, Column<double> counts, double smoothing, Run& run)
      : cells_(cells), run_(run), smoothing_(smoothing), counts_(padded(cells.outputs()), 0.0),
        expected_(counts_.size(), 0.0), ratio_(counts_.size()), back_(padded(cells.inputs())),
        spare_(back_.size()) {
    std::copy(counts.begin(), counts.end(), counts_.begin());
    for (const double count : counts) records_ += count;
  }

  std::vector<double> vector_of(const double* p) const {
    std::vector<double> filled(back_.size(), 0.0);
    std::copy_n(p, cells_.inputs(), filled.begin());
    return filled;
  }

  // The log likelihood of p, where it is wanted; `ratio_` is n / T p after it.
  double explain(const std::vector<double>& p, bool with_likelihood) {
    cells_.forward(run_.isa, p.data(), expected_.data());
    return dispatch_lanes<Explain>(run_.isa, static_cast<const double*>(counts_.data()),
                                   static_cast<const double*>(expected_.data()), ratio_.data(),
                                   counts_.size(), with_likelihood);
  }

  // One pass from p to `out`; the log likelihood of p, where it is wanted.
  double pass(const std::vector<double>& p, std::vector<double>& out, bool with_likelihood) {
    const double likelihood = explain(p, with_likelihood);
    cells_.backward(run_.isa, ratio_.data(), back_.data());
    dispatch<Update>(run_.isa, p.data(), static_cast<const double*>(back_.data()), 1.0 / records_,
                     out.data(), cells_.inputs());
    if (smoothing_ > 0.0) smooth(out);
    return likelihood;
  }

  // Whether every record released is possible under p.
  bool possible(const std::vector<double>& p) {
    cells_.forward(run_.isa, p.data(), expected_.data());
    for (std::size_t r = 0; r < cells_.outputs(); ++r)
      if (counts_[r] > 0.0 && !(expected_[r] > 0.0)) return false;
    return true;
  }

 private:
  void smooth(std::vector<double>& p) {
    for (std::size_t axis = 0; axis < cells_.axes(); ++axis) {
      const std::size_t inner = cells_.inner(axis), length = cells_.inputs_of(axis);
      std::copy(p.begin(), p.end(), spare_.begin());
      for (std::size_t begin = 0; begin < cells_.inputs(); begin += length * inner)
        for (std::size_t c = 0; c < length; ++c) {
          const double* row = spare_.data() + begin;
          const double* below = row + (c > 0 ? c - 1 : c) * inner;
          const double* above = row + (c + 1 < length ? c + 1 : c) * inner;
          for (std::size_t j = 0; j < inner; ++j)
            p[begin + c * inner + j] =
                (1.0 - smoothing_) * row[c * inner + j] + 0.5 * smoothing_ * (below[j] + above[j]);
        }
    }
  }

  CellTable& cells_;
  Run& run_;
  double smoothing_, records_ = 0.0;
  std::vector<double> counts_, expected_, ratio_, back_, spare_;
};

inline bool plain_passes(CellSearch& search, std::vector<double>& p, Passes limits,
                         ProgressMonitor& monitor, std::size_t& passes) {
  std::vector<double> next(p.size(), 0.0);
  const bool watched = limits.tolerance > 0.0;
  double before = 0.0;
  for (passes = 0; passes < limits.most; ++passes) {
    monitor.tick(static_cast<double>(passes) / static_cast<double>(limits.most));
    const double likelihood = search.pass(p, next, watched);
    if (watched && passes > 0 && std::abs(likelihood - before) < limits.tolerance) return true;
    before = likelihood;
    std::swap(p, next);
  }
  return false;
}

inline bool accelerated_passes(CellSearch& search, std::vector<double>& p, Passes limits,
                               ProgressMonitor& monitor, InstructionSet isa, std::size_t& passes) {
  std::vector<double> p1(p.size(), 0.0), p2(p.size(), 0.0), far(p.size(), 0.0);
  double longest = 4.0, before = 0.0;
  bool converged = false;
  for (passes = 0; passes + 1 < limits.most && !converged;) {
    monitor.tick(static_cast<double>(passes) / static_cast<double>(limits.most));
    double likelihood = search.pass(p, p1, true);
    ++passes;
    if (passes > 1 && !(likelihood >= before)) {  // too far: p2 still holds the second pass
      longest = std::max(1.0, longest * 0.25);
      std::swap(p, p2);
      likelihood = search.pass(p, p1, true);
      ++passes;
    }
    converged = passes > 1 && limits.tolerance > 0.0 && likelihood - before < limits.tolerance;
    before = likelihood;
    if (converged || passes == limits.most) break;
    search.pass(p1, p2, false);
    ++passes;
    const auto [step, change] = dispatch_lanes<Measure>(
        isa, static_cast<const double*>(p.data()), static_cast<const double*>(p1.data()),
        static_cast<const double*>(p2.data()), p.size());
    const double wanted = change > 0.0 ? std::sqrt(step / change) : 1.0;
    const double by = std::min(std::max(1.0, wanted), longest);
    if (by == longest) longest *= 4.0;
    const double sum = dispatch_lanes<Extrapolate>(
        isa, static_cast<const double*>(p.data()), static_cast<const double*>(p1.data()),
        static_cast<const double*>(p2.data()), by, far.data(), p.size());
    for (double& share : far) share /= sum;
    std::swap(p, far);
  }
  // The last step was taken on trust.
  if (!converged && passes > 1 && !(search.explain(p, true) >= before)) std::swap(p, p2);
  return converged;
}

inline CellFit iterative_bayes(CellTable& cells, Column<double> counts, OutColumn<double> p,
                               Passes limits, Run& run) {
  CellSearch search(cells, counts, limits.smoothing, run);
  std::vector<double> at = search.vector_of(p.data());
  if (!search.possible(at))
    throw std::invalid_argument("y holds values that the channel never releases");
  CellFit fit{};
  if (limits.accelerated && limits.smoothing == 0.0)
    fit.converged = accelerated_passes(search, at, limits, run.monitor, run.isa, fit.passes);
  else
    fit.converged = plain_passes(search, at, limits, run.monitor, fit.passes);
  fit.log_likelihood = search.explain(at, true);
  std::copy_n(at.begin(), p.size(), p.data());
  return fit;
}

// p: where to start, positive; then the result. Counts and p may hold several tables one after the
// other, each on its own; the fit returned is that of the last.
inline CellFit iterative_bayes(CellLayout layout, Column<double> counts, OutColumn<double> p,
                               Passes limits, Run run) {
  CellTable cells(layout);
  const std::size_t inputs = cells.inputs(), outputs = cells.outputs();
  const std::size_t tables = p.size() / inputs;
  if (tables == 0 || counts.size() != tables * outputs || p.size() != tables * inputs)
    throw std::invalid_argument("cells and counts do not fit together");
  CellFit fit{};
  for (std::size_t table = 0; table < tables; ++table)
    fit = iterative_bayes(cells, {counts.data() + table * outputs, outputs},
                          {p.data() + table * inputs, inputs}, limits, run);
  return fit;
}

}  // namespace tokumei::reconstruct
