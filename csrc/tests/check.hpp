// Tests that register themselves, and checks: a failed one is printed with its place and makes the
// program fail.
//
//   TEST(sums_are_exact) { CHECK(sum_of({1e100, 1.0, -1e100}) == 1.0); }
//
// All sources of a room are one program; main.cpp runs what they registered.
#pragma once

#include <cstdio>
#include <vector>

namespace check {

struct Test {
  const char* name;
  void (*run)();
};

inline std::vector<Test>& tests() {
  static std::vector<Test> all;
  return all;
}

struct Registration {
  Registration(const char* name, void (*run)()) { tests().push_back({name, run}); }
};

inline int failures = 0;

inline void report(bool held, const char* what, const char* file, int line) {
  if (held) return;
  ++failures;
  std::fprintf(stderr, "%s:%d: %s\n", file, line, what);
}

}  // namespace check

#define TEST(name)                                                                                 \
  static void name();                                                                              \
  static const check::Registration registered_##name(#name, name);                                 \
  static void name()

#define CHECK(what) check::report(static_cast<bool>(what), #what, __FILE__, __LINE__)

#define CHECK_THROWS(exception, ...)                                                               \
  do {                                                                                             \
    bool thrown = false;                                                                           \
    try {                                                                                          \
      __VA_ARGS__;                                                                                 \
    } catch (const exception&) {                                                                   \
      thrown = true;                                                                               \
    }                                                                                              \
    check::report(thrown, #__VA_ARGS__ " throws " #exception, __FILE__, __LINE__);                 \
  } while (false)
