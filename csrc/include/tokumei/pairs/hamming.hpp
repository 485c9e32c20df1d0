// Hamming distances: the number of positions at which two strings of one length differ.
#pragma once

#include <cstddef>
#include <cstdint>

#include "tokumei/pairs/strings.hpp"
#include "tokumei/pairs/transposed_strings.hpp"
#include "tokumei/simd/lanes.hpp"

namespace tokumei::pairs {

template <class Word>
struct DifferentLetters {
  template <std::size_t bytes>
  struct Body {
    using V = Lanes<Word, bytes>;
    static constexpr std::size_t lanes = bytes / sizeof(Word);

    TOKUMEI_HOT static void run(const Batch* batch, const Word* letters) {
      const std::size_t length = batch->longest();
      for (std::size_t other = batch->first; other < batch->last; ++other) {
        const std::uint32_t* text = batch->strings->text(other);
        V distance{};
        for (std::size_t i = 0; i < length; ++i) {
          const auto same = load<V>(letters + i * lanes) == (V{} + static_cast<Word>(text[i]));
          distance = select(same, distance, distance + 1);
        }
        Word distances[lanes];
        store(distances, distance);
        batch->count(other, distances);
      }
    }
  };
};

// A kernel for strings.hpp, for strings that are all of one length.
struct Hamming : TransposedKernel<Hamming> {
  static double work(double length) { return 2.0 * length; }

  template <class Word>
  static void meet_columns(InstructionSet isa, const Batch& batch) {
    const TransposedStrings<Word> columns(batch, register_bytes(isa) / sizeof(Word));
    dispatch_lanes<DifferentLetters<Word>::template Body>(isa, &batch, columns.letters());
  }
};

}  // namespace tokumei::pairs
