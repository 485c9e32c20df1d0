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
    const auto data = make_data(random, 37, columns, 0, 1e6);
    const auto point = make_data(random, columns, 1, 0, 1e6).values;
    std::vector<const double*> starts;
    for (std::size_t j = 0; j < columns; ++j) starts.push_back(data.table().column(j).data());
    for (const auto isa : levels()) {
      std::vector<double> out(30, -1.0);
      tokumei::runtime::dispatch<SquaredDistances>(
          isa, starts.data(), std::size_t{5}, std::size_t{30}, columns, point.data(), out.data());
      for (std::size_t i = 0; i < 30; ++i) {
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

}  // namespace
