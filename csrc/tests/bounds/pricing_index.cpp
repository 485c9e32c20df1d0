// Who the index finds beside a root, against looking at every record.
#include "tokumei/bounds/pricing_index.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "check.hpp"
#include "data.hpp"

using namespace tokumei::bounds;

namespace {

struct Plain {
  const Data& data;
  const std::vector<double>& duals;
  std::size_t m;

  // What a pair weighs in a group of m.
  double weight(std::size_t a, std::size_t b) const {
    double apart = 0.0;
    for (std::size_t j = 0; j < data.columns; ++j) {
      const double by = data.table()(a, j) - data.table()(b, j);
      apart += by * by;
    }
    return apart / static_cast<double>(m) - (duals[a] + duals[b]) / static_cast<double>(m - 1);
  }

  // Half the sum of the least weights of a row.
  double half_least(std::size_t row, std::size_t others) const {
    std::vector<double> weights;
    for (std::size_t other = 0; other < data.rows; ++other)
      if (other != row) weights.push_back(weight(row, other));
    std::sort(weights.begin(), weights.end());
    double sum = 0.0;
    for (std::size_t i = 0; i < others; ++i) sum += weights[i] / 2;
    return sum;
  }

  // The part of a record beside a root.
  double part(std::size_t root, std::size_t row) const {
    return weight(root, row) + half_least(row, m - 2);
  }
};

TEST(the_index_finds_the_parts_that_plain_sums_give) {
  Random random(6);
  for (int round = 0; round < 40; ++round) {
    const std::size_t k = 2 + random.below(4), n = 2 * k + random.below(150);
    const auto data = make_data(random, n, 1 + random.below(4), random.below(2) * 4);
    std::vector<double> duals(n);
    for (auto& dual : duals) dual = random.uniform() * (random.below(8) == 0 ? 3.0 : 0.3) - 0.05;
    ThreadTeam team(2);
    Run run;
    const PricingIndex index(data.table(), {duals.data(), n}, k, team, run);
    for (std::size_t m = k; m < 2 * k; ++m) {
      const Plain plain{data, duals, m};
      for (std::size_t probe = 0; probe < 5; ++probe) {
        const std::size_t root = random.below(n);
        for (std::size_t others = 0; others + 1 < m; ++others)
          CHECK(std::abs(index.half_least(root, others, m) - plain.half_least(root, others)) <
                1e-9);
        std::vector<double> parts;
        for (std::size_t row = 0; row < n; ++row)
          if (row != root) parts.push_back(plain.part(root, row));
        std::sort(parts.begin(), parts.end());
        double least = 0.0;
        for (std::size_t i = 0; i + 1 < m; ++i) least += parts[i];
        for (const auto isa : levels()) {
          PricingIndex::Candidates found;
          index.bound(root, m, found, isa);
          CHECK(std::abs(found.least - least) < 1e-9);
          CHECK(std::abs(found.last - parts[m - 2]) < 1e-9);
          const double limit = parts[random.below(parts.size())] + 1e-7;
          index.gather(root, m, limit, found, isa);
          std::vector<std::size_t> wanted;
          for (std::size_t row = 0; row < n; ++row)
            if (row != root && plain.part(root, row) < limit) wanted.push_back(row);
          CHECK(found.rows == wanted);
        }
      }
    }
  }
}

}  // namespace
