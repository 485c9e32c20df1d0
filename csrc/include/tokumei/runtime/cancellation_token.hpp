// The way out of work that several threads share: the caller's thread asks its monitor, all leave.
#pragma once

#include <atomic>
#include <cstddef>
#include <thread>

#include "tokumei/runtime/progress_monitor.hpp"

namespace tokumei::runtime {

class CancellationToken {
 public:
  // The work of one of `rounds` rounds, of which a share `begun` is behind us.
  CancellationToken(ProgressMonitor& monitor, double begun, std::size_t rounds)
      : monitor_(monitor), begun_(begun), rounds_(static_cast<double>(rounds)) {}

  void expect(std::size_t boards) { boards_ = static_cast<double>(boards); }

  bool leaving() const { return leaving_.load(std::memory_order_relaxed); }

  // Throws Interrupted on every thread once the caller's monitor has.
  void pause(double share) {
    if (leaving()) throw Interrupted();
    if (std::this_thread::get_id() != caller_) return;
    try {
      const double done = static_cast<double>(finished_.load(std::memory_order_relaxed)) + share;
      monitor_.tick(begun_ + done / (boards_ * rounds_));
    } catch (...) {
      leaving_ = true;
      throw;
    }
  }

  void finish_one() { finished_.fetch_add(1, std::memory_order_relaxed); }

 private:
  ProgressMonitor& monitor_;
  double begun_, rounds_, boards_ = 1;
  std::thread::id caller_ = std::this_thread::get_id();
  std::atomic<std::size_t> finished_{0};
  std::atomic<bool> leaving_{false};
};

}  // namespace tokumei::runtime
