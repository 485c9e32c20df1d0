// Hamming distances: the number of positions at which two strings of one length differ.
#pragma once

#include <cstddef>
#include <cstdint>

#include "tokumei/lanes.hpp"
#include "tokumei/letter_columns.hpp"
#include "tokumei/strings.hpp"

namespace tokumei {

namespace detail {

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
          distance = pick(same, distance, distance + 1);
        }
        Word distances[lanes];
        store(distances, distance);
        batch->count(other, distances);
      }
    }
  };
};

}  // namespace detail

// A kernel for strings.hpp, for strings that are all of one length.
struct Hamming {
  static std::size_t batch_end(Level level, const detail::SortedStrings& strings,
                               std::size_t begin) {
    return detail::end_of_columns(level, strings, begin);
  }

  static double work(double length) { return 2.0 * length; }

  static void meet(Level level, const detail::Batch& batch) {
    const std::size_t word = detail::word_bytes(*batch.strings, batch.longest());
    if (word == 1) return meet_columns<std::uint8_t>(level, batch);
    if (word == 2) return meet_columns<std::uint16_t>(level, batch);
    meet_columns<std::uint32_t>(level, batch);
  }

 private:
  template <class Word>
  static void meet_columns(Level level, const detail::Batch& batch) {
    const detail::LetterColumns<Word> columns(batch, register_bytes(level) / sizeof(Word));
    dispatch_lanes<detail::DifferentLetters<Word>::template Body>(level, &batch, columns.letters());
  }
};

}  // namespace tokumei
