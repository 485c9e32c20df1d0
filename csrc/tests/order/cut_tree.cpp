// Blocks of a tree of cuts: a value at a cut is below it, and a tree that leads nowhere is refused.
#include "tokumei/order/cut_tree.hpp"

#include <cstdint>
#include <stdexcept>
#include <vector>

#include "check.hpp"
#include "data.hpp"

using namespace tokumei::order;

namespace {

struct Tree {
  std::vector<std::int64_t> axis, below, above;
  std::vector<double> cut;

  CutTree view() const {
    return {{axis.data(), axis.size()},
            {cut.data(), cut.size()},
            {below.data(), below.size()},
            {above.data(), above.size()}};
  }
};

// x <= 1 is block 0; above it y <= 5 is block 1, and the rest block 2.
Tree small() { return {{0, -1, 1, -1, -1}, {1, 0, 3, 1, 2}, {2, 0, 4, 0, 0}, {1, 0, 5, 0, 0}}; }

std::vector<std::int64_t> found(const Tree& tree, const std::vector<double>& x, std::size_t rows) {
  std::vector<std::int64_t> blocks(rows);
  find_blocks({x.data(), rows, x.size() / rows}, tree.view(), {blocks.data(), rows}, {});
  return blocks;
}

TEST(ties_are_below_a_cut) {
  const auto blocks = found(small(), {0, 1, 2, 2, 2, 9, 9, 4, 5, 6}, 5);
  CHECK(blocks == (std::vector<std::int64_t>{0, 0, 1, 1, 2}));
}

TEST(a_tree_of_one_leaf_has_one_block) {
  CHECK(found({{-1}, {7}, {0}, {0}}, {1, 2}, 2) == (std::vector<std::int64_t>{7, 7}));
}

// A chain of cuts: the walk of a record is as long as its value is great, and others do not wait.
TEST(records_go_each_its_own_way) {
  Tree chain;
  for (std::int64_t cut = 0; cut < 40; ++cut) {
    chain.axis.insert(chain.axis.end(), {cut % 2, -1});
    chain.cut.insert(chain.cut.end(), {static_cast<double>(cut), 0});
    chain.below.insert(chain.below.end(), {2 * cut + 1, cut});
    chain.above.insert(chain.above.end(), {2 * cut + 2, 0});
  }
  chain.axis.push_back(-1);
  chain.cut.push_back(0);
  chain.below.push_back(40);
  chain.above.push_back(0);
  const std::size_t rows = 101;
  std::vector<double> x(2 * rows);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<double>(i * 37 % 83) / 2;
  std::vector<std::int64_t> walked(rows, 40);
  for (std::size_t row = 0; row < rows; ++row)
    for (std::int64_t cut = 39; cut >= 0; --cut)
      if (x[static_cast<std::size_t>(cut % 2) * rows + row] <= static_cast<double>(cut))
        walked[row] = cut;
  CHECK(found(chain, x, rows) == walked);
}

TEST(trees_that_lead_nowhere_are_refused) {
  for (const auto& tree :
       {Tree{{0}, {0}, {0}, {1}}, Tree{{2, -1, -1}, {1, 0, 1}, {2, 0, 0}, {1, 0, 0}},
        Tree{{0, -1}, {1, 0}, {2, 0}, {1, 0}}, Tree{}}) {
    bool refused = false;
    try {
      (void)found(tree, {1, 2}, 1);
    } catch (const std::invalid_argument&) {
      refused = true;
    }
    CHECK(refused);
  }
}

}  // namespace
