// Hashes of records under a secret key, a column at a time.
//
// A record's hash says nothing of its place: equal records have equal hashes wherever they stand,
// and others differ but by a chance of about 2^-64. An order by hash is the same for the same
// records in any order, and a sum of hashes is a hash of the multiset. Who does not know the key
// cannot choose cells that collide; the hash is no cipher, and is not for publication.
//
// Folding multiplies to 128 bits and adds the halves by exclusive or (Wang's wyhash, 2019). Columns
// are folded one after another into hashes that begin at 0, each with a key of its own. One
// thread, about 1 ns a number, and 1 ns for every 8 letters of a text.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "tokumei/runtime/views.hpp"

namespace tokumei::numeric {

struct HashKey {
  std::uint64_t one = 0, other = 0;
};

// The halves of a product of 64 by 64 bits, together.
inline std::uint64_t folded_product(std::uint64_t a, std::uint64_t b) {
#if defined(__SIZEOF_INT128__)
  __extension__ using Wide = unsigned __int128;
  const Wide product = static_cast<Wide>(a) * b;
  return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
#else
  constexpr std::uint64_t low = 0xffffffffU;
  const std::uint64_t bottom = (a & low) * (b & low), left = (a >> 32) * (b & low);
  const std::uint64_t right = (a & low) * (b >> 32), top = (a >> 32) * (b >> 32);
  const std::uint64_t middle = (bottom >> 32) + (left & low) + (right & low);
  return (bottom & low | middle << 32) ^ (top + (left >> 32) + (right >> 32) + (middle >> 32));
#endif
}

inline std::uint64_t fold(std::uint64_t hash, std::uint64_t word, const HashKey& key) {
  return folded_product(hash ^ key.one, word ^ key.other) ^ (hash << 1 | hash >> 63);
}

inline void fold_words(Column<std::int64_t> words, const HashKey& key,
                       OutColumn<std::int64_t> hashes) {
  for (std::size_t i = 0; i < words.size(); ++i)
    hashes[i] = static_cast<std::int64_t>(
        fold(static_cast<std::uint64_t>(hashes[i]), static_cast<std::uint64_t>(words[i]), key));
}

// Text i is letters offsets[i]..offsets[i + 1] - 1; there is one offset more than texts.
inline void fold_texts(Column<std::int64_t> offsets, Column<std::uint8_t> letters,
                       const HashKey& key, OutColumn<std::int64_t> hashes) {
  for (std::size_t i = 0; i < hashes.size(); ++i) {
    const auto begin = static_cast<std::size_t>(offsets[i]);
    const auto size = static_cast<std::size_t>(offsets[i + 1]) - begin;
    auto hash = fold(static_cast<std::uint64_t>(hashes[i]), size, key);
    for (std::size_t at = 0; at < size; at += 8) {
      std::uint64_t word = 0;
      std::memcpy(&word, letters.data() + begin + at, size - at < 8 ? size - at : 8);
      hash = fold(hash, word, key);
    }
    hashes[i] = static_cast<std::int64_t>(hash);
  }
}

}  // namespace tokumei::numeric
