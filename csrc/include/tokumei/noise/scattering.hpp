// Codes scattered over neighbouring and distant codes: randomised response and the square wave.
//
// A code v of 0..codes-1 becomes one of the codes + 2 reach codes -reach..codes-1+reach. With
// probability near / 2^64 it is one of the 2 reach + 1 codes not farther than `reach` from v, each
// equally likely; else one of the codes - 1 others, each equally likely. reach = 0 is k-ary
// randomised response; more is the square wave of Li et al. (2020) on codes. Outputs are counted
// from 0, so that 0 stands for -reach.
//
// Exact: two probabilities as said, no rounding. Cost: about 10 ns a code.
// Throws std::invalid_argument for codes out of range, fewer than two of them, or too many.
#pragma once

#include <cstddef>
#include <cstdint>
#include <stdexcept>

#include "tokumei/noise/secure_records.hpp"
#include "tokumei/noise/secure_words.hpp"
#include "tokumei/runtime/run.hpp"
#include "tokumei/runtime/views.hpp"

namespace tokumei::noise {

struct Scattering {
  std::uint32_t codes;
  std::uint32_t reach;
  std::uint64_t near;

  template <class Words>
  std::uint32_t draw(std::uint32_t code, Words& words) const {
    const std::uint32_t window = 2 * reach + 1;
    if (coin(words, near, 1)) return code + below(words, window);
    const std::uint32_t other = below(words, codes - 1);
    return other < code ? other : other + window;
  }
};

inline void scatter(const ChaChaKey& key, Scattering scattering, Column<std::int64_t> codes,
                    OutColumn<std::int64_t> out, Run run) {
  constexpr std::uint32_t most = std::uint32_t{1} << 30;
  if (scattering.codes < 2 || scattering.codes > most || scattering.reach > most / 2)
    throw std::invalid_argument("the number of codes is out of range");
  for (const std::int64_t code : codes)
    if (code < 0 || code >= static_cast<std::int64_t>(scattering.codes))
      throw std::invalid_argument("a code is out of range");
  each_record_securely(key, codes.size(), run, [&](std::size_t record, SecureWords& words) {
    out[record] = scattering.draw(static_cast<std::uint32_t>(codes[record]), words);
  });
}

}  // namespace tokumei::noise
