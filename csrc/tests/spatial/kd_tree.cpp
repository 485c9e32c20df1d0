// The record tree: the nearest unvisited record is that of looking at all, until none is left.
#include "tokumei/spatial/kd_tree.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "check.hpp"
#include "data.hpp"
#include "tokumei/spatial/kd_tree_search.hpp"

using namespace tokumei::spatial;

namespace {

// Rows dealt to blocks by chance, none empty.
RowBlocks some_blocks(Random& random, std::size_t rows, std::size_t count) {
  std::vector<std::vector<std::size_t>> members(std::min(rows, count));
  for (std::size_t row = 0; row < rows; ++row)
    members[row < members.size() ? row : random.below(members.size())].push_back(row);
  RowBlocks blocks;
  blocks.borders.push_back(0);
  for (const auto& block : members) {
    blocks.rows.insert(blocks.rows.end(), block.begin(), block.end());
    blocks.borders.push_back(blocks.rows.size());
  }
  return blocks;
}

// The least (squared distance, row) of some rows, or none.
std::size_t nearest_of(const Data& data, const std::vector<char>& visited, std::size_t from,
                       const std::size_t* begin, const std::size_t* end) {
  std::pair best{std::numeric_limits<double>::infinity(), KdTree::none};
  for (; begin != end; ++begin) {
    if (visited[*begin]) continue;
    double sum = 0.0;
    for (std::size_t j = 0; j < data.columns; ++j) {
      const double by = data.table()(*begin, j) - data.table()(from, j);
      sum += by * by;
    }
    best = std::min(best, {sum, *begin});
  }
  return best.second;
}

void walk(Random& random, const Data& data, std::size_t blocks, InstructionSet isa) {
  const auto split = some_blocks(random, data.rows, blocks);
  ProgressMonitor monitor;
  KdTree tree(data.table(), split, monitor);
  KdTreeSearch search(tree, isa);
  std::vector<char> visited(data.rows);
  // Of copies the lowest row is visited first, so the first record is one without a lower copy.
  const std::size_t* all = split.rows.data();
  FoundRecord at =
      at_row(tree, nearest_of(data, visited, random.below(data.rows), all, all + data.rows));
  for (std::size_t step = 0; step < data.rows; ++step) {
    CHECK(at.any() && !visited[at.row]);
    visited[at.row] = 1;
    const std::size_t block = tree.node(at.place.leaf).block;
    const std::size_t* rows = &split.rows[split.borders[block]];
    const std::size_t* end = split.rows.data() + split.borders[block + 1];
    CHECK(std::find(rows, end, at.row) != end);
    std::vector<double> point(tree.sides());
    tree.copy_record(at.place, point.data());
    for (std::size_t j = 0; j < data.columns; ++j) CHECK(point[j] == data.table()(at.row, j));
    tree.visit(at.place);
    FoundRecord in_block, of_all;
    search.below(tree.root_of(block), NoRings{}, point, in_block);
    search.below(tree.root(), NoRings{}, point, of_all);
    CHECK(in_block.row == nearest_of(data, visited, at.row, rows, end));
    CHECK(of_all.row == nearest_of(data, visited, at.row, all, all + data.rows));
    CHECK(tree.empty(tree.root_of(block)) == !in_block.any());
    at = random.below(2) == 0 && in_block.any() ? in_block : of_all;
  }
  CHECK(tree.empty(tree.root()));
}

TEST(the_nearest_unvisited_record_is_that_of_looking_at_all) {
  Random random(1);
  for (const std::string kind : {"plain", "ties", "equal", "offset", "outlier", "clusters",
                                 "collinear", "few rows", "mixed scales"})
    for (const auto isa : levels()) {
      walk(random, troubled(random, kind, 1 + random.below(40), 1 + random.below(9)),
           1 + random.below(6), isa);
      walk(random, troubled(random, kind, 400, 1 + random.below(3)), 1 + random.below(3), isa);
    }
}

TEST(copies_are_one_leaf_that_hands_out_its_lowest_row) {
  const Data data{300, 2, std::vector<double>(600, 1.5)};
  RowBlocks blocks{std::vector<std::size_t>(300), {0, 300}};
  std::iota(blocks.rows.begin(), blocks.rows.end(), std::size_t{0});
  ProgressMonitor monitor;
  KdTree tree(data.table(), blocks, monitor);
  CHECK(tree.node(tree.root()).copies && tree.node(tree.root()).left_over == 300);
  CHECK(tree.attributes() == 2 && tree.sides() == 8);
  tree.visit(tree.place_of(0));
  KdTreeSearch search(tree, InstructionSet::baseline);
  FoundRecord found;
  search.below(tree.root(), NoRings{}, std::vector<double>(8), found);
  CHECK(found.row == 1 && found.nearness.distance == 4.5);
}

TEST(a_ring_comes_before_a_distance) {
  const Nearness near{0, 9.0}, far{1, 1.0}, equal{0, 9.0};
  CHECK(far.beyond(near) && !near.beyond(far) && !near.beyond(equal));
  CHECK(Nearness().beyond(far) && !FoundRecord().any());
}

}  // namespace
