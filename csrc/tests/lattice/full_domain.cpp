// Full-domain search against every node of small lattices.
#include "tokumei/lattice/full_domain.hpp"

#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "check.hpp"
#include "lattice/plain_lattice.hpp"

using namespace tokumei::lattice;

namespace {

struct Found {
  bool any;
  plain::Whole levels;
  std::vector<std::uint8_t> gone;
  double cost, bound;
};

Found found_by_search(const plain::Problem& problem, std::size_t most_nodes = 1000000,
                      Run run = {}) {
  Found found{false, plain::Whole(problem.attributes), std::vector<std::uint8_t>(problem.rows), 0,
              0};
  std::vector<double> figures{std::numeric_limits<double>::infinity(), 0.0, 0.0};
  const BestNode out{{found.levels.data(), found.levels.size()},
                     {found.gone.data(), found.gone.size()},
                     {figures.data(), figures.size()}};
  found.any = full_domain(problem.table(), problem.column(problem.counts), problem.hierarchies(),
                          problem.costs, problem.demands,
                          {problem.k, problem.most_suppressed, most_nodes}, out, run);
  found.cost = figures[0];
  found.bound = figures[1];
  return found;
}

bool near(double a, double b) { return std::abs(a - b) <= 1e-12 * std::abs(b); }

void check_optimum(const plain::Problem& problem) {
  const auto best = plain::best(problem);
  const auto found = found_by_search(problem);
  CHECK(found.any == std::isfinite(best.cost));
  if (!found.any) return;
  CHECK(near(found.cost, best.cost));
  CHECK(found.bound == found.cost);
  CHECK(found.levels == best.levels);
  CHECK(found.gone == best.gone);
}

const MetricKind kinds[] = {MetricKind::sum, MetricKind::geometric_mean, MetricKind::class_size,
                            MetricKind::discernibility, MetricKind::discernibility_of_all};

}  // namespace

TEST(no_levels_cost_less_than_those_found) {
  for (std::uint64_t seed = 0; seed < 12; ++seed)
    for (const MetricKind kind : kinds)
      for (const std::int64_t most : {0, 3, 12})
        for (const double factor : {0.0, 0.7}) {
          plain::Problem problem(20 + 3 * seed, 1 + seed % 4, seed);
          problem.most_suppressed = most;
          problem.cost_by(kind, factor);
          check_optimum(problem);
        }
}

TEST(suppression_may_cost_less_than_generalisation) {
  for (std::uint64_t seed = 0; seed < 6; ++seed) {
    plain::Problem problem(40, 3, seed);
    for (double& cost : problem.suppressed) cost *= 0.3;
    problem.most_suppressed = 10;
    problem.cost_by(MetricKind::sum);
    check_optimum(problem);
  }
}

TEST(costs_may_differ_from_value_to_value_of_a_label) {
  for (std::uint64_t seed = 0; seed < 6; ++seed) {
    plain::Problem problem(40, 3, seed);
    for (std::size_t i = 0; i < problem.suppressed.size(); ++i)
      problem.suppressed[i] += 0.01 * static_cast<double>(i % 4);
    problem.most_suppressed = 9;
    problem.cost_by(MetricKind::sum);
    check_optimum(problem);
  }
}

TEST(demands_hold_in_every_group_that_stays) {
  for (std::uint64_t seed = 0; seed < 10; ++seed)
    for (const std::int64_t most : {0, 8}) {
      const double limits[] = {2.0, 0.25, 0.2};
      for (std::int64_t kind = 0; kind < 3; ++kind) {
        plain::Problem problem(45, 3, seed);
        problem.k = 2;
        problem.most_suppressed = most;
        problem.cost_by(MetricKind::sum);
        problem.demand(static_cast<DemandKind>(kind), limits[kind]);
        if (seed % 2 == 0) problem.demand(DemandKind::distinct, 3.0);
        check_optimum(problem);
      }
    }
}

TEST(a_search_that_is_cut_short_leaves_an_answer_and_a_bound) {
  for (std::uint64_t seed = 0; seed < 10; ++seed)
    for (const std::size_t nodes : {0, 1, 5, 20}) {
      plain::Problem problem(40, 4, seed);
      problem.most_suppressed = 4;
      problem.cost_by(MetricKind::sum);
      const auto best = plain::best(problem);
      const auto found = found_by_search(problem, nodes);
      CHECK(found.bound <= best.cost * (1 + 1e-12));
      CHECK(found.cost >= best.cost * (1 - 1e-12));
      plain::Node levels(found.levels.begin(), found.levels.end());
      std::vector<std::uint8_t> gone;
      CHECK(near(found.cost, plain::cost(problem, levels, gone)));
      CHECK(found.gone == gone);
    }
}

TEST(levels_that_no_one_may_publish_are_none) {
  plain::Problem problem(10, 2, 1);
  problem.k = 11;
  problem.cost_by(MetricKind::sum);
  CHECK(!found_by_search(problem).any);
}

TEST(a_monitor_ends_the_search) {
  plain::Problem problem(40, 4, 3);
  problem.cost_by(MetricKind::sum);
  Run run;
  run.monitor = ProgressMonitor([](void*, double) noexcept { return false; }, nullptr);
  // The monitor is asked every 50 milliseconds at most; until then the search goes on.
  bool ended = false;
  for (int i = 0; i < 100000 && !ended; ++i) try {
      run.monitor.tick(0.0);
      found_by_search(problem, 1000, run);
    } catch (const Interrupted&) {
      ended = true;
    }
  CHECK(ended);
}

TEST(more_attributes_than_fit_are_refused) {
  plain::Problem problem(5, 33, 1);
  problem.cost_by(MetricKind::sum);
  CHECK_THROWS(std::invalid_argument, found_by_search(problem));
}
