// Selection without branches: the element at a place, lower ones before it, whatever the order was.
#include "tokumei/numeric/selection.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <vector>

#include "check.hpp"
#include "data.hpp"

using namespace tokumei::numeric;

namespace {

std::size_t before(int a, int b) { return static_cast<std::size_t>(a < b); }

// Numbers 0..n-1 in an order of some kind.
std::vector<int> shuffled(Random& random, std::size_t n, int kind) {
  std::vector<int> values(n);
  std::iota(values.begin(), values.end(), 0);
  if (kind == 1) std::reverse(values.begin(), values.end());
  for (std::size_t i = n; kind == 2 && i > 1; --i)
    std::swap(values[i - 1], values[random.below(i)]);
  // Sawtooth: every seventh from the end.
  if (kind == 3)
    std::stable_sort(values.begin(), values.end(), [](int a, int b) { return a % 7 > b % 7; });
  return values;
}

TEST(what_is_selected_stands_where_sorting_would_put_it) {
  Random random(3);
  for (const std::size_t n : {1, 2, 15, 16, 17, 18, 100, 129, 256, 1025, 5000})
    for (int kind = 0; kind < 4; ++kind)
      for (const std::size_t middle : {std::size_t{0}, n / 16, n / 2, n - 1, n}) {
        auto values = shuffled(random, n, kind);
        std::vector<int> room(n);
        int* first = values.data();
        select(first, first + middle, first + n, room.data(), before);
        for (std::size_t i = 0; i < n; ++i)
          CHECK((values[i] < static_cast<int>(middle)) == (i < middle));
        CHECK(middle == n || values[middle] == static_cast<int>(middle));
        std::sort(values.begin(), values.end());
        for (std::size_t i = 0; i < n; ++i) CHECK(values[i] == static_cast<int>(i));
      }
}

TEST(parts_keep_their_order) {
  const std::vector<int> all{5, 1, 9, 4, 8, 2, 7};
  auto values = all;
  std::vector<int> room(values.size());
  const int* cut = part_by(5, values.data(), values.data() + values.size(), room.data(), before);
  CHECK((values == std::vector<int>{1, 4, 2, 5, 9, 8, 7}));
  CHECK(cut - values.data() == 3);
}

}  // namespace
