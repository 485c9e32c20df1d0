// Coins whose first words do not decide: what the words behind them say, and nothing else.
#include "tokumei/noise/secure_words.hpp"

#include <cstdint>
#include <cstring>
#include <new>
#include <stdexcept>
#include <vector>

#include "check.hpp"
#include "tokumei/noise/discrete_laplace.hpp"
#include "tokumei/noise/secure_order.hpp"

namespace {

struct Script {
  std::vector<std::uint32_t> words;
  std::size_t next = 0;
  std::uint32_t word() { return words.at(next++); }
};

bool coin_of(std::vector<std::uint32_t> words, std::uint64_t share, std::uint32_t parts,
             std::size_t drawn) {
  Script script{std::move(words)};
  const bool answer = tokumei::noise::coin(script, share, parts);
  CHECK(script.next == drawn);
  return answer;
}

TEST(the_first_word_decides_where_it_can) {
  const std::uint64_t half = std::uint64_t{1} << 63;
  CHECK(coin_of({0x7fffffff}, half, 1, 1));
  CHECK(!coin_of({0x80000001}, half, 1, 1));
  // 3 u < 1/2.
  CHECK(coin_of({0x2aaaaaa9}, half, 3, 1));
  CHECK(!coin_of({0x2aaaaaab}, half, 3, 1));
  CHECK(!coin_of({5}, 0, 1, 1));
}

TEST(the_second_word_decides_where_the_first_is_equal) {
  const std::uint64_t share = 0x8000000012345678;
  CHECK(coin_of({0x80000000, 0x12345677}, share, 1, 2));
  CHECK(!coin_of({0x80000000, 0x12345678}, share, 1, 2));
  CHECK(!coin_of({0x80000000, 0}, 0x8000000000000000, 1, 2));
  // parts 3: the first word leaves 2 of 2^-32, so 3 w < 2 2^32 + 0x12345678.
  const std::uint64_t rest = (std::uint64_t{2} << 32) + 0x12345678;
  CHECK(0x80000000 - 3 * 0x2aaaaaaaULL == 2);
  const auto last = static_cast<std::uint32_t>(rest / 3);
  CHECK(rest % 3 != 0);
  CHECK(coin_of({0x2aaaaaaa, last - 1}, share, 3, 2));
  CHECK(!coin_of({0x2aaaaaaa, last + 1}, share, 3, 2));
}

TEST(the_rest_is_decided_by_a_whole_number) {
  const std::uint64_t share = 0x8000000012345678;
  const std::uint64_t rest = (std::uint64_t{2} << 32) + 0x12345678;
  const auto last = static_cast<std::uint32_t>(rest / 3);
  const auto left = static_cast<std::uint32_t>(rest % 3);
  for (std::uint32_t drawn = 0; drawn < 3; ++drawn) {
    // The middle of those words of which `below` makes `drawn`.
    const std::uint32_t word = drawn * 0x55555555 + 0x2aaaaaaa;
    CHECK(coin_of({0x2aaaaaaa, last, word}, share, 3, 3) == (drawn < left));
  }
}

TEST(numbers_below_a_bound_are_equally_likely) {
  // 2^32 mod 3 is 1: one word is too many, and the next is taken.
  Script script{{0, 0xffffffff}};
  CHECK(tokumei::noise::below(script, 3) == 2);
  CHECK(script.next == 2);
  Script one{{0x12345678}};
  CHECK(tokumei::noise::below(one, 1) == 0);
}

TEST(minus_zero_begins_anew) {
  // At the rate 1/2 there are no low bits: a draw is a word with the sign, then the high part.
  const tokumei::noise::DiscreteLaplace noise(0, std::uint64_t{1} << 63);
  const std::uint32_t no = 0xffffffff, negative = 0x80000000;
  // The coin of the high part: 1/2 yes, 1/4 no -> even: a failure, so the high part is 0.
  Script script{{negative, 0, no, 0, 0, no}};
  CHECK(noise.draw(script) == 0);
  CHECK(script.next == 6);
}

TEST(a_stream_is_not_used_twice) {
  const tokumei::noise::ChaChaKey key{1, 2, 3};
  tokumei::noise::SecureWords a(key, 0, tokumei::noise::InstructionSet::baseline);
  tokumei::noise::SecureWords b(key, 1, tokumei::noise::InstructionSet::baseline);
  std::size_t equal = 0;
  std::uint32_t first = a.word();
  bool again = false;
  for (int i = 0; i < 5000; ++i) {
    const std::uint32_t word = a.word();
    again = again || (word == first && i == 1023);
    equal += word == b.word();
  }
  CHECK(equal < 3);
  CHECK(!again);
}

TEST(a_stream_that_is_used_up_says_so) {
  const tokumei::noise::ChaChaKey key{1, 2, 3};
  const auto isa = tokumei::noise::InstructionSet::baseline;
  tokumei::noise::SecureWords words(key, 0, isa, 0xffffffffU - 127);  // the last 128 blocks
  for (int i = 0; i < 128 * 16; ++i) words.word();
  CHECK_THROWS(std::runtime_error, words.word());
  CHECK_THROWS(std::runtime_error, words.word());
}

TEST(nothing_is_left_of_a_stream) {
  using tokumei::noise::SecureWords;
  const tokumei::noise::ChaChaKey key{0x10203040, 0x50607080, 0x90a0b0c0, 0xd0e0f001,
                                      0x11223344, 0x55667788, 0x99aabbcc, 0xddeeff12};
  alignas(SecureWords) unsigned char memory[sizeof(SecureWords)];
  auto* words = new (memory) SecureWords(key, 0, tokumei::noise::InstructionSet::baseline);
  std::vector<std::uint32_t> secrets(key.begin(), key.end());
  for (int i = 0; i < 100; ++i) secrets.push_back(words->word());
  const auto left = [&] {
    std::size_t found = 0;
    for (std::size_t at = 0; at + 4 <= sizeof memory; at += 4) {
      std::uint32_t word;
      std::memcpy(&word, memory + at, 4);
      for (const std::uint32_t secret : secrets) found += word == secret;
    }
    return found;
  };
  CHECK(left() >= secrets.size());
  words->~SecureWords();
  CHECK(left() == 0);
}

TEST(all_rows_are_in_an_order) {
  std::vector<std::int64_t> order(1000);
  tokumei::noise::secure_order(tokumei::noise::ChaChaKey{7}, {order.data(), order.size()}, {});
  std::vector<int> seen(1000);
  for (const auto row : order) ++seen[static_cast<std::size_t>(row)];
  for (const int times : seen) CHECK(times == 1);
}

}  // namespace
