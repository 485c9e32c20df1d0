// The keystream against the standard, and records that draw alike on any number of threads.
#include <array>
#include <cmath>
#include <cstdint>
#include <stdexcept>
#include <vector>

#include "check.hpp"
#include "data.hpp"
#include "tokumei/noise/chacha.hpp"
#include "tokumei/noise/discrete_laplace.hpp"
#include "tokumei/noise/scattering.hpp"
#include "tokumei/noise/secure_order.hpp"
#include "tokumei/noise/secure_records.hpp"

using namespace tokumei::noise;

namespace {

ChaChaKey key_of(std::uint32_t first) {
  ChaChaKey key{};
  for (std::uint32_t i = 0; i < 8; ++i) key[i] = first + i * 0x01010101U;
  return key;
}

// Whether a share of so many draws is the chance of one, but for five standard deviations.
bool by_chance(double share, double chance, std::size_t draws) {
  return std::abs(share - chance) <
         5.0 * std::sqrt(chance * (1.0 - chance) / static_cast<double>(draws));
}

// One block of RFC 8439, word by word.
std::array<std::uint32_t, 16> plain_block(const ChaChaKey& key, std::uint64_t stream,
                                          std::uint32_t counter) {
  std::array<std::uint32_t, 16> start{0x61707865, 0x3320646e, 0x79622d32, 0x6b206574};
  for (std::size_t i = 0; i < 8; ++i) start[4 + i] = key[i];
  start[12] = counter;
  start[14] = static_cast<std::uint32_t>(stream);
  start[15] = static_cast<std::uint32_t>(stream >> 32);
  auto x = start;
  const auto turned = [](std::uint32_t v, int by) { return v << by | v >> (32 - by); };
  const auto quarter = [&](std::size_t a, std::size_t b, std::size_t c, std::size_t d) {
    x[a] += x[b], x[d] = turned(x[d] ^ x[a], 16);
    x[c] += x[d], x[b] = turned(x[b] ^ x[c], 12);
    x[a] += x[b], x[d] = turned(x[d] ^ x[a], 8);
    x[c] += x[d], x[b] = turned(x[b] ^ x[c], 7);
  };
  for (int round = 0; round < 10; ++round) {
    for (std::size_t i = 0; i < 4; ++i) quarter(i, 4 + i, 8 + i, 12 + i);
    for (std::size_t i = 0; i < 4; ++i)
      quarter(i, 4 + (i + 1) % 4, 8 + (i + 2) % 4, 12 + (i + 3) % 4);
  }
  for (std::size_t i = 0; i < 16; ++i) x[i] += start[i];
  return x;
}

TEST(the_words_are_those_of_the_standard) {
  for (const std::uint32_t first : {0U, 0x03020100U})
    for (const auto isa : levels()) {
      std::vector<std::uint32_t> out(chacha_words);
      const std::uint64_t stream = 0x0123456789abcdefULL;
      chacha(key_of(first), stream, 7, out.data(), isa);
      for (std::uint32_t block = 0; block < chacha_group; ++block) {
        const auto expected = plain_block(key_of(first), stream, 7 + block);
        for (std::size_t word = 0; word < 16; ++word)
          CHECK(out[16 * word + block] == expected[word]);
      }
    }
  // Appendix A.1 of the standard, test vector 1.
  CHECK(plain_block({}, 0, 0)[0] == 0xade0b876 && plain_block({}, 0, 0)[15] == 0x8665eeb2);
}

TEST(every_record_draws_from_the_stream_of_its_block) {
  const std::size_t records = 2 * secure_block + 100;
  std::vector<std::uint32_t> first;
  for (const auto isa : levels())
    for (const unsigned threads : {1U, 3U}) {
      Run run{threads, isa, {}};
      std::vector<std::uint32_t> out(records);
      each_record_securely(key_of(5), records, run, [&](std::size_t record, SecureWords& words) {
        out[record] = words.word();
      });
      if (first.empty()) first = out;
      CHECK(out == first);
    }
  SecureWords third(key_of(5), 2, InstructionSet::baseline);
  CHECK(first[2 * secure_block] == third.word());
  CHECK(first[0] != first[secure_block]);
}

TEST(codes_are_scattered_over_their_window_and_the_others) {
  Random random(1);
  const std::size_t records = 40'000;
  for (const std::uint32_t reach : {0U, 2U}) {
    const Scattering scattering{6, reach, std::uint64_t{3} << 62};
    std::vector<std::int64_t> codes(records, 1), out(records), again(records);
    scatter(key_of(9), scattering, {codes.data(), records}, {out.data(), records},
            {1, best_instruction_set(), {}});
    scatter(key_of(9), scattering, {codes.data(), records}, {again.data(), records},
            {3, InstructionSet::baseline, {}});
    CHECK(out == again);
    // Outputs are counted from -reach; 1 is in the window 1 - reach .. 1 + reach.
    std::vector<double> times(6 + 2 * reach);
    for (const auto code : out) {
      CHECK(code >= 0 && static_cast<std::size_t>(code) < times.size());
      times.at(static_cast<std::size_t>(code)) += 1.0 / static_cast<double>(records);
    }
    for (std::size_t code = 0; code < times.size(); ++code) {
      const bool near = code >= 1 && code <= 1 + 2 * reach;
      CHECK(by_chance(times[code], near ? 0.75 / (2 * reach + 1) : 0.25 / 5, records));
    }
  }
}

TEST(codes_out_of_range_are_refused) {
  std::vector<std::int64_t> codes{0, 3}, out(2);
  const Column<std::int64_t> in(codes.data(), 2);
  const OutColumn<std::int64_t> to(out.data(), 2);
  CHECK_THROWS(std::invalid_argument, scatter({}, {3, 0, 1}, in, to, {}));
  CHECK_THROWS(std::invalid_argument, scatter({}, {1, 0, 1}, in, to, {}));
  codes[1] = -1;
  CHECK_THROWS(std::invalid_argument, scatter({}, {3, 0, 1}, in, to, {}));
}

TEST(laplace_noise_has_the_variance_of_its_rate_and_threads_change_nothing) {
  const std::size_t records = 40'000;
  std::vector<std::int64_t> out(records), again(records);
  const std::uint64_t half = std::uint64_t{1} << 63;  // a rate of 1/2
  discrete_laplace(key_of(3), 0, half, {out.data(), records}, {1, best_instruction_set(), {}});
  discrete_laplace(key_of(3), 0, half, {again.data(), records}, {3, InstructionSet::baseline, {}});
  CHECK(out == again);
  double squares = 0.0, sum = 0.0;
  for (const auto draw : out) {
    sum += static_cast<double>(draw);
    squares += static_cast<double>(draw * draw);
  }
  const double r = std::exp(-0.5), variance = 2 * r / ((1 - r) * (1 - r));
  CHECK(std::abs(sum / static_cast<double>(records)) < 0.1);
  CHECK(std::abs(squares / static_cast<double>(records) / variance - 1) < 0.1);
  CHECK_THROWS(std::invalid_argument, DiscreteLaplace(0, 1));
  CHECK_THROWS(std::invalid_argument, DiscreteLaplace(std::uint64_t{1} << 21, 0));
}

TEST(an_order_holds_every_row_once) {
  for (const std::size_t rows : {0U, 1U, 2U, 1000U}) {
    std::vector<std::int64_t> order(rows), times(rows);
    secure_order(key_of(1), {order.data(), rows}, {});
    for (const auto row : order) ++times[static_cast<std::size_t>(row)];
    for (const auto count : times) CHECK(count == 1);
  }
}

TEST(every_order_is_as_likely_as_any_other) {
  const std::size_t times = 24'000;
  SecureWords words(key_of(2), 0, InstructionSet::baseline);
  ProgressMonitor monitor;
  std::array<std::size_t, 256> seen{};
  for (std::size_t i = 0; i < times; ++i) {
    std::vector<std::int64_t> order(4);
    shuffle(words, {order.data(), 4}, monitor);
    ++seen[static_cast<std::size_t>(((order[0] * 4 + order[1]) * 4 + order[2]) * 4 + order[3])];
  }
  std::size_t orders = 0;
  for (const std::size_t count : seen) {
    orders += count > 0;
    if (count > 0)
      CHECK(by_chance(static_cast<double>(count) / static_cast<double>(times), 1.0 / 24, times));
  }
  CHECK(orders == 24);
}

TEST(places_are_drawn_alike_on_any_number_of_threads) {
  const std::size_t rows = 40'000;
  std::vector<std::int64_t> places(rows), again(rows);
  secure_places(key_of(4), 5, {places.data(), rows}, {1, best_instruction_set(), {}});
  secure_places(key_of(4), 5, {again.data(), rows}, {3, InstructionSet::baseline, {}});
  CHECK(places == again);
  std::array<double, 5> shares{};
  for (const auto place : places)
    shares.at(static_cast<std::size_t>(place)) += 1.0 / static_cast<double>(rows);
  for (const double share : shares) CHECK(by_chance(share, 0.2, rows));
}

TEST(laplace_noise_of_a_small_rate_is_right_to_its_last_bit) {
  const std::size_t records = 200'000;
  std::vector<std::int64_t> out(records);
  const std::uint64_t rate = std::uint64_t{1} << 59;  // 1/32: some bits are drawn by themselves
  discrete_laplace(key_of(6), 0, rate, {out.data(), records}, {1, best_instruction_set(), {}});
  const double r = std::exp(-1.0 / 32);
  for (std::int64_t value = -40; value <= 40; ++value) {
    double share = 0.0;
    for (const auto draw : out) share += draw == value ? 1.0 / static_cast<double>(records) : 0.0;
    const double chance = (1 - r) / (1 + r) * std::pow(r, std::abs(static_cast<double>(value)));
    CHECK(by_chance(share, chance, records));
  }
}

}  // namespace
