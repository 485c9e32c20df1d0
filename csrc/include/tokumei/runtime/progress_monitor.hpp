// The way out of a long kernel and the way to tell how far it is.
//
// A kernel calls `monitor.tick(done)` at least every few milliseconds of work, always on the thread
// that called the kernel. At most every `interval` the caller's function is asked; where it says
// no, the kernel is left by the exception Interrupted and hands nothing out. The share told never
// falls: work that does not know how far the whole is ticks 0.
#pragma once

#include <algorithm>
#include <chrono>
#include <exception>

#include "tokumei/rooms.hpp"

namespace tokumei::runtime {

class Interrupted : public std::exception {
 public:
  const char* what() const noexcept override { return "interrupted"; }
};

class ProgressMonitor {
 public:
  using Ask = bool (*)(void* context, double done) noexcept;

  ProgressMonitor() = default;
  ProgressMonitor(Ask ask, void* context)
      : ask_(ask), context_(context), next_(Clock::now() + interval) {}

  // done: the share of the work that is behind us, 0..1.
  void tick(double done) {
    if (ask_ == nullptr) return;
    done_ = std::max(done_, done);
    const auto now = Clock::now();
    if (now < next_) return;
    next_ = now + interval;
    if (!ask_(context_, done_)) throw Interrupted();
  }

 private:
  using Clock = std::chrono::steady_clock;
  static constexpr std::chrono::milliseconds interval{50};

  Ask ask_ = nullptr;
  void* context_ = nullptr;
  double done_ = 0.0;
  Clock::time_point next_{};
};

}  // namespace tokumei::runtime
