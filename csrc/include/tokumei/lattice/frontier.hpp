// What is known of the lattice without looking: nodes at or below one that fails fail too, nodes at
// or above one that passes pass.
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

  bool passes(const Levels& levels) const {
    return std::any_of(passing_.begin(), passing_.end(),
                       [&](const Levels& low) { return low.at_or_below(levels); });
  }

  void add_failing(const Levels& levels) {
    std::erase_if(failing_, [&](const Levels& one) { return one.at_or_below(levels); });
    failing_.push_back(levels);
  }

  void add_passing(const Levels& levels) {
    std::erase_if(passing_, [&](const Levels& one) { return levels.at_or_below(one); });
    passing_.push_back(levels);
  }

 private:
  std::vector<Levels> failing_, passing_;
};

}  // namespace tokumei::lattice
