// Hashes of records: what differs differs, order and pieces do not matter; moments add up exactly.
#include "tokumei/numeric/keyed_hashes.hpp"

#include <cmath>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "check.hpp"
#include "data.hpp"
#include "tokumei/numeric/exact_moments.hpp"

using namespace tokumei::numeric;

namespace {

const HashKey key{0x9e3779b97f4a7c15, 0xd1b54a32d192ed03};

std::vector<std::int64_t> of_texts(const std::vector<std::string>& texts) {
  std::vector<std::int64_t> offsets{0}, hashes(texts.size(), 0);
  std::vector<std::uint8_t> letters;
  for (const auto& text : texts) {
    letters.insert(letters.end(), text.begin(), text.end());
    offsets.push_back(static_cast<std::int64_t>(letters.size()));
  }
  fold_texts({offsets.data(), offsets.size()}, {letters.data(), letters.size()}, key,
             {hashes.data(), hashes.size()});
  return hashes;
}

TEST(products_fold_as_they_do_by_hand) {
  CHECK(folded_product(3, 5) == 15);
  CHECK(folded_product(std::uint64_t{1} << 63, 4) == 2);
  CHECK(folded_product(~std::uint64_t{0}, ~std::uint64_t{0}) ==
        (~std::uint64_t{0} ^ std::uint64_t{0}));
}

TEST(different_words_have_different_hashes) {
  std::vector<std::int64_t> words(100000), hashes(words.size(), 0);
  for (std::size_t i = 0; i < words.size(); ++i) words[i] = static_cast<std::int64_t>(i);
  fold_words({words.data(), words.size()}, key, {hashes.data(), hashes.size()});
  CHECK(std::set<std::int64_t>(hashes.begin(), hashes.end()).size() == words.size());
}

TEST(columns_are_folded_in_their_order) {
  std::vector<std::int64_t> a{1, 2}, b{2, 1}, hashes{0, 0};
  fold_words({a.data(), 2}, key, {hashes.data(), 2});
  fold_words({b.data(), 2}, key, {hashes.data(), 2});
  CHECK(hashes[0] != hashes[1]);
}

TEST(texts_differ_by_every_letter_and_by_their_length) {
  const auto hashes = of_texts({"", "a", std::string(1, '\0'), std::string(2, '\0'), "abcdefgh",
                                "abcdefghi", "abcdefgx", "a"});
  CHECK(std::set<std::int64_t>(hashes.begin(), hashes.end()).size() == hashes.size() - 1);
  CHECK(hashes[1] == hashes.back());
}

TEST(parts_of_pieces_add_up_to_those_of_the_whole) {
  Random random(3);
  std::vector<double> x(999);
  for (auto& value : x)
    value = std::ldexp(random.uniform() - 0.5, static_cast<int>(random.below(60)) - 30);
  const auto moments = [](const double* from, std::size_t size) {
    std::vector<double> parts(2 * most_parts);
    exact_moments({from, size}, {parts.data(), most_parts},
                  {parts.data() + most_parts, most_parts});
    return parts;
  };
  const auto whole = moments(x.data(), x.size());
  const auto one = moments(x.data(), 400), other = moments(x.data() + 400, 599);
  for (std::size_t half = 0; half < 2; ++half) {
    ExactSum left, right;
    for (std::size_t i = 0; i < most_parts; ++i) {
      left.add(whole[half * most_parts + i]);
      right.add(one[half * most_parts + i]);
      right.add(other[half * most_parts + i]);
    }
    left.subtract(right.value());
    right.subtract(right.value());
    CHECK(left.value() == right.value());
  }
}

}  // namespace
