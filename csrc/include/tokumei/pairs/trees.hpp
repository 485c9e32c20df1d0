// Sums over all pairs of records that sit at the nodes of a tree, the distance being the number of
// edges between them: sum_ij d, or sum_ij d^2.
//
// Each node knows how many records are at or below it, and the sums of their depths below it and of
// the squares of these. Where a child is joined to what its parent has gathered so far, all pairs
// of both meet at the parent: d = depth + depth'. O(n + nodes), one walk from the leaves to the
// root. The sums are whole numbers, exact below 2^53 a node; the result is rounded once.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "tokumei/numeric/exact_sum.hpp"
#include "tokumei/runtime/views.hpp"

namespace tokumei::pairs {

// parents[v] < v is the parent of node v; the root is node 0 and its entry is not read. counts[v]
// is the number of records at v. power is 1 or 2.
inline double tree_distances(Column<std::int64_t> parents, Column<std::int64_t> counts, int power) {
  struct Below {
    double records = 0.0, depths = 0.0, squares = 0.0;
  };
  std::vector<Below> nodes(parents.size());
  for (std::size_t v = 0; v < nodes.size(); ++v) nodes[v].records = static_cast<double>(counts[v]);
  ExactSum sum;
  const auto add_product = [&](double a, double b) {
    const double product = a * b;
    sum.add(product);
    sum.add(std::fma(a, b, -product));
  };
  for (std::size_t v = nodes.size(); v-- > 1;) {
    const Below child = nodes[v];
    // One edge farther from the parent.
    const Below lifted = {child.records, child.depths + child.records,
                          child.squares + 2.0 * child.depths + child.records};
    Below& parent = nodes[static_cast<std::size_t>(parents[v])];
    if (power == 1) {
      add_product(2.0 * parent.records, lifted.depths);
      add_product(2.0 * parent.depths, lifted.records);
    } else {
      add_product(2.0 * parent.records, lifted.squares);
      add_product(4.0 * parent.depths, lifted.depths);
      add_product(2.0 * parent.squares, lifted.records);
    }
    parent.records += lifted.records;
    parent.depths += lifted.depths;
    parent.squares += lifted.squares;
  }
  return sum.value();
}

}  // namespace tokumei::pairs
