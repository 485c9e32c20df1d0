// Checks for plain test programs: a failed one is printed with its place and makes the program
// fail.
#pragma once

#include <cstdio>
#include <cstdlib>

namespace check {

inline int failures = 0;

inline void report(bool held, const char* what, const char* file, int line) {
  if (held) return;
  ++failures;
  std::fprintf(stderr, "%s:%d: %s\n", file, line, what);
}

inline int result() { return failures == 0 ? EXIT_SUCCESS : EXIT_FAILURE; }

}  // namespace check

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
