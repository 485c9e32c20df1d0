// The best of sixteen distances, and of each lane of several leaves.
#include "tokumei/spatial/best_lanes.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

#include "check.hpp"
#include "data.hpp"

using namespace tokumei::spatial;

namespace {

constexpr float nan = std::numeric_limits<float>::quiet_NaN();
constexpr float infinity = std::numeric_limits<float>::infinity();

// Sixteen leaves of distances, some of them missing, some too far for float32.
std::vector<float> some_leaves(Random& random) {
  std::vector<float> distances(sixteen * sixteen);
  for (float& distance : distances) {
    distance = static_cast<float>(random.below(40)) / 8;
    if (random.below(3) == 0) distance = nan;
    if (random.below(9) == 0) distance = infinity;
  }
  return distances;
}

// Out: the n-th best of the best of lanes, and how many there are.
template <bool far>
struct Looked {
  template <std::size_t bytes>
  struct Body {
    TOKUMEI_HOT static void run(const float* gaps, const float* distances, std::size_t n,
                                float* ranked_out, std::size_t* known) {
      using Codes = Lanes<float, bytes, sixteen>;
      const auto best =
          best_of_lanes<far>(load<Codes>(gaps), [=](std::size_t leaf) TOKUMEI_HOT_LAMBDA {
            return load<Codes>(distances + leaf * sixteen);
          });
      *known = known_of<far>(best);
      *ranked_out = ranked<far>(best, n);
    }
  };
};

template <bool far>
void exercise(Random& random) {
  const auto distances = some_leaves(random);
  std::vector<float> gaps(sixteen);
  for (float& gap : gaps)
    gap = random.below(4) == 0 ? infinity : static_cast<float>(random.below(5));
  // By definition: of the six leaves with the smallest gaps the best in each lane.
  std::vector<std::size_t> order;
  for (std::size_t leaf = 0; leaf < sixteen; ++leaf)
    if (gaps[leaf] < infinity) order.push_back(leaf);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return gaps[a] < gaps[b]; });
  order.resize(std::min<std::size_t>(order.size(), 6));
  std::vector<float> best;
  for (std::size_t lane = 0; lane < sixteen; ++lane) {
    std::vector<float> here;
    for (const auto leaf : order)
      if (distances[leaf * sixteen + lane] < infinity)
        here.push_back(distances[leaf * sixteen + lane]);
    if (here.empty()) continue;
    best.push_back(far ? *std::max_element(here.begin(), here.end())
                       : *std::min_element(here.begin(), here.end()));
  }
  std::sort(best.begin(), best.end());
  if (far) std::reverse(best.begin(), best.end());
  for (const std::size_t n : {1, 4, 8})
    for (const auto isa : levels()) {
      float found = 0.0F;
      std::size_t known = 0;
      tokumei::simd::dispatch_lanes<Looked<far>::template Body>(isa, gaps.data(), distances.data(),
                                                                n, &found, &known);
      CHECK(known == best.size());
      if (known >= n) CHECK(found == best[n - 1]);
    }
}

TEST(a_limit_is_taken_from_the_best_of_each_lane) {
  Random random(11);
  for (int round = 0; round < 200; ++round) {
    exercise<false>(random);
    exercise<true>(random);
  }
}

}  // namespace
