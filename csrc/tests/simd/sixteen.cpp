// Sixteen records or boxes: distances in the stated order, and bounds that need no margin.
#include "tokumei/simd/sixteen.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

#include "check.hpp"
#include "data.hpp"

using namespace tokumei::simd;

namespace {

struct Records {
  TOKUMEI_HOT static void run(const float* records, const float* point, std::size_t width,
                              float* out) {
    record_distances(records, point, width, out);
  }
};

template <class Real>
struct Boxes {
  TOKUMEI_HOT static void run(const Real* boxes, const Real* point, std::size_t width,
                              Real* nearest, Real* farthest) {
    box_distances(boxes, point, width, nearest);
    corner_distances(boxes, point, width, farthest);
  }
};

// Sixteen groups of five records, their boxes, and a point; attributes filled up with zeros.
template <class Real>
struct Setting {
  std::size_t attributes, width = whole_quads(attributes);
  std::vector<Real> records = std::vector<Real>(5 * 16 * width);
  std::vector<Real> boxes = std::vector<Real>(2 * 16 * width);
  std::vector<Real> point = std::vector<Real>(width);

  Setting(Random& random, std::size_t d) : attributes(d) {
    const Real scale = random.below(2) == 0 ? Real{1} : Real{1e-5F};
    for (std::size_t j = 0; j < attributes; ++j) {
      point[j] = static_cast<Real>(random.uniform() * 4 - 2);
      for (std::size_t i = 0; i < 16; ++i) {
        const Real centre = static_cast<Real>(random.uniform() * 2);
        Real least = 0, most = 0;
        for (std::size_t m = 0; m < 5; ++m) {
          const Real value = centre + scale * static_cast<Real>(random.uniform());
          records[(m * width + j) * 16 + i] = value;
          least = m == 0 ? value : std::min(least, value);
          most = m == 0 ? value : std::max(most, value);
        }
        boxes[j * 32 + i] = least;
        boxes[j * 32 + 16 + i] = most;
      }
    }
  }

  // From the first attribute to the last, starting at 0.
  Real distance(std::size_t m, std::size_t i) const {
    Real sum = 0;
    for (std::size_t j = 0; j < attributes; ++j) {
      const Real by = records[(m * width + j) * 16 + i] - point[j];
      sum += by * by;
    }
    return sum;
  }
};

template <class Real>
void boxes_bound_their_records(Random& random) {
  const Setting<Real> setting(random, 1 + random.below(9));
  std::vector<Real> first_nearest;
  for (const auto isa : levels()) {
    std::vector<Real> nearest(16), farthest(16);
    tokumei::runtime::dispatch<Boxes<Real>>(isa, setting.boxes.data(), setting.point.data(),
                                            setting.width, nearest.data(), farthest.data());
    for (std::size_t i = 0; i < 16; ++i)
      for (std::size_t m = 0; m < 5; ++m)
        CHECK(nearest[i] <= setting.distance(m, i) && setting.distance(m, i) <= farthest[i]);
    if (first_nearest.empty()) first_nearest = nearest;
    CHECK(nearest == first_nearest);
  }
}

TEST(a_box_is_never_farther_and_its_corner_never_nearer_than_a_record_inside) {
  Random random(1);
  for (int round = 0; round < 100; ++round) {
    boxes_bound_their_records<float>(random);
    boxes_bound_their_records<double>(random);
  }
}

TEST(distances_of_records_are_summed_from_the_first_attribute_on) {
  Random random(2);
  for (int round = 0; round < 50; ++round) {
    const Setting<float> setting(random, 1 + random.below(9));
    for (const auto isa : levels()) {
      std::vector<float> out(16);
      tokumei::runtime::dispatch<Records>(isa, setting.records.data(), setting.point.data(),
                                          setting.width, out.data());
      for (std::size_t i = 0; i < 16; ++i) CHECK(out[i] == setting.distance(0, i));
    }
  }
}

TEST(bits_say_where_something_holds) {
  Random random(3);
  for (int round = 0; round < 50; ++round) {
    std::uint32_t expected = 0;
    float floats[16];
    double doubles[16];
    for (std::size_t i = 0; i < 16; ++i) {
      doubles[i] = floats[i] = static_cast<float>(random.below(3));
      if (floats[i] > 0) expected |= 1U << i;
    }
    CHECK(where_floats([&](std::size_t i) { return floats[i] > 0; }) == expected);
    CHECK(where_doubles([&](std::size_t i) { return doubles[i] > 0; }) == expected);
    CHECK(least_of(floats) == std::min_element(floats, floats + 16) - floats);
    CHECK(least_of(doubles) == std::min_element(doubles, doubles + 16) - doubles);
  }
  CHECK(where_floats([](std::size_t) { return true; }) == all_sixteen);
  CHECK(whole_quads(1) == 4 && whole_quads(4) == 4 && whole_quads(5) == 8);
}

}  // namespace
