// The way out: a kernel asks now and then, hears a no, and leaves by Interrupted.
#include "tokumei/runtime/progress_monitor.hpp"

#include <chrono>
#include <thread>

#include "check.hpp"

namespace {

struct Asked {
  int times = 0;
  double last = -1.0;
  bool answer = true;
};

bool ask(void* context, double done) noexcept {
  auto* asked = static_cast<Asked*>(context);
  ++asked->times;
  asked->last = done;
  return asked->answer;
}

void wait_a_while() { std::this_thread::sleep_for(std::chrono::milliseconds(60)); }

}  // namespace

int main() {
  tokumei::runtime::ProgressMonitor silent;
  silent.tick(0.5);

  Asked asked;
  tokumei::runtime::ProgressMonitor watch(ask, &asked);
  for (int i = 0; i < 1000; ++i) watch.tick(0.0);
  CHECK(asked.times <= 1);
  wait_a_while();
  watch.tick(0.25);
  CHECK(asked.times >= 1);
  CHECK(asked.last == 0.25);

  asked.answer = false;
  wait_a_while();
  CHECK_THROWS(tokumei::runtime::Interrupted, watch.tick(0.5));
  return check::result();
}
