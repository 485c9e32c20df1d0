// The keystream of ChaCha20 (RFC 8439): 32-bit words that nobody can tell from chance without the
// key.
//
// Sixteen blocks of the standard are made at once, so that every register holds one word of the
// state of several blocks. The words come out in that order: word w of block b of the group is at
// 16 w + b. It is the standard's keystream with the words of a group in another order, and the same
// for every instruction set.
//
// The nonce of the standard is 0 followed by the number of the stream; its counter has 32 bits, and
// the caller sees to it that it is not used up.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "tokumei/runtime/instruction_sets.hpp"
#include "tokumei/simd/lanes.hpp"

namespace tokumei::noise {

using ChaChaKey = std::array<std::uint32_t, 8>;

inline constexpr std::size_t chacha_group = 16;                 // blocks made at once
inline constexpr std::size_t chacha_words = 16 * chacha_group;  // and their words

template <std::size_t bytes>
struct ChaChaGroup {
  using V = Lanes<std::uint32_t, bytes>;
  static constexpr std::size_t lanes = bytes / sizeof(std::uint32_t);

  template <unsigned by>
  TOKUMEI_HOT static V turned(V v) {
    return (v << by) | (v >> (32U - by));
  }

  TOKUMEI_HOT static void quarter_round(V& a, V& b, V& c, V& d) {
    a = a + b;
    d = turned<16>(d ^ a);
    c = c + d;
    b = turned<12>(b ^ c);
    a = a + b;
    d = turned<8>(d ^ a);
    c = c + d;
    b = turned<7>(b ^ c);
  }

  TOKUMEI_HOT static void run(const std::uint32_t* start, std::uint32_t* out) {
    for (std::size_t first = 0; first < chacha_group; first += lanes) {
      std::uint32_t counters[lanes];
      for (std::size_t i = 0; i < lanes; ++i)
        counters[i] = start[12] + static_cast<std::uint32_t>(first + i);
      V begin[16];
      for (std::size_t word = 0; word < 16; ++word) begin[word] = broadcast<V>(start[word]);
      begin[12] = load<V>(counters);
      V x[16];
      for (std::size_t word = 0; word < 16; ++word) x[word] = begin[word];
      for (int pair = 0; pair < 10; ++pair) {
        quarter_round(x[0], x[4], x[8], x[12]);
        quarter_round(x[1], x[5], x[9], x[13]);
        quarter_round(x[2], x[6], x[10], x[14]);
        quarter_round(x[3], x[7], x[11], x[15]);
        quarter_round(x[0], x[5], x[10], x[15]);
        quarter_round(x[1], x[6], x[11], x[12]);
        quarter_round(x[2], x[7], x[8], x[13]);
        quarter_round(x[3], x[4], x[9], x[14]);
      }
      for (std::size_t word = 0; word < 16; ++word)
        store(out + word * chacha_group + first, x[word] + begin[word]);
    }
  }
};

// The 256 words of the blocks `counter` to `counter` + 15 of a stream.
inline void chacha(const ChaChaKey& key, std::uint64_t stream, std::uint32_t counter,
                   std::uint32_t* out, InstructionSet isa) {
  std::uint32_t start[16] = {0x61707865, 0x3320646e, 0x79622d32, 0x6b206574};  // "expand 32-byte k"
  for (std::size_t i = 0; i < key.size(); ++i) start[4 + i] = key[i];
  start[12] = counter;
  start[13] = 0;
  start[14] = static_cast<std::uint32_t>(stream);
  start[15] = static_cast<std::uint32_t>(stream >> 32);
  dispatch_lanes<ChaChaGroup>(isa, static_cast<const std::uint32_t*>(start), out);
  for (std::uint32_t& word : start) *const_cast<volatile std::uint32_t*>(&word) = 0;
}

}  // namespace tokumei::noise
