// What strings are compared by: sorted texts, batches, and each kernel asked directly.
#include <algorithm>
#include <cstdint>
#include <limits>
#include <set>
#include <vector>

#include "check.hpp"
#include "data.hpp"
#include "texts.hpp"
#include "tokumei/pairs/damerau.hpp"
#include "tokumei/pairs/hamming.hpp"
#include "tokumei/pairs/levenshtein.hpp"
#include "tokumei/pairs/strings.hpp"
#include "tokumei/pairs/transposed_strings.hpp"

using namespace tokumei::pairs;
using namespace texts;

namespace {

TEST(strings_are_sorted_by_length_and_their_letters_numbered) {
  Random random(1);
  for (int round = 0; round < 30; ++round) {
    const auto made =
        make(random, 1 + random.below(20), 1 + random.below(9), 1 + random.below(5), false);
    const SortedStrings sorted(made.view());
    CHECK(sorted.size() == made.texts.size());
    std::set<std::uint32_t> letters(made.letters.begin(), made.letters.end());
    CHECK(sorted.alphabet() == letters.size());
    for (std::size_t i = 0; i < sorted.size(); ++i) {
      const std::size_t place = sorted.place(i);
      CHECK(sorted.length(place) == made.texts[i].size());
      CHECK(sorted.count(place) == static_cast<std::uint64_t>(made.counts[i]));
      CHECK(i == 0 || sorted.length(i - 1) <= sorted.length(i));
      for (std::size_t other = 0; other < sorted.size(); ++other)
        for (std::size_t at = 0; at < std::min(made.texts[i].size(), made.texts[other].size());
             ++at)
          CHECK((made.texts[i][at] == made.texts[other][at]) ==
                (sorted.text(place)[at] == sorted.text(sorted.place(other))[at]));
    }
  }
}

// Every string before a batch and in it, against what the kernel counts.
template <class Kernel>
void batches_count_every_pair_once(StringDistance kind, const Texts& made, InstructionSet isa) {
  const SortedStrings sorted(made.view());
  std::vector<Text> texts(sorted.size());
  for (std::size_t i = 0; i < sorted.size(); ++i) texts[sorted.place(i)] = made.texts[i];
  for (std::size_t begin = 0; begin < sorted.size();) {
    const std::size_t end = Kernel::batch_end(isa, sorted, begin);
    CHECK(end > begin && end <= sorted.size());
    const std::size_t stride = sorted.length(end - 1) + 1;
    std::vector<std::uint64_t> times((end - begin) * stride), expected(times.size());
    const Batch batch{&sorted, begin, end, 0, end, times.data(), stride};
    CHECK(batch.size() == end - begin && batch.longest() + 1 == stride);
    Kernel::meet(isa, batch);
    for (std::size_t one = begin; one < end; ++one)
      for (std::size_t other = 0; other < one; ++other)
        expected[(one - begin) * stride + distance(kind, texts[one], texts[other])] +=
            sorted.count(other);
    CHECK(times == expected);
    begin = end;
  }
}

TEST(every_kernel_counts_the_distances_of_the_definition) {
  Random random(2);
  for (const auto isa : levels())
    for (const std::size_t longest : {1U, 8U, 20U, 40U, 70U, 150U}) {
      const auto fixed = make(random, longest < 50 ? 60 : 20, longest, 1 + random.below(20), true);
      batches_count_every_pair_once<Hamming>(StringDistance::hamming, fixed, isa);
      const auto made = make(random, longest < 50 ? 60 : 20, longest, 1 + random.below(20), false);
      batches_count_every_pair_once<Levenshtein>(StringDistance::levenshtein, made, isa);
      batches_count_every_pair_once<DamerauLevenshtein>(StringDistance::damerau_levenshtein, made,
                                                        isa);
    }
  CHECK(Hamming::work(10) > 0 && Levenshtein::work(10) > 0 && DamerauLevenshtein::work(10) > 0);
}

TEST(letters_of_one_position_stand_side_by_side) {
  Random random(3);
  const auto made = make(random, 6, 5, 3, false);
  const SortedStrings sorted(made.view());
  const Batch batch{&sorted, 0, 6, 0, 6, nullptr, 0};
  const TransposedStrings<std::uint16_t> columns(batch, 8);
  for (std::size_t i = 0; i < batch.longest(); ++i)
    for (std::size_t lane = 0; lane < 6; ++lane)
      CHECK(columns.letters()[i * 8 + lane] == (i < sorted.length(lane)
                                                    ? sorted.text(lane)[i]
                                                    : std::numeric_limits<std::uint16_t>::max()));
}

TEST(words_hold_every_letter_position_and_twice_any_distance) {
  Random random(4);
  const auto few = make(random, 10, 10, 5, false), long_ones = make(random, 3, 300, 5, true);
  CHECK(word_bytes(SortedStrings(few.view()), 10) == 1);
  CHECK(word_bytes(SortedStrings(few.view()), 126) == 1);
  CHECK(word_bytes(SortedStrings(few.view()), 127) == 2);
  CHECK(word_bytes(SortedStrings(few.view()), 40'000) == 4);
  for (const auto isa : levels())
    CHECK(end_of_columns(isa, SortedStrings(long_ones.view()), 0) == 3);
}

TEST(powers_of_distances_are_normalized_by_the_longer_length) {
  CHECK(StringPower({1.0, false}).of(3, 6) == 3.0);
  CHECK(StringPower({2.0, false}).of(3, 6) == 9.0);
  CHECK(StringPower({1.0, true}).of(3, 6) == 0.5);
  CHECK(StringPower({1.0, true}).of(0, 0) == 0.0);
  tokumei::numeric::ExactSum sum;
  add_times(sum, (std::uint64_t{1} << 40) + 3, 0.1);
  tokumei::numeric::ExactSum again;
  add_times(again, std::uint64_t{1} << 40, 0.1);
  for (int i = 0; i < 3; ++i) again.add(0.1);
  CHECK(sum.value() == again.value());
}

}  // namespace
