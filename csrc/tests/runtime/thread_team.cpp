// Threads: every block once, the same result for any number of them, exceptions come home.
#include "tokumei/runtime/thread_team.hpp"

#include <atomic>
#include <stdexcept>
#include <vector>

#include "check.hpp"

using tokumei::runtime::ThreadTeam;

namespace {

TEST(every_block_is_done_once) {
  for (unsigned threads : {1U, 2U, 3U, 8U}) {
    ThreadTeam team(threads);
    for (std::size_t blocks : {0U, 1U, 2U, 7U, 100U}) {
      std::vector<std::atomic<int>> done(blocks);
      team.each_block(blocks, [&](std::size_t block) { ++done[block]; });
      for (const auto& times : done) CHECK(times == 1);
    }
  }
}

TEST(results_of_blocks_are_seen_after_the_loop) {
  ThreadTeam team(4);
  for (int round = 0; round < 300; ++round) {
    std::vector<std::size_t> squares(16);
    team.each_block(squares.size(), [&](std::size_t block) { squares[block] = block * block; });
    for (std::size_t block = 0; block < squares.size(); ++block)
      CHECK(squares[block] == block * block);
  }
}

TEST(exceptions_come_home_and_the_team_goes_on) {
  for (unsigned threads : {1U, 2U, 8U}) {
    ThreadTeam team(threads);
    for (int round = 0; round < 20; ++round) {
      CHECK_THROWS(std::runtime_error, team.each_block(50, [](std::size_t block) {
        if (block == 17) throw std::runtime_error("block 17");
      }));
    }
    std::atomic<int> done{0};
    team.each_block(50, [&](std::size_t) { ++done; });
    CHECK(done == 50);
  }
}

}  // namespace
