// EM to a maximum: components that move, climbs that never fall, bounds, clusters to start from.
#include <algorithm>
#include <cmath>
#include <vector>

#include "check.hpp"
#include "data.hpp"
#include "tokumei/reconstruct/bounded_mixture.hpp"
#include "tokumei/reconstruct/fit_mixture.hpp"
#include "tokumei/reconstruct/laplace_sums.hpp"
#include "tokumei/reconstruct/line_clusters.hpp"
#include "tokumei/reconstruct/mixture_climb.hpp"
#include "tokumei/reconstruct/mixture_components.hpp"

using namespace tokumei::reconstruct;

namespace {

using Numbers = std::vector<double>;

Column<double> in(const Numbers& numbers) { return {numbers.data(), numbers.size()}; }
OutColumn<double> out(Numbers& numbers) { return {numbers.data(), numbers.size()}; }

// Ascending numbers, some of which coincide.
Numbers places(Random& random, std::size_t count, double width) {
  Numbers found(count);
  for (auto& place : found) place = std::round((random.uniform() * 2 - 1) * width * 4) / 4;
  std::sort(found.begin(), found.end());
  return found;
}

double sum_over_pairs(const Numbers& sources, const Numbers& masses, double at) {
  double sum = 0.0;
  for (std::size_t i = 0; i < sources.size(); ++i)
    sum += 0.5 * masses[i] * std::exp(-std::abs(at - sources[i]));
  return sum;
}

TEST(sums_under_noise_are_those_of_all_pairs) {
  Random random(3);
  for (std::size_t count = 1; count < 40; ++count) {
    const auto sources = places(random, count, 20.0), targets = places(random, 41 - count, 30.0);
    Numbers given(count), wanted(targets.size()), ahead(targets.size()), back(count);
    for (auto& mass : given) mass = random.uniform();
    for (auto& mass : wanted) mass = random.uniform();
    const LaplaceSums sums(in(sources), in(targets), best_instruction_set());
    sums.ahead(given.data(), ahead.data());
    sums.back(wanted.data(), back.data());
    for (std::size_t i = 0; i < targets.size(); ++i)
      CHECK(std::abs(ahead[i] / sum_over_pairs(sources, given, targets[i]) - 1.0) < 1e-13);
    for (std::size_t i = 0; i < count; ++i)
      CHECK(std::abs(back[i] / sum_over_pairs(targets, wanted, sources[i]) - 1.0) < 1e-13);
  }
}

TEST(components_come_back_from_their_vector_and_move_where_they_hold_something) {
  const Numbers weights{0.5, 0.3, 0.2}, means{1.0, -2.0, 4.0}, deviations{0.5, 3.0, 0.0};
  const MixtureComponents start({in(weights), in(means), in(deviations)}, 1);
  const auto isa = best_instruction_set();
  MixtureComponents again = start;
  again.from_vector(isa, start.to_vector(isa));
  for (std::size_t k = 0; k < 3; ++k) {
    CHECK(std::abs(again.weights[k] - weights[k]) < 1e-15);
    CHECK(again.means[k] == means[k]);
    CHECK(std::abs(again.deviations[k] - deviations[k]) < 1e-14);
  }
  again = start;
  again.move({0.7, 0.0, 0.3}, {2.0, 1.0, 1.0}, {5.0, 9.0, 9.0});
  CHECK(again.means[0] == 2.0 && again.deviations[0] == 0.5);  // sqrt(5 - 2^2) widths
  CHECK(again.means[1] == -2.0 && again.deviations[1] == 3.0);
  CHECK(again.means[2] == 4.0 && again.deviations[2] == 0.0);
}

TEST(climbs_never_fall_and_have_the_same_bits_everywhere) {
  Random random(5);
  const auto y = places(random, 3000, 12.0);
  const Numbers bounds{-9.0, -4.0, 0.0, 1.0, 2.5, 9.0};
  for (const auto& edges : {Numbers{}, bounds}) {
    Numbers first;
    for (const auto isa : levels())
      for (const unsigned threads : {1U, 3U}) {
        Numbers weights{0.4, 0.3, 0.3}, means{-5.0, 5.0, 1.0}, deviations{1.0, 2.0, 0.0};
        Run run;
        run.n_threads = threads;
        run.isa = isa;
        const MixtureRecords records{in(y), {}, in(edges)};
        const Climb done = fit_mixture(records, out(weights), out(means), out(deviations), 1,
                                       {1e-6, 60, true}, run);
        CHECK(std::is_sorted(done.trace.begin(), done.trace.end(),
                             [](double a, double b) { return a < b - 1e-7; }));
        const MixtureView mixture{in(weights), in(means), in(deviations)};
        Numbers members(3 * y.size()), logs(y.size());
        mixture_posterior(records, mixture, 1, {members.data(), y.size(), 3}, out(logs), run);
        double log_likelihood = 0.0;
        for (std::size_t i = 0; i < y.size(); ++i) {
          log_likelihood += logs[i];
          const double sum = members[i] + members[i + y.size()] + members[i + 2 * y.size()];
          CHECK(std::abs(sum - 1.0) < 1e-13);
        }
        CHECK(std::abs(log_likelihood / done.log_likelihood - 1.0) < 1e-12);
        const double again = mixture_log_likelihood(records, mixture, 1, run);
        CHECK(std::abs(again / done.log_likelihood - 1.0) < 1e-12);
        Numbers all = done.trace;
        for (const auto* part : {&weights, &means, &deviations, &members, &logs})
          all.insert(all.end(), part->begin(), part->end());
        if (first.empty()) first = all;
        CHECK(all == first);
      }
  }
}

TEST(a_climb_can_be_interrupted) {
  Random random(6);
  const auto y = places(random, 3000, 30.0);
  const Numbers bounds{-30.0, -10.0, 0.0, 12.0, 30.0};
  for (const auto& edges : {Numbers{}, bounds}) {
    Numbers weights{0.5, 0.5}, means{-3.0, 5.0}, deviations{1.0, 2.0};
    Run run;
    run.monitor = ProgressMonitor([](void*, double) noexcept { return false; }, nullptr);
    CHECK_THROWS(Interrupted, fit_mixture({in(y), {}, in(edges)}, out(weights), out(means),
                                          out(deviations), 0, {-1.0, 1U << 30, true}, run));
  }
}

TEST(two_clusters_are_told_apart) {
  const Numbers y{0.0, 1.0, 2.0, 10.0, 12.0}, counts{1.0, 2.0, 1.0, 3.0, 1.0};
  Numbers means{0.0, 1.0, 50.0}, weights(3), squares(3);
  line_clusters(in(y), in(counts), out(means), out(weights), out(squares), Run{});
  CHECK(weights[0] + weights[1] + weights[2] == 8.0);
  Numbers both{0.0, 12.0}, held(2), apart(2);
  line_clusters(in(y), in(counts), out(both), out(held), out(apart), Run{});
  CHECK(both[0] == 1.0 && both[1] == 10.5);
  CHECK(held[0] == 4.0 && held[1] == 4.0);
  CHECK(apart[0] == 2.0 && apart[1] == 3.0);
}

}  // namespace
