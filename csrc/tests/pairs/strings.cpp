// Distances of strings against the tables of their definitions, on every instruction set.
#include "tokumei/pairs/string_distances.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "check.hpp"
#include "data.hpp"

using namespace tokumei::pairs;

namespace {

using Text = std::vector<std::uint32_t>;

std::size_t hamming(const Text& a, const Text& b) {
  std::size_t different = 0;
  for (std::size_t i = 0; i < a.size(); ++i) different += a[i] != b[i] ? 1 : 0;
  return different;
}

// Lowrance & Wagner's whole table; without swaps it is Levenshtein's.
std::size_t edits(const Text& a, const Text& b, bool swaps) {
  const std::size_t n = a.size(), m = b.size(), far = n + m;
  std::vector<std::vector<std::size_t>> table(n + 2, std::vector<std::size_t>(m + 2, far));
  for (std::size_t i = 0; i <= n; ++i) table[i + 1][1] = i;
  for (std::size_t j = 0; j <= m; ++j) table[1][j + 1] = j;
  std::map<std::uint32_t, std::size_t> last_row;
  for (std::size_t i = 1; i <= n; ++i) {
    std::size_t last_column = 0;
    for (std::size_t j = 1; j <= m; ++j) {
      const std::size_t k = last_row[b[j - 1]], l = last_column;
      const bool same = a[i - 1] == b[j - 1];
      if (same) last_column = j;
      table[i + 1][j + 1] =
          std::min({table[i][j] + (same ? 0 : 1), table[i + 1][j] + 1, table[i][j + 1] + 1});
      if (swaps)
        table[i + 1][j + 1] =
            std::min(table[i + 1][j + 1], table[k][l] + (i - k - 1) + 1 + (j - l - 1));
    }
    last_row[a[i - 1]] = i;
  }
  return table[n + 1][m + 1];
}

std::size_t distance(StringDistance kind, const Text& a, const Text& b) {
  if (kind == StringDistance::hamming) return hamming(a, b);
  return edits(a, b, kind == StringDistance::damerau_levenshtein);
}

struct Texts {
  std::vector<Text> texts;
  std::vector<std::uint32_t> letters;
  std::vector<std::int64_t> starts{0}, counts;

  Strings view() const {
    return {{letters.data(), letters.size()},
            {starts.data(), starts.size()},
            {counts.data(), counts.size()}};
  }
};

// Random texts and, half of the time, relatives of earlier ones: swapped, shortened, changed.
Texts make(Random& random, std::size_t n, std::size_t longest, std::size_t alphabet, bool fixed) {
  Texts made;
  for (std::size_t number = 0; number < n; ++number) {
    Text text(fixed ? longest : random.below(longest + 1));
    for (auto& letter : text)
      letter = static_cast<std::uint32_t>(random.below(alphabet) * 4001 + 97);
    if (number > 0 && random.below(2) == 0) {
      text = made.texts[random.below(number)];
      for (int edit = 0; edit < 3 && text.size() > 1; ++edit) {
        const std::size_t at = random.below(text.size() - 1);
        std::swap(text[at], text[at + 1]);
        if (!fixed && random.below(2) == 0)
          text.erase(text.begin() + static_cast<std::ptrdiff_t>(random.below(text.size())));
      }
    }
    made.letters.insert(made.letters.end(), text.begin(), text.end());
    made.starts.push_back(static_cast<std::int64_t>(made.letters.size()));
    made.counts.push_back(1 + static_cast<std::int64_t>(random.below(3)));
    made.texts.push_back(text);
  }
  return made;
}

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
