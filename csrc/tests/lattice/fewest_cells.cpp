// Cell suppression against every way to mask every record of tiny tables.
#include "tokumei/lattice/fewest_cells.hpp"

#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <random>
#include <vector>

#include "check.hpp"
#include "tokumei/lattice/cell_branching.hpp"
#include "tokumei/lattice/cell_groups.hpp"
#include "tokumei/lattice/cell_masks.hpp"

using namespace tokumei::lattice;

namespace {

using Whole = std::vector<std::int64_t>;

struct Found {
  Whole masks;
  double cost, bound;
};

Found found_by(const Whole& codes, std::size_t d, const std::vector<double>& weights, std::size_t k,
               std::size_t steps = 1000000) {
  const std::size_t n = codes.size() / d;
  Found found{Whole(n), 0.0, 0.0};
  std::vector<double> figures(2);
  fewest_cells({codes.data(), n, d}, {weights.data(), d}, k, steps, {found.masks.data(), n},
               {figures.data(), 2}, {});
  found.cost = figures[0];
  found.bound = figures[1];
  return found;
}

// What masks cost; infinite where a record is alike to fewer than k.
double cost(const Whole& codes, std::size_t d, const std::vector<double>& weights, std::size_t k,
            const Whole& masks) {
  const std::size_t n = masks.size();
  std::map<Whole, std::size_t> alike;
  double sum = 0.0;
  for (std::size_t i = 0; i < n; ++i) {
    Whole row{masks[i]};
    for (std::size_t j = 0; j < d; ++j) {
      const bool gone = masks[i] >> j & 1;
      row.push_back(gone ? -1 : codes[j * n + i]);
      sum += gone ? weights[j] : 0.0;
    }
    ++alike[row];
  }
  for (const auto& [row, count] : alike)
    if (count < k) return std::numeric_limits<double>::infinity();
  return sum;
}

double least_of_all(const Whole& codes, std::size_t d, const std::vector<double>& weights,
                    std::size_t k) {
  const std::size_t n = codes.size() / d;
  Whole masks(n, 0);
  double least = std::numeric_limits<double>::infinity();
  for (;;) {
    least = std::min(least, cost(codes, d, weights, k, masks));
    std::size_t i = n;
    while (i > 0 && masks[i - 1] == (1 << d) - 1) masks[--i] = 0;
    if (i == 0) return least;
    ++masks[i - 1];
  }
}

Whole random_codes(std::size_t n, std::size_t d, std::uint64_t seed) {
  std::mt19937_64 chance(seed);
  Whole codes(n * d);
  for (auto& code : codes) code = static_cast<std::int64_t>(chance() % (2 + seed % 2));
  return codes;
}

}  // namespace

TEST(no_other_masks_suppress_fewer_cells) {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    const std::size_t d = 1 + seed % 3, n = d == 3 ? 5 : 7, k = 2 + seed % 2;
    const auto codes = random_codes(n, d, seed);
    std::vector<double> weights{1.0, 1.0, 1.0};
    if (seed % 3 == 0) weights = {1.0, 2.5, 0.7};
    const auto found = found_by(codes, d, weights, k);
    const double least = least_of_all(codes, d, weights, k);
    CHECK(std::abs(found.cost - least) < 1e-9);
    CHECK(found.bound == found.cost);
    CHECK(std::abs(cost(codes, d, weights, k, found.masks) - found.cost) < 1e-9);
  }
}

TEST(a_search_that_is_cut_short_keeps_k_and_says_how_far_it_may_be) {
  const std::vector<double> weights(20, 1.0);
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const std::size_t d = seed % 2 ? 20 : 5, n = 60 + seed, k = 3 + seed % 3;
    const auto codes = random_codes(n, d, seed);
    const auto found = found_by(codes, d, weights, k, 50);
    CHECK(found.bound <= found.cost);
    CHECK(found.bound > 0.0);
    CHECK(cost(codes, d, weights, k, found.masks) == found.cost);
  }
}

TEST(bounds_are_below_the_fewest_cells) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const auto codes = random_codes(7, 2, seed);
    const std::vector<double> weights{1.0, 1.0};
    CHECK(found_by(codes, 2, weights, 3, 1).bound <= least_of_all(codes, 2, weights, 3));
  }
}

TEST(masks_are_all_there_in_the_order_of_their_prices) {
  const Whole codes(4, 0);
  const std::vector<double> weights{1.0, 0.25, 3.0, 1.0};
  const CellTable table({codes.data(), 1, 4}, {weights.data(), 4});
  double left_out = 0.0;
  const auto masks = table.masks(left_out);
  CHECK(masks.size() == 16);
  for (std::size_t i = 1; i < masks.size(); ++i)
    CHECK(table.weight(masks[i - 1]) <= table.weight(masks[i]));
}
