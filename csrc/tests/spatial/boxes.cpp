// Boxes around records: the smallest that hold them, and what grows with them.
#include <algorithm>
#include <limits>
#include <vector>

#include "check.hpp"
#include "data.hpp"
#include "tokumei/numeric/squared_distances.hpp"
#include "tokumei/spatial/bounding_box.hpp"
#include "tokumei/spatial/bounding_box_tree.hpp"
#include "tokumei/spatial/box_bounds.hpp"

using namespace tokumei::spatial;

namespace {

TEST(a_box_holds_its_records_and_grows_no_narrower) {
  Random random(1);
  for (int round = 0; round < 50; ++round) {
    const std::size_t columns = 1 + random.below(6);
    const auto data = make_data(random, 20, columns, random.below(2) * 3, 1e6);
    std::vector<double> point(columns);
    BoundingBox box;
    for (std::size_t row = 0; row < data.rows; ++row) {
      for (std::size_t j = 0; j < columns; ++j) point[j] = data.table()(row, j);
      if (row == 0) box = {point, point};
      const double before = box.width(), with = box.width_with(point.data());
      box.hold(point.data());
      CHECK(before <= with && with == box.width());
      double width = 0.0;
      for (std::size_t j = 0; j < columns; ++j) {
        const double* column = data.table().column(j).data();
        const auto [low, high] = std::minmax_element(column, column + row + 1);
        CHECK(box.lower[j] == *low && box.upper[j] == *high);
        width += *high - *low;
      }
      CHECK(box.width() == width);
    }
  }
}

template <class Real>
struct Bounds {
  template <std::size_t bytes>
  struct Body {
    TOKUMEI_HOT static void run(const Real* boxes, const Real* point, std::size_t attributes,
                                Real* nearest, Real* farthest) {
      using V = Sixteen<Real, bytes>;
      store(nearest, nearest_distances<V>(boxes, point, attributes));
      store(farthest, corner_distances<V>(boxes, point, attributes));
    }
  };
};

// Sixteen groups of five records and their boxes: bounds need no margin.
template <class Real>
void boxes_bound_their_records(Random& random) {
  const std::size_t d = 1 + random.below(9);
  const Real scale = random.below(2) == 0 ? Real{1} : Real{1e-5F};
  std::vector<Real> records(5 * 16 * d), boxes(2 * 16 * d), point(d);
  for (std::size_t j = 0; j < d; ++j) {
    point[j] = static_cast<Real>(random.uniform() * 4 - 2);
    for (std::size_t i = 0; i < 16; ++i) {
      const Real centre = static_cast<Real>(random.uniform() * 2);
      for (std::size_t m = 0; m < 5; ++m) {
        const Real value = centre + scale * static_cast<Real>(random.uniform());
        records[(m * d + j) * 16 + i] = value;
        Real &least = boxes[j * 32 + i], &most = boxes[j * 32 + 16 + i];
        least = m == 0 ? value : std::min(least, value);
        most = m == 0 ? value : std::max(most, value);
      }
    }
  }
  std::vector<Real> first;
  for (const auto isa : levels()) {
    std::vector<Real> nearest(16), farthest(16);
    dispatch_lanes<Bounds<Real>::template Body>(isa, static_cast<const Real*>(boxes.data()),
                                                static_cast<const Real*>(point.data()), d,
                                                nearest.data(), farthest.data());
    for (std::size_t at = 0; at < 5 * 16; ++at) {
      Real distance = 0;
      for (std::size_t j = 0; j < d; ++j) {
        const Real by = records[(at / 16 * d + j) * 16 + at % 16] - point[j];
        distance += by * by;
      }
      CHECK(nearest[at % 16] <= distance && distance <= farthest[at % 16]);
    }
    if (first.empty()) first = nearest;
    CHECK(nearest == first);
  }
}

TEST(a_box_is_never_farther_and_its_corner_never_nearer_than_a_record_inside) {
  Random random(5);
  for (int round = 0; round < 100; ++round) {
    boxes_bound_their_records<float>(random);
    boxes_bound_their_records<double>(random);
  }
}

// Every node is what its sixteen children make it.
void is_settled(const BoundingBoxTree& tree, std::size_t width) {
  for (std::size_t height = 1; height < tree.height(); ++height)
    for (std::size_t node = 0; node < tree[height].count; ++node) {
      const auto& below = tree[height - 1];
      const std::size_t first = node * 16;
      CHECK(tree[height].lowest[node] ==
            *std::min_element(&below.lowest[first], &below.lowest[first] + 16));
      CHECK(tree[height].reach[node] ==
            *std::max_element(&below.reach[first], &below.reach[first] + 16));
      for (std::size_t j = 0; j < width; ++j) {
        const double* lower = below.boxes(node, j);
        const double* own = tree[height].boxes(node / 16, j) + node % 16;
        CHECK(own[0] == *std::min_element(lower, lower + 16));
        CHECK(own[16] == *std::max_element(lower + 16, lower + 32));
      }
    }
}

TEST(a_change_of_a_block_climbs_as_far_as_it_changes_anything) {
  Random random(2);
  for (const std::size_t blocks : {1U, 16U, 17U, 300U}) {
    constexpr std::size_t width = 4;
    BoundingBoxTree tree(blocks, width);
    CHECK(tree[tree.height() - 1].count <= 16 && tree[0].count == blocks);
    CHECK(tree[0].lowest[0] == no_row && tree[0].reach[0] < 0);
    CHECK(tree[0].lower(0, 0) == infinite && tree[0].upper(0, 0) == -infinite);
    for (std::size_t block = 0; block < blocks; ++block) {
      tree[0].lowest[block] = random.below(1000);
      tree[0].reach[block] = random.uniform();
      for (std::size_t j = 0; j < width; ++j) {
        tree[0].lower(block, j) = -random.uniform();
        tree[0].upper(block, j) = random.uniform();
      }
    }
    tree.settle();
    is_settled(tree, width);
    for (int change = 0; change < 50; ++change) {
      const std::size_t block = random.below(blocks), j = random.below(width);
      tree.set_lower(block, j, random.below(9) == 0 ? infinite : -random.uniform());
      tree.set_upper(block, j, random.below(9) == 0 ? -infinite : random.uniform());
      tree.set_lowest(block, random.below(9) == 0 ? no_row : random.below(1000));
      tree.set_reach(block, random.below(9) == 0 ? -1.0 : random.uniform());
      is_settled(tree, width);
    }
  }
}

}  // namespace
