// Who is next to whom among blocks that are halved layer by layer (flexdice.hpp).
//
// Faces of linked blocks touch. Siblings that differ in one half are linked. A link of two halved
// blocks becomes links of those of their heirs that stand face to face. A link to a block that is
// halved no more goes to one heir on that side: the one of most records, of equal ones that of the
// lowest code; where no heir is on that side the link ends. So no block ever has two links on one
// side of one axis.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "tokumei/order/block_graph.hpp"

namespace tokumei::order {

// A child with its number and size. Bit t of the code: upper half on the t-th halved axis.
struct Heir {
  std::uint64_t code;
  std::size_t block;
  std::size_t size;
};

using Heirs = std::vector<Heir>;  // by code; empty for a block that was not halved in this layer

class BlockLinks {
 public:
  static constexpr std::size_t none = BlockGraph::none;

  explicit BlockLinks(std::size_t attributes) : attributes_(attributes) {}

  void resize(std::size_t blocks) {
    below_.resize(blocks * attributes_);
    above_.resize(blocks * attributes_);
  }

  void cut(std::size_t block) {
    std::fill_n(&below_[block * attributes_], attributes_, none);
    std::fill_n(&above_[block * attributes_], attributes_, none);
  }

  std::size_t below(std::size_t block, std::size_t j) const {
    return below_[block * attributes_ + j];
  }
  std::size_t above(std::size_t block, std::size_t j) const {
    return above_[block * attributes_ + j];
  }

  // Makes the links on axis j among the heirs of a block, and theirs to the world outside; between
  // heirs of two blocks they are made once, from the lower one. `upper_half`: the axis' bit in
  // codes, 0 if it was not halved.
  void hand_down(std::size_t parent, std::size_t j, std::uint64_t upper_half,
                 const std::vector<Heirs>& heirs) {
    const std::size_t lower = below(parent, j), upper = above(parent, j);
    for (const auto& heir : heirs[parent]) {
      if ((heir.code & upper_half) != upper_half)
        link(heir.block, with_code(heirs[parent], heir.code | upper_half), j);
      else if (upper != none && !heirs[upper].empty())
        link(heir.block, with_code(heirs[upper], heir.code ^ upper_half), j);
    }
    if (upper != none && heirs[upper].empty())
      link(fullest(heirs[parent], upper_half, upper_half), upper, j);
    if (lower != none && heirs[lower].empty())
      link(lower, fullest(heirs[parent], upper_half, 0), j);
  }

 private:
  void link(std::size_t low, std::size_t high, std::size_t j) {
    if (low != none) above_[low * attributes_ + j] = high;
    if (high != none) below_[high * attributes_ + j] = low;
  }

  static std::size_t with_code(const Heirs& heirs, std::uint64_t code) {
    const auto found = std::ranges::lower_bound(heirs, code, {}, &Heir::code);
    return found != heirs.end() && found->code == code ? found->block : none;
  }

  // The heir of most records among those whose code has `bits` in the places of `mask`.
  static std::size_t fullest(const Heirs& heirs, std::uint64_t mask, std::uint64_t bits) {
    const Heir* best = nullptr;
    for (const auto& heir : heirs)
      if ((heir.code & mask) == bits && (best == nullptr || heir.size > best->size)) best = &heir;
    return best == nullptr ? none : best->block;
  }

  std::size_t attributes_;
  std::vector<std::size_t> below_, above_;
};

}  // namespace tokumei::order
