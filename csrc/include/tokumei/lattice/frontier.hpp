// What is known of the lattice without looking: nodes at or below one that fails fail too, nodes at
// or above one that passes pass, and above one that is settled there is nothing better.
//
// Only the outermost nodes are kept, so a question costs a subtraction for each of them
// (predictive tagging, as in Incognito, Flash and ARX).
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "tokumei/lattice/levels.hpp"

namespace tokumei::lattice {

class Frontier {
 public:
  bool fails(const Levels& levels) const {
    return std::any_of(failing_.begin(), failing_.end(),
                       [&](const Levels& high) { return levels.at_or_below(high); });
  }

  bool passes(const Levels& levels) const { return above_any(passing_, levels); }
  bool settled(const Levels& levels) const { return above_any(settled_, levels); }

  void add_failing(const Levels& levels) {
    std::erase_if(failing_, [&](const Levels& one) { return one.at_or_below(levels); });
    failing_.push_back(levels);
  }

  void add_passing(const Levels& levels) { add_low(passing_, levels); }
  void add_settled(const Levels& levels) { add_low(settled_, levels); }

 private:
  static bool above_any(const std::vector<Levels>& nodes, const Levels& levels) {
    return std::any_of(nodes.begin(), nodes.end(),
                       [&](const Levels& low) { return low.at_or_below(levels); });
  }

  static void add_low(std::vector<Levels>& nodes, const Levels& levels) {
    if (above_any(nodes, levels)) return;
    std::erase_if(nodes, [&](const Levels& one) { return levels.at_or_below(one); });
    nodes.push_back(levels);
  }

  std::vector<Levels> failing_, passing_, settled_;
};

}  // namespace tokumei::lattice
