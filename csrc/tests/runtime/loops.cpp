// Loops that can be left: every block and column once, and out of all threads after a no.
#include <atomic>
#include <thread>
#include <vector>

#include "check.hpp"
#include "tokumei/runtime/cancellation_token.hpp"
#include "tokumei/runtime/each_column.hpp"
#include "tokumei/runtime/monitored_blocks.hpp"
#include "watched.hpp"

using namespace tokumei::runtime;

namespace {

TEST(each_watched_block_is_done_once_and_the_share_is_told) {
  for (const unsigned threads : {1U, 3U})
    for (const std::size_t blocks : {0U, 1U, 5U, 23U}) {
      Asked asked;
      ProgressMonitor monitor(ask, &asked);
      ThreadTeam team(threads);
      std::vector<std::atomic<int>> done(blocks);
      wait_a_while();
      each_watched_block(team, monitor, blocks, 2, [&](std::size_t block) { ++done[block]; }, 0.5);
      for (const auto& times : done) CHECK(times == 1);
      CHECK(blocks == 0 || (asked.times == 1 && asked.last == 0.5));
    }
}

TEST(a_loop_over_blocks_is_left_after_a_no) {
  for (const unsigned threads : {1U, 3U}) {
    Asked asked;
    asked.answer = false;
    ProgressMonitor monitor(ask, &asked);
    ThreadTeam team(threads);
    std::atomic<int> done{0};
    CHECK_THROWS(Interrupted, each_watched_block(team, monitor, 100, 1, [&](std::size_t) {
                   ++done;
                   wait_a_while();
                 }));
    CHECK(done < 100);
  }
}

TEST(each_column_is_worked_on_once) {
  const std::vector<double> values(12);
  for (const unsigned threads : {1U, 3U}) {
    Run run{threads, InstructionSet::baseline, {}};
    std::vector<std::atomic<int>> done(4);
    each_column(Table<double>(values.data(), 3, 4), run, [&](std::size_t j, auto pause) {
      pause();
      ++done[j];
    });
    for (const auto& times : done) CHECK(times == 1);
  }
}

TEST(a_loop_over_columns_is_left_within_a_column) {
  const std::vector<double> values(12);
  for (const unsigned threads : {1U, 3U}) {
    Asked asked;
    asked.answer = false;
    Run run{threads, InstructionSet::baseline, {ask, &asked}};
    CHECK_THROWS(Interrupted,
                 each_column(Table<double>(values.data(), 3, 4), run, [&](std::size_t, auto pause) {
                   for (int i = 0; i < 10; ++i) {
                     wait_a_while();
                     pause();
                   }
                 }));
  }
}

TEST(only_the_callers_thread_asks_and_all_leave) {
  Asked asked;
  ProgressMonitor monitor(ask, &asked);
  CancellationToken token(monitor, 0.5, 2);
  token.expect(2);
  wait_a_while();
  bool left = false;
  std::thread([&] { token.pause(0.9); }).join();
  CHECK(asked.times == 0 && !token.leaving());
  token.finish_one();
  token.pause(0.5);
  CHECK(asked.times == 1 && asked.last == 0.5 + (1 + 0.5) / (2 * 2));
  asked.answer = false;
  wait_a_while();
  CHECK_THROWS(Interrupted, token.pause(0.6));
  CHECK(token.leaving());
  std::thread([&] {
    try {
      token.pause(0.9);
    } catch (const Interrupted&) {
      left = true;
    }
  }).join();
  CHECK(left);
}

}  // namespace
