// A loop over records that each draw secure chance, in threads that never share a word.
#pragma once

#include <algorithm>
#include <cstddef>

#include "tokumei/noise/secure_words.hpp"
#include "tokumei/runtime/monitored_blocks.hpp"
#include "tokumei/runtime/run.hpp"
#include "tokumei/runtime/thread_team.hpp"

namespace tokumei::noise {

// Records that share a stream.
inline constexpr std::size_t secure_block = 1 << 13;

// work(record, words) for every record. Block after block of records has the streams 0, 1, 2... of
// the key, whichever thread works on it.
template <class Work>
void each_record_securely(const ChaChaKey& key, std::size_t records, Run& run, Work&& work) {
  ThreadTeam team(run.n_threads);
  const std::size_t blocks = (records + secure_block - 1) / secure_block;
  each_watched_block(team, run.monitor, blocks, 4, [&](std::size_t block) {
    SecureWords words(key, block, run.isa);
    const std::size_t begin = block * secure_block;
    const std::size_t end = std::min(begin + secure_block, records);
    for (std::size_t record = begin; record < end; ++record) work(record, words);
  });
}

}  // namespace tokumei::noise
