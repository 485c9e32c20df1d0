// Every kind of transition against the matrix that its header writes down, for single numbers and
// for rows of them.
#include <cmath>
#include <cstdint>
#include <stdexcept>
#include <vector>

#include "check.hpp"
#include "data.hpp"
#include "tokumei/reconstruct/cell_rows.hpp"
#include "tokumei/reconstruct/cell_table.hpp"
#include "tokumei/reconstruct/dense_transition.hpp"
#include "tokumei/reconstruct/laplace_transition.hpp"
#include "tokumei/reconstruct/randomised_response_transition.hpp"
#include "tokumei/reconstruct/square_wave_transition.hpp"
#include "tokumei/reconstruct/transition.hpp"

using namespace tokumei::reconstruct;

namespace {

using Numbers = std::vector<double>;

Numbers uniforms(Random& random, std::size_t size) {
  Numbers values(size);
  for (auto& value : values) value = random.uniform() + 1e-3;
  return values;
}

// Both products of a transition, number by number and row by row, against its matrix.
template <class Kind>
void products_are_those_of(Random& random, const Kind& kind, std::size_t inputs,
                           std::size_t outputs, const Numbers& matrix) {
  for (const std::size_t inner : {1U, 3U}) {
    const Numbers p = uniforms(random, inputs * inner), w = uniforms(random, outputs * inner);
    Numbers e(outputs * inner), u(inputs * inner), scratch((inputs + outputs + 12) * inner);
    const auto check = [&] {
      for (std::size_t j = 0; j < inner; ++j) {
        for (std::size_t r = 0; r < outputs; ++r) {
          double sum = 0.0;
          for (std::size_t c = 0; c < inputs; ++c) sum += matrix[r * inputs + c] * p[c * inner + j];
          CHECK(std::abs(e[r * inner + j] - sum) <= 1e-12 * sum);
        }
        for (std::size_t c = 0; c < inputs; ++c) {
          double sum = 0.0;
          for (std::size_t r = 0; r < outputs; ++r)
            sum += matrix[r * inputs + c] * w[r * inner + j];
          CHECK(std::abs(u[c * inner + j] - sum) <= 1e-12 * sum);
        }
      }
    };
    kind.forward(p.data(), e.data(), scratch.data(), Many{inner});
    kind.backward(w.data(), u.data(), scratch.data(), Many{inner});
    check();
    if (inner > 1) continue;
    kind.forward(p.data(), e.data(), scratch.data(), One{});
    kind.backward(w.data(), u.data(), scratch.data(), One{});
    check();
  }
}

TEST(any_matrix_is_a_transition) {
  Random random(1);
  for (int round = 0; round < 40; ++round) {
    const std::size_t inputs = 1 + random.below(20), outputs = 1 + random.below(20);
    const Numbers matrix = uniforms(random, inputs * outputs);
    products_are_those_of(random, DenseTransition<narrowest>{inputs, outputs, matrix.data()},
                          inputs, outputs, matrix);
  }
}

TEST(laplace_noise_goes_on_from_cell_to_cell) {
  Random random(2);
  for (int round = 0; round < 40; ++round) {
    const std::size_t inputs = 1 + random.below(12), below = random.below(4);
    const std::size_t outputs = inputs + below + random.below(4);
    const Numbers decay = uniforms(random, outputs), caught = uniforms(random, outputs);
    const Numbers up = uniforms(random, inputs), down = uniforms(random, inputs);
    const Numbers stay = uniforms(random, inputs);
    Numbers matrix(outputs * inputs);
    for (std::size_t c = 0; c < inputs; ++c) {
      matrix[(c + below) * inputs + c] = stay[c];
      double on = up[c];
      for (std::size_t r = c + below + 1; r < outputs; ++r, on *= decay[r - 1])
        matrix[r * inputs + c] = on * caught[r];
      on = down[c];
      for (std::size_t r = c + below; r-- > 0; on *= decay[r])
        matrix[r * inputs + c] = on * caught[r];
    }
    products_are_those_of(random,
                          LaplaceTransition{inputs, outputs, below, decay.data(), caught.data(),
                                            up.data(), down.data(), stay.data()},
                          inputs, outputs, matrix);
  }
}

TEST(randomised_response_keeps_or_replaces) {
  Random random(3);
  for (int round = 0; round < 40; ++round) {
    const std::size_t cells = 1 + random.below(30);
    const Numbers replaced = uniforms(random, cells), kept = uniforms(random, cells);
    Numbers matrix(cells * cells);
    for (std::size_t r = 0; r < cells; ++r)
      for (std::size_t c = 0; c < cells; ++c)
        matrix[r * cells + c] = replaced[r] + (r == c ? kept[c] : 0.0);
    products_are_those_of(random, RandomisedResponseTransition{cells, replaced.data(), kept.data()},
                          cells, cells, matrix);
  }
}

TEST(the_square_wave_has_a_window_and_its_fringe) {
  Random random(4);
  for (int round = 0; round < 40; ++round) {
    const std::size_t inputs = 1 + random.below(12), width = random.below(3);
    const std::size_t reach = random.below(8), outputs = inputs + reach + 2 * width;
    const Numbers everywhere = uniforms(random, outputs), window = uniforms(random, outputs);
    const Numbers lower = uniforms(random, inputs * width),
                  upper = uniforms(random, inputs * width);
    Numbers first(inputs), last(inputs), matrix(outputs * inputs);
    for (std::size_t c = 0; c < inputs; ++c) {
      first[c] = static_cast<double>(c + width);
      last[c] = static_cast<double>(c + width + reach);
      for (std::size_t r = 0; r < outputs; ++r)
        matrix[r * inputs + c] =
            everywhere[r] + (c + width <= r && r < c + width + reach ? window[r] : 0.0);
      for (std::size_t k = 0; k < width; ++k) {
        matrix[(c + k) * inputs + c] += lower[c * width + k];
        matrix[(c + width + reach + k) * inputs + c] += upper[c * width + k];
      }
    }
    products_are_those_of(random,
                          SquareWaveTransition{inputs, outputs, width, everywhere.data(),
                                               window.data(), first.data(), last.data(),
                                               lower.data(), upper.data()},
                          inputs, outputs, matrix);
  }
}

TEST(a_line_of_running_sums_starts_at_nothing) {
  double memory[3] = {7, 7, 7};
  RunningRow<Many> line(memory, 3);
  line[1] += 2.0;
  CHECK(memory[0] == 0.0 && memory[1] == 2.0 && memory[2] == 0.0);
  RunningRow<One> one(memory, One{});
  one[0] += 3.0;
  CHECK(one[0] == 3.0 && memory[0] == 0.0);
}

TEST(a_table_works_along_every_axis) {
  Random random(5);
  for (const auto isa : levels()) {
    const Numbers first = uniforms(random, 2 * 3), second = uniforms(random, 4 * 2);
    Numbers both = first;
    both.insert(both.end(), second.begin(), second.end());
    const std::vector<std::int64_t> axes{0, 3, 2, 0, 0, 2, 4, 0};
    CellTable table({{axes.data(), axes.size()}, {both.data(), both.size()}});
    CHECK(table.axes() == 2 && table.inputs() == 6 && table.outputs() == 8);
    CHECK(table.inputs_of(0) == 3 && table.inner(0) == 2 && table.inner(1) == 1);
    const Numbers p = uniforms(random, 6), w = uniforms(random, 8);
    Numbers e(8), u(6);
    table.forward(isa, p.data(), e.data());
    table.backward(isa, w.data(), u.data());
    double forward = 0.0, backward = 0.0;
    for (std::size_t r = 0; r < 2; ++r)
      for (std::size_t s = 0; s < 4; ++s) {
        double sum = 0.0;
        for (std::size_t c = 0; c < 3; ++c)
          for (std::size_t d = 0; d < 2; ++d)
            sum += first[r * 3 + c] * second[s * 2 + d] * p[c * 2 + d];
        CHECK(std::abs(e[r * 4 + s] - sum) <= 1e-12 * sum);
        forward += e[r * 4 + s] * w[r * 4 + s];
      }
    for (std::size_t c = 0; c < 6; ++c) backward += u[c] * p[c];
    CHECK(std::abs(forward - backward) <= 1e-12 * forward);
  }
}

TEST(what_does_not_fit_is_refused) {
  const Numbers numbers(20, 0.5);
  CHECK_THROWS(std::invalid_argument, Transition(4, 2, 2, 0, numbers.data()));
  CHECK_THROWS(std::invalid_argument, Transition(-1, 2, 2, 0, numbers.data()));
  CHECK_THROWS(std::invalid_argument, Transition(1, 3, 4, 2, numbers.data()));
  CHECK_THROWS(std::invalid_argument, Transition(2, 2, 3, 0, numbers.data()));
  CHECK(Transition::coefficients_of(0, 2, 3, 0) == 6);
  CHECK(Transition::coefficients_of(1, 2, 3, 1) == 12);
  CHECK(Transition::coefficients_of(2, 3, 3, 0) == 6);
  CHECK(Transition::coefficients_of(3, 2, 4, 1) == 16);
  CHECK(Transition(0, 2, 3, 0, numbers.data()).scratch(2) >= 2 * 5);
  const std::vector<std::int64_t> axis{0, 2, 3, 0}, none;
  const Column<std::int64_t> axes(axis.data(), 4);
  CHECK_THROWS(std::invalid_argument, CellTable({axes, {numbers.data(), 5}}));
  CHECK_THROWS(std::invalid_argument, CellTable({axes, {numbers.data(), 7}}));
  CHECK_THROWS(std::invalid_argument, CellTable({{none.data(), 0}, {numbers.data(), 0}}));
}

}  // namespace
