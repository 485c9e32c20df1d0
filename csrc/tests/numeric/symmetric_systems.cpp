// Symmetric systems: products and factors by their definitions, solutions that solve.
#include "tokumei/numeric/symmetric_systems.hpp"

#include <cmath>
#include <stdexcept>
#include <vector>

#include "check.hpp"
#include "data.hpp"

using namespace tokumei::numeric;

namespace {

using Numbers = std::vector<double>;

OutColumn<double> out(Numbers& numbers) { return {numbers.data(), numbers.size()}; }
Column<double> in(const Numbers& numbers) { return {numbers.data(), numbers.size()}; }
bool close(double a, double b) { return std::abs(a - b) <= 1e-9 * (1 + std::abs(b)); }

// A' diag(w) A plus the identity, for A with rows x n uniform numbers.
Numbers definite(Random& random, std::size_t rows, std::size_t n, Run run) {
  Numbers a(rows * n), w(rows), s(n * n);
  for (auto& value : a) value = random.uniform() - 0.5;
  for (auto& value : w) value = random.uniform();
  weighted_square(in(a), in(w), out(s), run);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) {
      double sum = 0.0;
      for (std::size_t r = 0; r < rows; ++r) sum += a[r * n + i] * w[r] * a[r * n + j];
      CHECK(close(s[i * n + j], sum) && s[i * n + j] == s[j * n + i]);
    }
  for (std::size_t i = 0; i < n; ++i) s[i * n + i] += 1.0;
  return s;
}

TEST(systems_are_solved_alike_on_every_instruction_set) {
  for (const std::size_t n : {1U, 2U, 3U, 7U, 8U, 33U}) {
    Numbers first;
    for (const auto isa : levels()) {
      Random random(13);
      const Run run{1, isa, {}};
      const Numbers s = definite(random, n + 3, n, run);
      Numbers u = s, wanted(2 * n), x(2 * n);
      for (auto& value : wanted) value = random.uniform();
      for (std::size_t side = 0; side < 2; ++side)
        for (std::size_t i = 0; i < n; ++i)
          for (std::size_t j = 0; j < n; ++j)
            x[side * n + i] += s[i * n + j] * wanted[side * n + j];
      factorise(out(u), n, run);
      for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = i; j < n; ++j) {
          double sum = 0.0;
          for (std::size_t k = 0; k <= i; ++k) sum += u[k * n + i] * u[k * n + j];
          CHECK(close(sum, s[i * n + j]));
        }
      Numbers half(n);
      for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = i; j < n; ++j) half[i] += u[i * n + j] * wanted[j];
      solve_factorised(in(u), n, out(half), false, run);
      solve_factorised(in(u), n, out(x), true, run);
      for (std::size_t i = 0; i < 2 * n; ++i) CHECK(close(x[i], wanted[i]));
      for (std::size_t i = 0; i < n; ++i) CHECK(close(half[i], wanted[i]));
      if (first.empty()) first = x;
      CHECK(x == first);
    }
  }
}

TEST(rows_are_added_between_their_borders_only) {
  Numbers to{1, 1, 1, 1};
  const Numbers from{1, 2, 3, 4};
  add_row(to.data(), from.data(), 10.0, 1, 3);
  CHECK((to == Numbers{1, 21, 31, 1}));
}

TEST(what_is_not_positive_definite_or_does_not_fit_is_refused) {
  Numbers wrong{1.0, 2.0, 2.0, 1.0}, nothing{0.0}, three(3);
  CHECK_THROWS(std::invalid_argument, factorise(out(wrong), 2, Run{}));
  CHECK_THROWS(std::invalid_argument, factorise(out(nothing), 1, Run{}));
  CHECK_THROWS(std::invalid_argument, factorise(out(three), 2, Run{}));
  CHECK_THROWS(std::invalid_argument, solve_factorised(in(wrong), 2, out(three), true, Run{}));
  CHECK_THROWS(std::invalid_argument, weighted_square(in(three), in(wrong), out(three), Run{}));
}

}  // namespace
