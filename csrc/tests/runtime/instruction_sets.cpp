// One source for all instruction sets: each is run where it is asked for, with the same bits.
#include "tokumei/runtime/instruction_sets.hpp"

#include <cmath>
#include <stdexcept>
#include <vector>

#include "check.hpp"
#include "data.hpp"
#include "tokumei/runtime/run.hpp"

using namespace tokumei::runtime;

namespace {

struct Polynomial {
  TOKUMEI_HOT static double run(const double* x, std::size_t n, double* out) {
    double sum = 0.0;
    for (std::size_t i = 0; i < n; ++i) out[i] = (x[i] * 3.1 + 0.7) * x[i] - 1e-3;
    for (std::size_t i = 0; i < n; ++i) sum += out[i];
    return sum;
  }
};

TEST(every_instruction_set_gives_the_same_bits) {
  Random random(3);
  const auto data = make_data(random, 1003, 1, 0, 1e3);
  std::vector<double> expected(data.rows), out(data.rows);
  const double sum = Polynomial::run(data.values.data(), data.rows, expected.data());
  for (const auto isa : levels()) {
    CHECK(dispatch<Polynomial>(isa, data.values.data(), data.rows, out.data()) == sum);
    CHECK(out == expected);
  }
}

TEST(a_number_names_an_instruction_set_that_the_processor_has) {
  CHECK(instruction_set_of(0) == InstructionSet::baseline);
  const int best = static_cast<int>(best_instruction_set());
  CHECK(instruction_set_of(best) == best_instruction_set());
  CHECK_THROWS(std::invalid_argument, instruction_set_of(best + 1));
  CHECK_THROWS(std::invalid_argument, instruction_set_of(-1));
}

TEST(a_run_is_one_silent_thread_that_any_processor_can_run) {
  Run run;
  run.monitor.tick(1.0);
  CHECK(run.n_threads == 1 && run.isa == InstructionSet::baseline);
}

}  // namespace
