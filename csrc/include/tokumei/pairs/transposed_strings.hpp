// A batch of strings with the letters of one position side by side, one string a lane: the form
// that Hamming and Damerau-Levenshtein distances are computed in.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "tokumei/pairs/strings.hpp"
#include "tokumei/simd/lanes.hpp"

namespace tokumei::pairs {

// The letters of a batch as words; beyond the end of a string stands a word that is no letter.
template <class Word>
class TransposedStrings {
 public:
  TransposedStrings(const Batch& batch, std::size_t lanes)
      : letters_(batch.longest() * lanes, std::numeric_limits<Word>::max()) {
    for (std::size_t lane = 0; lane < batch.size(); ++lane) {
      const std::uint32_t* text = batch.strings->text(batch.begin + lane);
      for (std::size_t i = 0; i < batch.strings->length(batch.begin + lane); ++i)
        letters_[i * lanes + lane] = static_cast<Word>(text[i]);
    }
  }

  const Word* letters() const { return letters_.data(); }

 private:
  std::vector<Word> letters_;
};

// Bytes of the narrowest word that holds every letter, every position and twice any distance.
inline std::size_t word_bytes(const SortedStrings& strings, std::size_t longest) {
  const std::size_t largest = std::max(strings.alphabet() + 1, 2 * longest + 2);
  return largest < 0x100 ? 1 : largest < 0x10000 ? 2 : 4;
}

// Where the batch that begins there ends, words being as wide as its longest string asks.
inline std::size_t end_of_columns(InstructionSet isa, const SortedStrings& strings,
                                  std::size_t begin) {
  std::size_t end = begin;
  for (const std::size_t word : {1, 2, 4}) {
    end = std::min(strings.size(), begin + register_bytes(isa) / word);
    if (word_bytes(strings, strings.length(end - 1)) <= word) break;
  }
  return end;
}

// What kernels for strings.hpp share that work on transposed strings: a Kernel has
// meet_columns<Word>(isa, batch).
template <class Kernel>
struct TransposedKernel {
  static std::size_t batch_end(InstructionSet isa, const SortedStrings& strings,
                               std::size_t begin) {
    return end_of_columns(isa, strings, begin);
  }

  static void meet(InstructionSet isa, const Batch& batch) {
    const std::size_t word = word_bytes(*batch.strings, batch.longest());
    if (word == 1) return Kernel::template meet_columns<std::uint8_t>(isa, batch);
    if (word == 2) return Kernel::template meet_columns<std::uint16_t>(isa, batch);
    Kernel::template meet_columns<std::uint32_t>(isa, batch);
  }
};

}  // namespace tokumei::pairs
