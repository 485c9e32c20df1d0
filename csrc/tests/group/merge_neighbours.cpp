// Neighbouring categories merged by a heap against a rescan of all runs at every step.
#include "tokumei/group/merge_neighbours.hpp"

#include <algorithm>
#include <cstdint>
#include <random>
#include <vector>

#include "check.hpp"

using namespace tokumei::group;

namespace {

struct Category {
  std::int64_t count;
  std::size_t members;
};

std::vector<std::int64_t> by_rescan(const std::vector<std::int64_t>& counts, std::int64_t least) {
  std::vector<Category> runs;
  for (const auto count : counts) runs.push_back({count, 1});
  const auto smaller = [](const Category& a, const Category& b) { return a.count < b.count; };
  while (runs.size() > 1) {
    const auto at = std::min_element(runs.begin(), runs.end(), smaller);
    if (at->count >= least) break;
    const bool lowest = at == runs.begin(), highest = at + 1 == runs.end();
    const bool down = !lowest && (highest || (at - 1)->count <= (at + 1)->count);
    const auto lower = down ? at - 1 : at;
    *lower = {lower->count + (lower + 1)->count, lower->members + (lower + 1)->members};
    runs.erase(lower + 1);
  }
  std::vector<std::int64_t> merged;
  for (std::size_t run = 0; run < runs.size(); ++run)
    merged.insert(merged.end(), runs[run].members, static_cast<std::int64_t>(run));
  return merged;
}

std::vector<std::int64_t> by_heap(const std::vector<std::int64_t>& counts, std::int64_t least) {
  std::vector<std::int64_t> merged(counts.size());
  merge_neighbours({counts.data(), counts.size()}, least, {merged.data(), merged.size()}, Run{});
  return merged;
}

}  // namespace

TEST(the_heap_merges_as_looking_at_all_does) {
  std::mt19937_64 random(5);
  for (int trial = 0; trial < 5000; ++trial) {
    std::vector<std::int64_t> counts(1 + random() % 40);
    const std::uint64_t most = 1 + random() % 9;
    for (auto& count : counts) count = static_cast<std::int64_t>(random() % most);
    const auto least = static_cast<std::int64_t>(random() % 30);
    CHECK(by_heap(counts, least) == by_rescan(counts, least));
  }
}
