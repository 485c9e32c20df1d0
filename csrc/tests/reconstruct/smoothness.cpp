// Cells of normal variables, evidence of mixtures, smoothness priors and the climbs under them.
#include "tokumei/reconstruct/smoothness.hpp"

#include <cmath>
#include <vector>

#include "check.hpp"
#include "data.hpp"
#include "tokumei/reconstruct/dense_matrix.hpp"
#include "tokumei/reconstruct/likelihood_remainders.hpp"
#include "tokumei/reconstruct/mixture_evidence.hpp"
#include "tokumei/reconstruct/normal_cells.hpp"
#include "tokumei/reconstruct/smoothness_prior.hpp"

using namespace tokumei::reconstruct;

namespace {

using Numbers = std::vector<double>;

Column<double> in(const Numbers& numbers) { return {numbers.data(), numbers.size()}; }
OutColumn<double> out(Numbers& numbers) { return {numbers.data(), numbers.size()}; }

Run run_on(InstructionSet isa) {
  Run run;
  run.isa = isa;
  return run;
}

// rows x columns numbers whose columns sum to 1.
Numbers noise_of(Random& random, std::size_t rows, std::size_t columns) {
  Numbers matrix(rows * columns);
  for (std::size_t c = 0; c < columns; ++c) {
    double sum = 0.0;
    for (std::size_t r = 0; r < rows; ++r) sum += matrix[r * columns + c] = random.uniform() + 0.01;
    for (std::size_t r = 0; r < rows; ++r) matrix[r * columns + c] /= sum;
  }
  return matrix;
}

TEST(cells_hold_the_masses_of_the_normal_distribution) {
  const Numbers edges{-40.0, -7.0, -1.0, 0.0, 0.5, 6.0, 9.0};
  for (const auto isa : levels())
    for (const double mean : {-3.0, 0.0, 2.0}) {
      Numbers masses(6);
      normal_cells(in(edges), mean, 1.5, out(masses), run_on(isa));
      for (std::size_t c = 0; c < 6; ++c) {
        const double low = (edges[c] - mean) / 1.5 / std::sqrt(2.0);
        const double high = (edges[c + 1] - mean) / 1.5 / std::sqrt(2.0);
        const double truth =
            low > 0 ? std::erfc(low) - std::erfc(high) : std::erfc(-high) - std::erfc(-low);
        CHECK(std::abs(masses[c] - 0.5 * truth) <= 1e-12 * std::abs(truth));
      }
    }
}

TEST(an_atom_is_in_the_cell_above_its_border_and_in_the_last) {
  const Numbers edges{0.0, 1.0, 2.0};
  Numbers masses(2);
  const auto cell = [&](double place) {
    normal_cells(in(edges), place, 0.0, out(masses), Run{});
    return masses[0] + masses[1] == 0.0 ? -1 : masses[1] == 1.0 ? 1 : 0;
  };
  CHECK(cell(0.0) == 0 && cell(0.5) == 0 && cell(1.0) == 1 && cell(2.0) == 1);
  CHECK(cell(-0.1) == -1 && cell(2.1) == -1);
}

TEST(a_matrix_and_its_transpose_multiply_alike) {
  Random random(2);
  const Numbers matrix = noise_of(random, 13, 9), x = noise_of(random, 9, 1),
                y = noise_of(random, 13, 1);
  for (const auto isa : levels()) {
    const DenseMatrix a(matrix.data(), 13, 9, isa);
    Numbers ax(13), ay(9);
    a.times(x.data(), ax.data());
    a.transposed_times(y.data(), ay.data());
    double left = 0.0, right = 0.0;
    for (std::size_t r = 0; r < 13; ++r) left += y[r] * ax[r];
    for (std::size_t c = 0; c < 9; ++c) right += x[c] * ay[c];
    CHECK(std::abs(left - right) < 1e-15);
  }
}

TEST(evidence_of_a_mixture_counts_what_the_records_determine) {
  Random random(3);
  const std::size_t cells = 12;
  Numbers edges(cells + 1), counts(cells), prior(5, 1.0);
  for (std::size_t c = 0; c <= cells; ++c)
    edges[c] = static_cast<double>(c) / static_cast<double>(cells);
  const Numbers parameters{0.3, 0.2, 0.7, -2.0, -1.5}, matrix = noise_of(random, cells, cells);
  double before = 0.0;
  for (const double records : {1.0, 100.0, 1e6}) {
    for (auto& count : counts) count = records;
    Numbers first;
    for (const auto isa : levels()) {
      Numbers found(cells), factor(25);
      const auto told = mixture_evidence(in(edges), in(parameters), in(matrix), in(counts),
                                         in(prior), out(found), out(factor), run_on(isa));
      double sum = 0.0;
      for (const double share : found) sum += share;
      CHECK(std::abs(sum - 1.0) < 1e-14);
      CHECK(told.freedom > before && told.freedom < 5.0 && told.log_likelihood < 0.0);
      found.insert(found.end(), {told.log_likelihood, told.log_determinant, told.freedom});
      if (first.empty()) first = found;
      CHECK(found == first);
    }
    before = first.back();
  }
  const Numbers few(parameters.begin(), parameters.begin() + 4), open(4, 1.0);
  Numbers found(cells), factor(16);
  CHECK_THROWS(std::invalid_argument, mixture_evidence(in(edges), in(few), in(matrix), in(counts),
                                                       in(open), out(found), out(factor), Run{}));
}

TEST(a_remainder_is_what_a_parabola_leaves_of_the_likelihood) {
  Random random(4);
  const std::size_t cells = 9, outputs = 11;
  const Numbers matrix = noise_of(random, outputs, cells);
  Numbers theta(cells), counts(outputs), information(cells * cells), moves(2 * cells);
  for (auto& number : theta) number = random.uniform();
  for (auto& number : counts) number = std::floor(1000.0 * random.uniform());
  for (std::size_t i = 0; i < cells; ++i)
    for (std::size_t j = 0; j <= i; ++j)
      information[i * cells + j] = information[j * cells + i] = random.uniform();
  // The second row moves all log-probabilities alike: only the information has something to say.
  for (std::size_t c = 0; c < cells; ++c) moves[c] = random.uniform(), moves[cells + c] = 0.7;
  double sum = 0.0;
  for (const double number : information) sum += number;
  Numbers first;
  for (const auto isa : levels()) {
    Numbers found(2);
    likelihood_remainders(in(matrix), in(counts), in(theta), in(information),
                          {moves.data(), 2, cells, true}, out(found), run_on(isa));
    CHECK(std::abs(found[1] - 0.5 * 0.49 * sum) < 1e-8);
    if (first.empty()) first = found;
    CHECK(found == first);
  }
}

TEST(a_smoothness_prior_leaves_polynomials_to_its_fixed_part) {
  for (const std::size_t order : {1U, 2U, 3U})
    for (const std::size_t cells : {1U, 2U, 3U, 9U}) {
      const std::size_t n = cells + 2, most = std::min(order, cells);
      const SmoothnessPrior prior(cells, 2, order, Run{});
      Numbers weak, strong;
      prior.precision(1.0, weak);
      prior.precision(1e6, strong);
      // A polynomial of a degree below the order costs the same under any strength.
      double costs[2] = {0.0, 0.0};
      for (std::size_t i = 0; i < cells; ++i)
        for (std::size_t j = 0; j < cells; ++j) {
          const double product = std::pow(static_cast<double>(i), static_cast<double>(most - 1)) *
                                 std::pow(static_cast<double>(j), static_cast<double>(most - 1));
          costs[0] += weak[i * n + j] * product;
          costs[1] += strong[i * n + j] * product;
        }
      CHECK(costs[0] > 0.0 && std::abs(costs[1] / costs[0] - 1.0) < 1e-3);
      CHECK(weak[n * n - 1] == 1.0 / 25.0);
      factorise(out(weak), n, Run{});
      CHECK(std::abs(log_determinant(in(weak), n) - prior.log_determinant_of(1.0)) < 1e-9);
    }
}

TEST(smooth_fits_end_where_nothing_pulls_and_have_the_same_bits_everywhere) {
  Random random(4);
  const std::size_t cells = 10, n = 11, rows = 12, most = 4;
  const Numbers matrix = noise_of(random, rows, n), strengths{100.0, 10.0, 1.0, 0.1};
  Numbers counts(rows);
  for (auto& count : counts) count = static_cast<double>(random.below(90));
  for (const std::size_t order : {1U, 2U, 3U}) {
    Numbers first;
    for (const auto isa : levels()) {
      Numbers evidence(most), logs(most), theta(most * n), p(most * n), information(most * n * n),
          factor(most * n * n);
      const std::size_t made =
          smooth_fits(in(matrix), in(counts), n - cells, order, in(strengths),
                      {out(evidence), out(logs), out(theta), out(p), out(information), out(factor)},
                      run_on(isa));
      CHECK(made == most);
      for (std::size_t fit = 0; fit < made; ++fit) {
        double sum = 0.0;
        for (std::size_t c = 0; c < n; ++c) sum += p[fit * n + c];
        CHECK(std::abs(sum - 1.0) < 1e-14);
        CHECK(fit == 0 || logs[fit] >= logs[fit - 1] - 1e-6);  // weaker smoothing fits better
      }
      Numbers all = evidence;
      all.insert(all.end(), theta.begin(), theta.end());
      if (first.empty()) first = all;
      CHECK(all == first);
    }
  }
}

}  // namespace
