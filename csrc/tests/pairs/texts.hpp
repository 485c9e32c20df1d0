// Texts and their distances by the tables of the definitions.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "data.hpp"
#include "tokumei/pairs/string_distances.hpp"

namespace texts {

using tokumei::pairs::StringDistance;
using tokumei::pairs::Strings;

using Text = std::vector<std::uint32_t>;

inline std::size_t hamming(const Text& a, const Text& b) {
  std::size_t different = 0;
  for (std::size_t i = 0; i < a.size(); ++i) different += a[i] != b[i] ? 1 : 0;
  return different;
}

// Lowrance & Wagner's whole table; without swaps it is Levenshtein's.
inline std::size_t edits(const Text& a, const Text& b, bool swaps) {
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

inline std::size_t distance(StringDistance kind, const Text& a, const Text& b) {
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
inline Texts make(Random& random, std::size_t n, std::size_t longest, std::size_t alphabet,
                  bool fixed) {
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

}  // namespace texts
