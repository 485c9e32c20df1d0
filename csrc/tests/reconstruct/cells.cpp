// Transition operators against their matrices, passes that never lose likelihood, and small
// symmetric systems.
#include <cmath>
#include <cstdint>
#include <stdexcept>
#include <vector>

#include "check.hpp"
#include "data.hpp"
#include "tokumei/reconstruct/iterative_bayes.hpp"

using namespace tokumei::reconstruct;
using namespace tokumei::numeric;

namespace {

using Numbers = std::vector<double>;
using Axes = std::vector<std::int64_t>;

bool close(double a, double b) { return std::abs(a - b) <= 1e-12 * std::abs(b) + 1e-300; }

CellLayout layout(const Axes& axes, const Numbers& coefficients) {
  return {{axes.data(), axes.size()}, {coefficients.data(), coefficients.size()}};
}

Numbers product(const Axes& axes, const Numbers& coefficients, const Numbers& in, std::size_t size,
                bool forward) {
  Numbers out(size);
  for (int isa = 0; isa <= static_cast<int>(best_instruction_set()); ++isa) {
    Numbers again(size);
    Run run;
    run.isa = instruction_set_of(isa);
    transition_cells(layout(axes, coefficients), {in.data(), in.size()}, {again.data(), size},
                     forward, run);
    if (isa > 0) CHECK(again == out);
    out = again;
  }
  return out;
}

Numbers uniforms(Random& random, std::size_t size) {
  Numbers values(size);
  for (auto& value : values) value = random.uniform() + 1e-3;
  return values;
}

// The axis' matrix by its own products with unit vectors, and by the dense kind.
TEST(every_kind_agrees_with_its_matrix) {
  Random random(11);
  for (int round = 0; round < 200; ++round) {
    const std::size_t inputs = 1 + random.below(20);
    std::size_t outputs = inputs, detail = 0;
    Numbers coefficients;
    const int kind = 1 + static_cast<int>(random.below(3));
    if (kind == 1) {
      detail = random.below(4);
      outputs = inputs + detail + random.below(4);
      coefficients = uniforms(random, 2 * outputs + 3 * inputs);
    } else if (kind == 2) {
      coefficients = uniforms(random, 2 * inputs);
    } else {
      detail = random.below(3);
      const std::size_t reach = random.below(30);
      outputs = inputs + reach + 2 * detail;
      coefficients = uniforms(random, 2 * outputs);
      for (std::size_t c = 0; c < inputs; ++c)
        coefficients.push_back(static_cast<double>(c + detail));
      for (std::size_t c = 0; c < inputs; ++c)
        coefficients.push_back(static_cast<double>(c + detail + reach));
      const Numbers fringe = uniforms(random, 2 * detail * inputs);
      coefficients.insert(coefficients.end(), fringe.begin(), fringe.end());
    }
    const auto number = [](std::size_t n) { return static_cast<std::int64_t>(n); };
    const Axes axis{kind, number(inputs), number(outputs), number(detail)};
    Numbers matrix(outputs * inputs);
    for (std::size_t c = 0; c < inputs; ++c) {
      Numbers unit(inputs, 0.0);
      unit[c] = 1.0;
      const Numbers column = product(axis, coefficients, unit, outputs, true);
      for (std::size_t r = 0; r < outputs; ++r) matrix[r * inputs + c] = column[r];
    }
    const Axes dense{0, number(inputs), number(outputs), 0};
    const Numbers p = uniforms(random, inputs), w = uniforms(random, outputs);
    const Numbers e = product(axis, coefficients, p, outputs, true);
    const Numbers e0 = product(dense, matrix, p, outputs, true);
    const Numbers u = product(axis, coefficients, w, inputs, false);
    const Numbers u0 = product(dense, matrix, w, inputs, false);
    for (std::size_t r = 0; r < outputs; ++r) CHECK(close(e[r], e0[r]));
    for (std::size_t c = 0; c < inputs; ++c) CHECK(close(u[c], u0[c]));

    // The same axis before and after another one: rows of numbers instead of single ones.
    const std::size_t width = 1 + random.below(5);
    Numbers one(width * width, 0.0);
    for (std::size_t i = 0; i < width; ++i) one[i * width + i] = 1.0;
    Numbers table(inputs * width), both = coefficients;
    for (std::size_t c = 0; c < inputs; ++c)
      for (std::size_t j = 0; j < width; ++j) table[c * width + j] = p[c];
    both.insert(both.end(), one.begin(), one.end());
    Axes axes = axis;
    axes.insert(axes.end(), {0, number(width), number(width), 0});
    const Numbers many = product(axes, both, table, outputs * width, true);
    for (std::size_t r = 0; r < outputs; ++r)
      for (std::size_t j = 0; j < width; ++j) CHECK(close(many[r * width + j], e0[r]));
  }
}

TEST(passes_never_lose_likelihood) {
  Random random(12);
  for (int round = 0; round < 50; ++round) {
    const std::size_t inputs = 2 + random.below(12), outputs = 2 + random.below(12);
    Numbers matrix = uniforms(random, inputs * outputs), counts = uniforms(random, outputs);
    for (std::size_t c = 0; c < inputs; ++c) {
      double sum = 0.0;
      for (std::size_t r = 0; r < outputs; ++r) sum += matrix[r * inputs + c];
      for (std::size_t r = 0; r < outputs; ++r) matrix[r * inputs + c] /= sum;
    }
    const Axes axis{0, static_cast<std::int64_t>(inputs), static_cast<std::int64_t>(outputs), 0};
    for (const bool accelerated : {false, true}) {
      double before = -1e300;
      for (std::size_t most : {2, 20, 200, 2000}) {
        Numbers p(inputs, 1.0 / static_cast<double>(inputs));
        const CellFit fit =
            iterative_bayes(layout(axis, matrix), {counts.data(), outputs}, {p.data(), inputs},
                            Passes(most, 0.0, 0.0, accelerated), Run{});
        CHECK(fit.log_likelihood >= before - 1e-9);
        CHECK(fit.passes <= most + 1);
        before = fit.log_likelihood;
        double sum = 0.0;
        for (const double share : p) sum += share;
        CHECK(std::abs(sum - 1.0) < 1e-12);
      }
    }
  }
}

}  // namespace
