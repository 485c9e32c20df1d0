// A question that counts how often it is asked, and answers as it is told.
#pragma once

#include <chrono>
#include <thread>

struct Asked {
  int times = 0;
  double last = -1.0;
  bool answer = true;
};

inline bool ask(void* context, double done) noexcept {
  auto* asked = static_cast<Asked*>(context);
  ++asked->times;
  asked->last = done;
  return asked->answer;
}

// Longer than a monitor waits from one question to the next.
inline void wait_a_while() { std::this_thread::sleep_for(std::chrono::milliseconds(60)); }
