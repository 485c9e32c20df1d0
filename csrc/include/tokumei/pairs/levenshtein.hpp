// Levenshtein distances: the fewest insertions, deletions and replacements of letters.
//
// Myers' bit-parallel columns (1999) in Hyyro's form: bit i of VP (VN) says that the distance to
// the first i+1 letters of the pattern is one more (less) than to the first i. A text's letters are
// taken one by one; a column costs a dozen operations for 64 letters of pattern. Here every lane of
// a register has its own pattern and all lanes share the text: 32 patterns of up to 16 letters,
// 16 of up to 32, 8 of up to 64, or 8 of any length in several registers.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "tokumei/pairs/strings.hpp"
#include "tokumei/simd/lanes.hpp"

namespace tokumei::pairs {

// The number of set bits of each lane.
template <class Word, class V>
TOKUMEI_HOT V bits_set(V x) {
  constexpr Word all = static_cast<Word>(~Word{0});
  constexpr Word pairs = all / 3, fours = all / 15 * 3, eights = all / 255 * 15, ones = all / 255;
  x = x - ((x >> Word{1}) & pairs);
  x = (x & fours) + ((x >> Word{2}) & fours);
  x = (x + (x >> Word{4})) & eights;
  return (x * ones) >> static_cast<Word>(8 * sizeof(Word) - 8);
}

// The next column, for a letter that stands where `same` has bits.
template <class V>
TOKUMEI_HOT void take_letter(V same, V& up, V& down) {
  const V diagonal = (((same & up) + up) ^ up) | same | down;
  const V fewer = up & diagonal;
  V more = down | ~(up | diagonal);
  more = (more + more) | 1;
  up = (fewer + fewer) | ~(more | diagonal);
  down = more & diagonal;
}

// For every letter of the batch, where it stands in each lane's string: `words` registers a letter.
template <class Word>
class LetterMasks {
 public:
  LetterMasks(const Batch& batch, std::size_t lanes, std::size_t words)
      : row_(batch.strings->alphabet() + 1, 0), masks_(lanes * words, 0), inside_(lanes * words, 0),
        lanes_(lanes), words_(words) {
    constexpr std::size_t bits = 8 * sizeof(Word);
    for (std::size_t lane = 0; lane < batch.size(); ++lane) {
      const std::uint32_t* text = batch.strings->text(batch.begin + lane);
      for (std::size_t i = 0; i < batch.strings->length(batch.begin + lane); ++i) {
        auto& row = row_[text[i]];
        if (row == 0) {
          row = static_cast<std::uint32_t>(masks_.size() / (lanes * words));
          masks_.resize(masks_.size() + lanes * words, 0);
        }
        const auto bit = static_cast<Word>(Word{1} << i % bits);
        const std::size_t place = i / bits * lanes + lane;
        masks_[row * lanes * words + place] |= bit;
        inside_[place] |= bit;
      }
    }
  }

  // Row 0 of the masks is for letters that no lane has.
  const std::uint32_t* rows() const { return row_.data(); }
  const Word* masks() const { return masks_.data(); }
  // The bits that belong to each lane's string.
  const Word* inside() const { return inside_.data(); }
  std::size_t words() const { return words_; }

 private:
  std::vector<std::uint32_t> row_;
  std::vector<Word> masks_, inside_;
  std::size_t lanes_, words_;
};

// Patterns of one word each. Several texts of one length at a time: their steps do not wait for
// each other.
template <class Word>
struct ShortPatterns {
  template <std::size_t bytes>
  struct Body {
    using V = Lanes<Word, bytes>;
    static constexpr std::size_t lanes = bytes / sizeof(Word);
    static constexpr std::size_t texts = bytes == 64 ? 8 : 4;

    TOKUMEI_HOT static void run(const Batch* batch, const LetterMasks<Word>* masks) {
      const auto& strings = *batch->strings;
      std::size_t other = batch->first;
      while (other < batch->last) {
        const std::size_t next = other + texts;
        if (next <= batch->last && strings.length(other) == strings.length(next - 1)) {
          meet<texts>(*batch, *masks, other);
          other = next;
        } else {
          meet<1>(*batch, *masks, other++);
        }
      }
    }

   private:
    template <std::size_t n>
    TOKUMEI_HOT static void meet(const Batch& batch, const LetterMasks<Word>& masks,
                                 std::size_t other) {
      const std::uint32_t* rows = masks.rows();
      const Word* table = masks.masks();
      const std::uint32_t* texts[n];
      V up[n], down[n];
      TOKUMEI_UNROLL for (std::size_t k = 0; k < n; ++k) {
        texts[k] = batch.strings->text(other + k);
        up[k] = ~V{};
        down[k] = V{};
      }
      const std::size_t length = batch.strings->length(other);
      for (std::size_t i = 0; i < length; ++i)
        TOKUMEI_UNROLL for (std::size_t k = 0; k < n; ++k)
            take_letter(load<V>(table + rows[texts[k][i]] * lanes), up[k], down[k]);
      const V inside = load<V>(masks.inside());
      TOKUMEI_UNROLL for (std::size_t k = 0; k < n; ++k) {
        Word distances[lanes];
        store(distances, static_cast<Word>(length) + bits_set<Word>(up[k] & inside) -
                             bits_set<Word>(down[k] & inside));
        batch.count(other + k, distances);
      }
    }
  };
};

// Patterns of several words each, one text at a time. A column is one long addition: carries and
// shifted bits go from word to word.
template <std::size_t bytes>
struct LongPatterns {
  using V = Lanes<std::uint64_t, bytes>;
  static constexpr std::size_t lanes = bytes / sizeof(std::uint64_t);

  // `columns` has room for two registers a word.
  TOKUMEI_HOT static void run(const Batch* batch, const LetterMasks<std::uint64_t>* masks,
                              std::uint64_t* columns) {
    const std::size_t words = masks->words();
    std::uint64_t* const ups = columns;
    std::uint64_t* const downs = columns + words * lanes;
    for (std::size_t other = batch->first; other < batch->last; ++other) {
      std::fill(ups, downs, ~std::uint64_t{0});
      std::fill(downs, downs + words * lanes, 0);
      const std::uint32_t* text = batch->strings->text(other);
      const std::size_t length = batch->strings->length(other);
      for (std::size_t i = 0; i < length; ++i) {
        const std::uint64_t* same_in = masks->masks() + masks->rows()[text[i]] * words * lanes;
        V carry{}, fewer_in{}, more_in = V{} + 1;
        for (std::size_t word = 0; word < words * lanes; word += lanes) {
          V up = load<V>(ups + word), down = load<V>(downs + word);
          take_letter(load<V>(same_in + word), up, down, carry, fewer_in, more_in);
          store(ups + word, up);
          store(downs + word, down);
        }
      }
      V distance = V{} + length;
      for (std::size_t word = 0; word < words * lanes; word += lanes) {
        const V inside = load<V>(masks->inside() + word);
        distance = distance + bits_set<std::uint64_t>(load<V>(ups + word) & inside) -
                   bits_set<std::uint64_t>(load<V>(downs + word) & inside);
      }
      std::uint64_t distances[lanes];
      store(distances, distance);
      batch->count(other, distances);
    }
  }

 private:
  TOKUMEI_HOT static void take_letter(V same, V& up, V& down, V& carry, V& fewer_in, V& more_in) {
    const V both = same & up;
    const V sum = both + up + carry;
    carry = (both | (up & ~sum)) >> 63;
    const V diagonal = (sum ^ up) | same | down;
    const V fewer = up & diagonal;
    const V more = down | ~(up | diagonal);
    const V more_out = (more + more) | more_in;
    up = (fewer + fewer) | fewer_in | ~(more_out | diagonal);
    down = more_out & diagonal;
    fewer_in = fewer >> 63;
    more_in = more >> 63;
  }
};

// A kernel for strings.hpp.
struct Levenshtein {
  static std::size_t batch_end(InstructionSet isa, const SortedStrings& strings,
                               std::size_t begin) {
    for (const std::size_t word : {2, 4}) {
      const std::size_t end = std::min(strings.size(), begin + register_bytes(isa) / word);
      if (strings.length(end - 1) <= 8 * word) return end;
    }
    return std::min(strings.size(), begin + register_bytes(isa) / 8);
  }

  static double work(double length) { return 12.0 * length * std::max(1.0, length / 64.0); }

  static void meet(InstructionSet isa, const Batch& batch) {
    if (batch.longest() <= 16) return meet_short<std::uint16_t>(isa, batch);
    if (batch.longest() <= 32) return meet_short<std::uint32_t>(isa, batch);
    if (batch.longest() <= 64) return meet_short<std::uint64_t>(isa, batch);
    const std::size_t lanes = register_bytes(isa) / 8, words = (batch.longest() + 63) / 64;
    const LetterMasks<std::uint64_t> masks(batch, lanes, words);
    std::vector<std::uint64_t> columns(2 * words * lanes);
    dispatch_lanes<LongPatterns>(isa, &batch, &masks, columns.data());
  }

 private:
  template <class Word>
  static void meet_short(InstructionSet isa, const Batch& batch) {
    const LetterMasks<Word> masks(batch, register_bytes(isa) / sizeof(Word), 1);
    dispatch_lanes<ShortPatterns<Word>::template Body>(isa, &batch, &masks);
  }
};

}  // namespace tokumei::pairs
