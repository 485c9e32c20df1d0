// What a pass of iterative Bayes and a normal-Laplace variable are made of, by their definitions.
#include <cmath>
#include <vector>

#include "check.hpp"
#include "data.hpp"
#include "tokumei/reconstruct/cell_steps.hpp"
#include "tokumei/reconstruct/normal_laplace.hpp"

using namespace tokumei::reconstruct;

namespace {

using Numbers = std::vector<double>;

constexpr std::size_t cells = 16;

Numbers some_cells(Random& random) {
  Numbers values(cells);
  for (auto& value : values) value = random.uniform() + 1e-3;
  for (std::size_t c = 13; c < cells; ++c) values[c] = 0.0;  // filled up
  return values;
}

TEST(records_are_explained_and_shares_updated) {
  Random random(1);
  for (int round = 0; round < 20; ++round) {
    const Numbers n = some_cells(random), e = some_cells(random), p = some_cells(random);
    double likelihood = 0.0;
    for (std::size_t c = 0; c < 13; ++c) likelihood += n[c] * std::log(e[c]);
    for (const auto isa : levels()) {
      Numbers ratio(cells), out(cells);
      const double found =
          dispatch_lanes<Explain>(isa, n.data(), e.data(), ratio.data(), cells, true);
      CHECK(std::abs(found - likelihood) <= 1e-12 * std::abs(likelihood));
      for (std::size_t c = 0; c < cells; ++c) CHECK(ratio[c] == (c < 13 ? n[c] / e[c] : 0.0));
      dispatch<Update>(isa, p.data(), ratio.data(), 0.25, out.data(), cells);
      for (std::size_t c = 0; c < cells; ++c) CHECK(out[c] == p[c] * ratio[c] * 0.25);
    }
  }
  const Numbers tiny(cells, 1e-200);
  Numbers out(cells, 1.0);
  dispatch<Update>(InstructionSet::baseline, tiny.data(), tiny.data(), 1.0, out.data(), cells);
  CHECK(out[0] == 0.0);
}

TEST(steps_are_measured_and_extrapolated) {
  Random random(2);
  for (int round = 0; round < 20; ++round) {
    const Numbers p0 = some_cells(random), p1 = some_cells(random), p2 = some_cells(random);
    double step = 0.0, change = 0.0, sum = 0.0;
    Numbers far(cells);
    for (std::size_t c = 0; c < cells; ++c) {
      const double by = p1[c] - p0[c], turn = p2[c] - p1[c] - by;
      step += by * by;
      change += turn * turn;
      far[c] = std::max(p0[c] + 2 * 3.0 * by + 9.0 * turn, 0.1 * p2[c]);
      sum += far[c];
    }
    for (const auto isa : levels()) {
      const auto lengths = dispatch_lanes<Measure>(isa, p0.data(), p1.data(), p2.data(), cells);
      CHECK(std::abs(lengths.step - step) <= 1e-12 * step);
      CHECK(std::abs(lengths.change - change) <= 1e-12 * change);
      Numbers out(cells);
      const double found =
          dispatch_lanes<Extrapolate>(isa, p0.data(), p1.data(), p2.data(), 3.0, out.data(), cells);
      CHECK(std::abs(found - sum) <= 1e-12 * sum);
      for (std::size_t c = 0; c < cells; ++c)
        CHECK(std::abs(out[c] - far[c]) <= 1e-12 * (1 + far[c]));
    }
  }
}

struct Moments {
  double density, first, second;
};

template <std::size_t bytes>
struct Blurred {
  TOKUMEI_HOT static void run(NormalLaplace x, double y, Moments* out) {
    using V = Lanes<double, bytes>;
    const V at = broadcast<V>(y);
    const auto terms = normal_laplace_terms(x, at);
    const double height = std::exp(level_of(x, at)[0]) * normal_laplace_unit;
    *out = {terms.density[0] * height, terms.first[0] * height, terms.second[0] * height};
  }
};

// Integrals over the true value by Simpson's rule, on either side of y, where the density has a
// corner.
Moments plain_moments(double mean, double deviation, double y) {
  long double sums[3] = {};
  for (const double side : {-1.0, 1.0}) {
    constexpr int steps = 20'000;
    const long double width = (std::abs(y - mean) + 12 * deviation + 1.0L) / steps;
    for (int i = 0; i <= steps; ++i) {
      const long double weight = (i == 0 || i == steps ? 1 : i % 2 == 1 ? 4 : 2) * width / 3;
      const long double x = y + side * i * width, t = (x - mean) / deviation;
      const long double density = weight * std::exp(-t * t / 2) /
                                  (deviation * std::sqrt(2 * std::acos(-1.0L))) *
                                  std::exp(-std::abs(x - y)) / 2;
      sums[0] += density;
      sums[1] += density * t;
      sums[2] += density * t * t;
    }
  }
  return {static_cast<double>(sums[0]), static_cast<double>(sums[1]), static_cast<double>(sums[2])};
}

TEST(the_density_and_the_moments_behind_noise_are_integrals) {
  for (const double deviation : {0.2, 1.0, 3.0, 5.0})
    for (const double y : {-4.0, 0.3, 0.5, 2.0, 7.0}) {
      const auto expected = plain_moments(0.5, deviation, y);
      Moments first{};
      for (const auto isa : levels()) {
        Moments found{};
        dispatch_lanes<Blurred>(isa, NormalLaplace{0.5, deviation, 1 / deviation}, y, &found);
        CHECK(std::abs(found.density - expected.density) <= 1e-10 * expected.density);
        CHECK(std::abs(found.first - expected.first) <=
              1e-10 * (expected.density + std::abs(expected.first)));
        CHECK(std::abs(found.second - expected.second) <=
              1e-10 * (expected.density + expected.second));
        if (isa == InstructionSet::baseline) first = found;
        CHECK(found.density == first.density && found.second == first.second);
      }
    }
}

TEST(an_atom_is_blurred_by_the_noise_alone) {
  Moments found{};
  dispatch_lanes<Blurred>(InstructionSet::baseline, NormalLaplace{1.0, 0.0, 0.0}, 3.0, &found);
  CHECK(std::abs(found.density - std::exp(-2.0) / 2) < 1e-15);
  CHECK(found.first == 0.0 && found.second == 0.0);
}

}  // namespace
