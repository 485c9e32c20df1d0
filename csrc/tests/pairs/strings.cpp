// Distances of strings against the tables of their definitions, on every instruction set.
#include "tokumei/pairs/string_distances.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "check.hpp"
#include "data.hpp"
#include "texts.hpp"

using namespace tokumei::pairs;
using namespace texts;

namespace {

bool close(double a, double b) { return std::abs(a - b) <= 1e-12 * std::abs(b); }

void check_sums(StringDistance kind, const Texts& made) {
  double squares = 0, normalized = 0, other = 0;
  const std::size_t n = made.texts.size();
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) {
      const auto d = static_cast<double>(distance(kind, made.texts[i], made.texts[j]));
      const auto longer = std::max(made.texts[i].size(), made.texts[j].size());
      const auto times = static_cast<double>(made.counts[i] * made.counts[j]);
      squares += times * d * d;
      if (longer > 0) normalized += times * d / static_cast<double>(longer);
      other += times * std::pow(d, 2.5);
    }
  const auto sum = [&](StringPower power, unsigned threads, InstructionSet isa) {
    return sum_of_string_distances(kind, made.view(), power, {threads, isa, {}});
  };
  const double first = sum({1.0, true}, 1, InstructionSet::baseline);
  CHECK(close(first, normalized));
  for (const InstructionSet isa : levels())
    for (const unsigned threads : {1U, 3U}) {
      CHECK(sum({2.0, false}, threads, isa) == squares);
      CHECK(sum({1.0, true}, threads, isa) == first);
      CHECK(close(sum({2.5, false}, threads, isa), other));
    }
}

void check_pairs(StringDistance kind, const Texts& made, Random& random) {
  std::vector<std::int64_t> a, b;
  for (int pair = 0; pair < 100; ++pair) {
    a.push_back(static_cast<std::int64_t>(random.below(made.texts.size())));
    b.push_back(static_cast<std::int64_t>(random.below(made.texts.size())));
  }
  std::vector<double> out(a.size());
  for (const InstructionSet isa : levels()) {
    string_distances(kind, made.view(), {a.data(), a.size()}, {b.data(), b.size()}, false,
                     {out.data(), out.size()}, {2, isa, {}});
    for (std::size_t k = 0; k < a.size(); ++k)
      CHECK(out[k] == static_cast<double>(distance(kind, made.texts[static_cast<std::size_t>(a[k])],
                                                   made.texts[static_cast<std::size_t>(b[k])])));
  }
}

// Lengths around every width of word, alphabets from one letter to more than a byte holds.
TEST(distances_are_those_of_the_definition) {
  Random random(1);
  // Without vectors everything takes its time.
  const std::vector<std::size_t> lengths =
      TOKUMEI_VECTOR_LANES
          ? std::vector<std::size_t>{0, 1, 5, 16, 17, 32, 33, 64, 65, 126, 127, 200}
          : std::vector<std::size_t>{0, 5, 17, 33, 65};
  for (const std::size_t longest : lengths)
    for (const std::size_t alphabet : {1, 3, 300}) {
      const std::size_t n = longest > 100 ? 8 : 40;
      for (const auto kind : {StringDistance::levenshtein, StringDistance::damerau_levenshtein}) {
        const auto made = make(random, n, longest, alphabet, false);
        check_sums(kind, made);
        check_pairs(kind, made, random);
      }
      const auto made = make(random, n, longest, alphabet, true);
      check_sums(StringDistance::hamming, made);
      check_pairs(StringDistance::hamming, made, random);
    }
}

TEST(a_number_that_names_no_distance_is_refused) {
  Random random(2);
  const auto made = make(random, 3, 4, 4, false);
  CHECK_THROWS(std::invalid_argument,
               sum_of_string_distances(static_cast<StringDistance>(9), made.view(), {2.0, false},
                                       {1, InstructionSet::baseline, {}}));
}

}  // namespace
