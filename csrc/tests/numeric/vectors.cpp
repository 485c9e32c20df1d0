// Memory of whole cache lines or without initial values, rows in blocks, distances to a point.
#include <cstddef>
#include <cstdint>
#include <new>
#include <numeric>
#include <vector>

#include "check.hpp"
#include "data.hpp"
#include "tokumei/numeric/aligned_vector.hpp"
#include "tokumei/numeric/row_blocks.hpp"
#include "tokumei/numeric/scalar_product.hpp"
#include "tokumei/numeric/squared_distances.hpp"
#include "tokumei/numeric/uninitialised_vector.hpp"

using namespace tokumei::numeric;

namespace {

std::size_t offset(const void* memory, std::size_t unit) {
  return reinterpret_cast<std::uintptr_t>(memory) % unit;
}

TEST(an_aligned_vector_starts_a_cache_line_or_a_large_page) {
  for (const std::size_t size : {1U, 7U, 1000U}) {
    const AlignedVector<float> values(size, 2.5F);
    CHECK(offset(values.data(), 64) == 0);
    CHECK(std::accumulate(values.begin(), values.end(), 0.0) == 2.5 * static_cast<double>(size));
  }
  const AlignedVector<double> large(std::size_t{1} << 19);
  CHECK(offset(large.data(), std::size_t{1} << 21) == 0 && large.back() == 0.0);
  AlignedVector<double> moved = large;
  moved.push_back(1.0);
  CHECK(offset(moved.data(), std::size_t{1} << 21) == 0 && moved.back() == 1.0);
  CHECK(AlignedAllocator<double>() == AlignedAllocator<int>());
}

TEST(an_uninitialised_vector_holds_what_is_written) {
  for (const std::size_t size : {std::size_t{0}, std::size_t{5}, std::size_t{1} << 20}) {
    UninitialisedVector<double> values(size);
    CHECK(values.size() == size);
    for (std::size_t i = 0; i < size; i += 4096) values[i] = static_cast<double>(i);
    const auto& read = values;
    for (std::size_t i = 0; i < size; i += 4096) CHECK(read.data()[i] == static_cast<double>(i));
    UninitialisedVector<double> moved = std::move(values);
    CHECK(moved.size() == size && (size == 0 || moved[0] == 0.0));
  }
  CHECK_THROWS(std::bad_alloc, UninitialisedVector<double>(static_cast<std::size_t>(-1) / 4));
}

TEST(blocks_of_rows_are_counted_by_their_borders) {
  const RowBlocks blocks{{0, 3, 1, 2, 4}, {0, 2, 5}};
  CHECK(blocks.size() == 2);
  CHECK(blocks.borders[blocks.size()] == blocks.rows.size());
}

TEST(squared_distances_are_summed_from_the_first_attribute_on) {
  Random random(1);
  for (const std::size_t columns : {1U, 3U, 4U, 5U, 8U, 11U}) {
    const auto data = make_data(random, 57, columns, 0, 1e6);
    const auto point = make_data(random, columns, 1, 0, 1e6).values;
    std::vector<const double*> starts;
    for (std::size_t j = 0; j < columns; ++j) starts.push_back(data.table().column(j).data());
    for (const auto isa : levels()) {
      std::vector<double> out(50, -1.0);
      squared_distances_by_attributes(isa, starts.data(), 5, 50, columns, point.data(), out.data());
      for (std::size_t i = 0; i < 50; ++i) {
        double sum = 0.0;
        for (std::size_t j = 0; j < columns; ++j) {
          const double by = data.table()(i + 5, j) - point[j];
          sum += by * by;
        }
        CHECK(out[i] == sum);
      }
    }
  }
}

template <std::size_t bytes>
struct ByLanes {
  TOKUMEI_HOT static double run(const double* a, const double* b, std::size_t width) {
    return squared_distance_by_lanes<bytes>(a, b, width);
  }
};

TEST(a_squared_distance_by_lanes_is_eight_sums_added_as_lanes_are) {
  Random random(2);
  for (int round = 0; round < 50; ++round) {
    const std::size_t width = 8 * (1 + random.below(3));
    const auto a = make_data(random, width, 1, 0, 1e6).values;
    const auto b = make_data(random, width, 1, 0).values;
    double s[8] = {};
    for (std::size_t j = 0; j < width; ++j) s[j % 8] += (a[j] - b[j]) * (a[j] - b[j]);
    const double sum = ((s[0] + s[4]) + (s[2] + s[6])) + ((s[1] + s[5]) + (s[3] + s[7]));
    for (const auto isa : levels())
      CHECK(dispatch_lanes<ByLanes>(isa, a.data(), b.data(), width) == sum);
  }
}

TEST(a_scalar_product_by_lanes_is_eight_sums_and_then_the_rest) {
  Random random(3);
  for (const std::size_t size : {0U, 1U, 8U, 11U, 40U}) {
    const auto a = make_data(random, size + 1, 1, 0, 1e6).values;
    const auto b = make_data(random, size + 1, 1, 0).values;
    double s[8] = {};
    const std::size_t whole = size / 8 * 8;
    for (std::size_t i = 0; i < whole; ++i) s[i % 8] += a[i] * b[i];
    double sum = ((s[0] + s[4]) + (s[2] + s[6])) + ((s[1] + s[5]) + (s[3] + s[7]));
    for (std::size_t i = whole; i < size; ++i) sum += a[i] * b[i];
    for (const auto isa : levels())
      CHECK(scalar_product_by_lanes(isa, a.data(), b.data(), size) == sum);
  }
}

}  // namespace
