// Registers of lanes against single numbers, operation by operation, for every instruction set.
#include "tokumei/simd/lanes.hpp"

#include <cstdint>
#include <vector>

#include "check.hpp"
#include "data.hpp"

using namespace tokumei::simd;

namespace {

constexpr std::size_t count = 64;

template <std::size_t bytes>
struct Numbers {
  TOKUMEI_HOT static std::size_t run(const double* a, const double* b, double* out) {
    using V = Lanes<double, bytes>;
    constexpr std::size_t width = bytes / sizeof(double);
    for (std::size_t i = 0; i < count; i += width) {
      const V x = load<V>(a + i), y = load<V>(b + i);
      store(out + i, (x + y) * 2.0 - x / (y * y + 1.0));
      store(out + count + i, larger(x, y));
      store(out + 2 * count + i, smaller(x, y));
      store(out + 3 * count + i, select(x == y, broadcast<V>(7.0), 1.0 - x));
    }
    return bytes;
  }
};

template <std::size_t bytes>
struct Words {
  TOKUMEI_HOT static void run(const double* a, std::uint64_t* out) {
    using V = Lanes<double, bytes>;
    constexpr std::size_t width = bytes / sizeof(double);
    for (std::size_t i = 0; i < count; i += width) {
      const auto x = bits_as<std::uint64_t>(load<V>(a + i));
      store(out + i, (x >> 52) | (x << 12));
      store(out + count + i, ~x ^ (x & std::uint64_t{0xffff}));
      store(out + 2 * count + i, bits_as<std::uint64_t>(bits_as<double>(x)));
    }
  }
};

std::vector<double> some(Random& random) {
  return make_data(random, count, 1, random.below(2) * 3).values;
}

TEST(lanes_of_numbers_are_worked_on_one_by_one) {
  Random random(1);
  for (int round = 0; round < 20; ++round) {
    const auto a = some(random), b = some(random);
    for (const auto isa : levels()) {
      std::vector<double> out(4 * count);
      CHECK(dispatch_lanes<Numbers>(isa, a.data(), b.data(), out.data()) == register_bytes(isa));
      for (std::size_t i = 0; i < count; ++i) {
        CHECK(out[i] == (a[i] + b[i]) * 2.0 - a[i] / (b[i] * b[i] + 1.0));
        CHECK(out[count + i] == (a[i] > b[i] ? a[i] : b[i]));
        CHECK(out[2 * count + i] == (a[i] < b[i] ? a[i] : b[i]));
        CHECK(out[3 * count + i] == (a[i] == b[i] ? 7.0 : 1.0 - a[i]));
      }
    }
  }
}

TEST(lanes_of_bits_are_worked_on_one_by_one) {
  Random random(2);
  const auto a = some(random);
  for (const auto isa : levels()) {
    std::vector<std::uint64_t> out(3 * count);
    dispatch_lanes<Words>(isa, a.data(), out.data());
    for (std::size_t i = 0; i < count; ++i) {
      const auto x = std::bit_cast<std::uint64_t>(a[i]);
      CHECK(out[i] == ((x >> 52) | (x << 12)));
      CHECK(out[count + i] == (~x ^ (x & 0xffff)));
      CHECK(out[2 * count + i] == x);
    }
  }
}

TEST(wider_registers_come_with_wider_instructions) {
  std::size_t before = 16;
  for (const auto isa : levels()) {
    CHECK(register_bytes(isa) >= before && register_bytes(isa) <= 64);
    before = register_bytes(isa);
  }
  CHECK(register_bytes(InstructionSet::baseline) == 16);
}

}  // namespace
