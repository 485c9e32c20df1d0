// The way out: a kernel asks now and then, hears a no, and leaves by Interrupted.
#include "tokumei/runtime/progress_monitor.hpp"

#include <string_view>

#include "check.hpp"
#include "watched.hpp"

using namespace tokumei::runtime;

namespace {

TEST(a_monitor_without_a_question_is_silent) {
  ProgressMonitor silent;
  for (int i = 0; i < 1000; ++i) silent.tick(0.5);
  CHECK(std::string_view(Interrupted().what()) == "interrupted");
}

TEST(a_monitor_asks_now_and_then_and_leaves_on_a_no) {
  Asked asked;
  ProgressMonitor monitor(ask, &asked);
  for (int i = 0; i < 1000; ++i) monitor.tick(0.0);
  CHECK(asked.times <= 1);
  wait_a_while();
  monitor.tick(0.25);
  CHECK(asked.times >= 1);
  CHECK(asked.last == 0.25);
  asked.answer = false;
  wait_a_while();
  CHECK_THROWS(Interrupted, monitor.tick(0.5));
}

TEST(the_share_told_never_falls) {
  Asked asked;
  ProgressMonitor monitor(ask, &asked);
  monitor.tick(0.75);
  wait_a_while();
  monitor.tick(0.25);
  CHECK(asked.last == 0.75);
}

}  // namespace
