// Runs the tests of a room, or those whose names contain the word that is given.
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string_view>

#include "check.hpp"

int main(int argc, char** argv) {
  const std::string_view word = argc > 1 ? argv[1] : "";
  int ran = 0;
  for (const auto& test : check::tests()) {
    if (std::string_view(test.name).find(word) == std::string_view::npos) continue;
    ++ran;
    const int before = check::failures;
    try {
      test.run();
    } catch (const std::exception& error) {
      check::report(false, error.what(), test.name, 0);
    }
    if (check::failures > before) std::fprintf(stderr, "failed: %s\n", test.name);
  }
  std::printf("%d tests, %d failures\n", ran, check::failures);
  return ran > 0 && check::failures == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
