// Rows packed for tiles, and the terms that pairs of them contribute, by their definitions.
#include "tokumei/pairs/pair_terms.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "check.hpp"
#include "data.hpp"
#include "tokumei/pairs/packed_rows.hpp"
#include "tokumei/pairs/pair_tiles.hpp"
#include "tokumei/pairs/pairs.hpp"

using namespace tokumei::pairs;

namespace {

TEST(rows_are_packed_in_chunks_scaled_and_padded_with_rows_that_count_nothing) {
  Random random(1);
  for (const double size : {1e-300, 1.0, 1e6, 1e300}) {
    auto data = make_data(random, 700, 1 + random.below(9), 0);
    for (double& value : data.values) value *= size;
    for (std::size_t row = 0; row < data.rows; ++row) data.values[row] = 7.5;  // does not vary
    std::vector<double> counts(data.rows);
    for (auto& count : counts) count = static_cast<double>(1 + random.below(5));
    const PackedRows packed(data.table(), {counts.data(), data.rows});
    CHECK(packed.attributes() == data.columns && packed.width() % PackedRows::widest_tile == 0);
    CHECK(packed.chunks() * packed.width() >= data.rows);
    std::size_t used = 0;
    for (std::size_t chunk = 0; chunk < packed.chunks(); ++chunk) used += packed.used(chunk);
    CHECK(used == data.rows);
    double widest = 0.0;
    for (std::size_t row = 0; row < packed.chunks() * packed.width(); ++row) {
      const std::size_t chunk = row / packed.width(), at = row % packed.width();
      CHECK(packed.counts(chunk)[at] == (row < data.rows ? counts[row] : 0.0));
      for (std::size_t j = 0; j < data.columns && row < data.rows; ++j) {
        const double value = packed.values(chunk)[j * packed.width() + at];
        CHECK(j == 0 ? value == 0.0 : std::ldexp(value, packed.exponent()) == data.table()(row, j));
        widest = std::max(widest, std::abs(value));
      }
    }
    CHECK(data.columns == 1 || (widest > 0.1 && widest <= 1.0));
  }
}

// The sum over a block by its definition.
double plain_sum(const PairBlock& block, double p, double power) {
  long double total = 0.0L;
  for (std::size_t row = 0; row < block.width; ++row)
    for (std::size_t column = block.diagonal ? row + 1 : 0; column < block.width; ++column) {
      long double sum = 0.0L, largest = 0.0L;
      for (std::size_t j = 0; j < block.attributes; ++j) {
        const long double gap =
            std::abs(static_cast<long double>(block.rows[j * block.width + row]) -
                     block.columns[j * block.width + column]);
        sum += std::isinf(p) ? 0.0L : std::pow(gap, static_cast<long double>(p));
        largest = std::max(largest, gap);
      }
      const long double apart = std::isinf(p) ? largest : std::pow(sum, 1.0L / p);
      total += block.row_counts[row] * block.column_counts[column] *
               std::pow(apart, static_cast<long double>(power));
    }
  return static_cast<double>(total);
}

template <class Terms>
void terms_are_those_of(const Terms& terms, double p, double power) {
  Random random(2);
  const auto one = make_data(random, 64, 3, 0), other = make_data(random, 64, 3, 5);
  std::vector<double> counts(64);
  for (auto& count : counts) count = static_cast<double>(random.below(3));
  for (const bool diagonal : {false, true}) {
    const PairBlock block{one.values.data(),
                          counts.data(),
                          diagonal ? one.values.data() : other.values.data(),
                          counts.data(),
                          64,
                          64,
                          64,
                          3,
                          diagonal};
    const double expected = plain_sum(block, p, power);
    double first = 0.0;
    for (const auto isa : levels()) {
      const double found =
          tokumei::simd::dispatch_lanes<PairTiles<Terms>::template Body>(isa, &block, &terms);
      CHECK(std::abs(found - expected) <= 1e-12 * expected);
      if (isa == InstructionSet::baseline) first = found;
      CHECK(found == first);
    }
  }
}

TEST(what_lies_behind_the_used_rows_of_a_chunk_adds_nothing) {
  Random random(3);
  for (const std::size_t used : {1, 7, 8, 9, 16, 17, 63, 64}) {
    const auto one = make_data(random, 64, 3, 0);
    std::vector<double> counts(64);
    for (std::size_t row = 0; row < used; ++row) counts[row] = 1.0;
    for (const bool diagonal : {false, true})
      for (const auto isa : levels()) {
        const auto sum = [&](std::size_t upto) {
          const PairBlock block{
              one.values.data(), counts.data(), one.values.data(), counts.data(), 64, upto, upto, 3,
              diagonal};
          const PowersOfSums<AddMagnitude, Square> terms;
          using Terms = decltype(terms);
          return tokumei::simd::dispatch_lanes<
              PairTiles<std::remove_const_t<Terms>>::template Body>(isa, &block, &terms);
        };
        CHECK(sum(used) == sum(64));
        CHECK(used < 2 || sum(used) > 0.0);
      }
  }
}

TEST(every_kind_of_term_is_a_power_of_a_distance) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  for (const double p : {1.0, 2.0, 2.5, 2.7, 3.0, 4.0, 7.9, 8.0, 17.0, infinity})
    for (const double power : {0.4, 1.0, 1.7, 2.0, 2.5})
      with_terms(p, power, [&](const auto& terms) { terms_are_those_of(terms, p, power); });
}

}  // namespace
