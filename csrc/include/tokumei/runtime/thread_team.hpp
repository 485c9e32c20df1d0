// The threads of one call.
//
//   ThreadTeam team(n_threads);
//   team.each_block(blocks, [&](std::size_t block) { ... });
//
// Work is cut into blocks whose borders depend on the data's size only. Threads take blocks in any
// order, so a block writes its own result and the caller combines results in the order of the
// blocks: then the number of threads never changes a bit. Loops of less than two blocks run on the
// caller.
//
// The team lives for one call and is joined before it returns: nothing survives a fork, nothing is
// left running. An exception of a block is rethrown on the caller, once all threads stand still.
// Starting costs about 50 microseconds a thread, a loop about 4.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <mutex>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

#include "tokumei/rooms.hpp"

namespace tokumei::runtime {

class ThreadTeam {
 public:
  explicit ThreadTeam(unsigned n_threads) : wanted_(n_threads > 1 ? n_threads - 1 : 0) {}

  ThreadTeam(const ThreadTeam&) = delete;
  ThreadTeam& operator=(const ThreadTeam&) = delete;

  ~ThreadTeam() {
    if (helpers_.empty()) return;
    stopping_ = true;
    round_.fetch_add(1, std::memory_order_release);
    round_.notify_all();
    for (auto& helper : helpers_) helper.join();
  }

  unsigned size() const { return wanted_ + 1; }

  // work(block) for each block in 0..blocks-1, each exactly once.
  template <class Work>
  void each_block(std::size_t blocks, Work&& work) {
    if (wanted_ == 0 || blocks < 2) {
      for (std::size_t block = 0; block < blocks; ++block) work(block);
      return;
    }
    if (helpers_.empty()) start();
    using Plain = std::remove_reference_t<Work>;
    call_ = [](void* target, std::size_t block) { (*static_cast<Plain*>(target))(block); };
    target_ = const_cast<void*>(static_cast<const void*>(&work));
    blocks_ = blocks;
    next_.store(0, std::memory_order_relaxed);
    busy_.store(helpers_.size(), std::memory_order_relaxed);
    round_.fetch_add(1, std::memory_order_release);
    round_.notify_all();
    take_blocks();
    for (auto left = busy_.load(std::memory_order_acquire); left != 0;
         left = busy_.load(std::memory_order_acquire))
      busy_.wait(left, std::memory_order_acquire);
    if (error_) std::rethrow_exception(std::exchange(error_, nullptr));
  }

 private:
  void start() {
    helpers_.reserve(wanted_);
    for (unsigned i = 0; i < wanted_; ++i) helpers_.emplace_back([this] { help(); });
  }

  void help() {
    std::uint64_t seen = 0;
    for (;;) {
      round_.wait(seen, std::memory_order_acquire);
      seen = round_.load(std::memory_order_acquire);
      if (stopping_) return;
      take_blocks();
      if (busy_.fetch_sub(1, std::memory_order_acq_rel) == 1) busy_.notify_one();
    }
  }

  void take_blocks() {
    for (;;) {
      const std::size_t block = next_.fetch_add(1, std::memory_order_relaxed);
      if (block >= blocks_) return;
      try {
        call_(target_, block);
      } catch (...) {
        const std::lock_guard lock(error_guard_);
        if (!error_) error_ = std::current_exception();
        next_.store(blocks_, std::memory_order_relaxed);
      }
    }
  }

  unsigned wanted_;
  std::vector<std::thread> helpers_;
  std::atomic<std::uint64_t> round_{0};
  std::atomic<std::size_t> next_{0};
  std::atomic<std::size_t> busy_{0};
  std::size_t blocks_ = 0;
  void (*call_)(void*, std::size_t) = nullptr;
  void* target_ = nullptr;
  bool stopping_ = false;
  std::mutex error_guard_;
  std::exception_ptr error_;
};

}  // namespace tokumei::runtime
