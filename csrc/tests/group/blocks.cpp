// Groups in blocks of neighbours, MDAV inside blocks, large groups split, and the neighbour of a
// group that grows.
#include <algorithm>
#include <cstdint>
#include <vector>

#include "check.hpp"
#include "data.hpp"
#include "tokumei/group/block_mdav.hpp"
#include "tokumei/group/group_blocks.hpp"
#include "tokumei/group/in_blocks.hpp"
#include "tokumei/group/neighbourhood.hpp"
#include "tokumei/group/split_groups.hpp"
#include "tokumei/group/sums_of_squares.hpp"

using namespace tokumei::group;

namespace {

using Labels = std::vector<std::int64_t>;

TEST(every_group_is_in_one_block_that_is_not_too_large) {
  Random random(1);
  for (int round = 0; round < 40; ++round) {
    const auto data =
        make_data(random, 20 + random.below(400), 1 + random.below(4), random.below(2) * 6);
    Labels labels(data.rows);
    for (auto& label : labels) label = static_cast<std::int64_t>(random.below(data.rows / 4));
    const std::size_t groups = renumber({labels.data(), data.rows});
    const auto members = members_of({labels.data(), data.rows}, groups);
    const std::size_t most = 10 + random.below(60), leaf = random.below(2) * 8;
    std::vector<std::vector<std::size_t>> first;
    for (const unsigned threads : {1U, 3U}) {
      ThreadTeam team(threads);
      const GroupBlocks blocks(
          data.table(), members, most, static_cast<std::size_t>(round), team, [] {}, leaf);
      std::vector<int> times(groups);
      std::vector<std::vector<std::size_t>> contents;
      for (std::size_t block = 0; block < blocks.count(); ++block) {
        std::size_t records = 0;
        contents.emplace_back(blocks.groups(block), blocks.groups(block) + blocks.size(block));
        for (const auto group : contents.back()) {
          ++times[group];
          records += members.size(group);
        }
        CHECK(records <= most || blocks.size(block) == 1);
        const auto leaves = blocks.leaves(block);
        CHECK(leaves.front() == 0 && leaves.back() == blocks.size(block));
        CHECK(std::is_sorted(leaves.begin(), leaves.end()));
      }
      CHECK(std::all_of(times.begin(), times.end(), [](int t) { return t == 1; }));
      if (first.empty()) first = contents;
      CHECK(contents == first);
    }
  }
}

TEST(block_mdav_has_groups_of_k_and_is_mdav_where_all_is_one_block) {
  Random random(2);
  for (int round = 0; round < 30; ++round) {
    const std::size_t k = 1 + random.below(6);
    const auto data =
        make_data(random, k + random.below(300), 1 + random.below(4), random.below(2) * 4);
    Labels first;
    for (const auto isa : levels())
      for (const unsigned threads : {1U, 3U}) {
        Labels labels(data.rows, -1);
        block_mdav(data.table(), k, 30, {labels.data(), data.rows}, Run{threads, isa, {}});
        if (first.empty()) first = labels;
        CHECK(labels == first);
      }
    auto canonical = first;
    const std::size_t groups = renumber({canonical.data(), data.rows});
    CHECK(canonical == first);
    for (const auto size : group_sizes({first.data(), data.rows}, groups)) CHECK(size >= k);
    Labels whole(data.rows), blocked(data.rows);
    mdav(data.table(), k, {whole.data(), data.rows}, Run{});
    block_mdav(data.table(), k, data.rows, {blocked.data(), data.rows}, Run{});
    CHECK(blocked == whole);
  }
}

TEST(large_groups_are_split_and_no_loss_rises) {
  Random random(3);
  for (int round = 0; round < 40; ++round) {
    const std::size_t k = 1 + random.below(5), groups = 1 + random.below(4);
    const auto data = make_data(random, groups * k + random.below(100), 2, random.below(2) * 4);
    Labels before(data.rows);
    for (std::size_t row = 0; row < data.rows; ++row)
      before[row] = static_cast<std::int64_t>(row < groups * k ? row / k : random.below(groups));
    auto after = before;
    const std::size_t most = 2 * k - 1 + random.below(5);
    const std::size_t count =
        split_groups(data.table(), {after.data(), data.rows}, groups, k, most, Run{});
    for (const auto size : group_sizes({after.data(), data.rows}, count))
      CHECK(size >= k && size <= std::max(most, 2 * k - 1));
    for (std::size_t a = 0; a < data.rows; ++a)
      for (std::size_t b = 0; b < a; ++b) CHECK(after[a] != after[b] || before[a] == before[b]);
    CHECK(sse(data.table(), {after.data(), data.rows}, count, Run{}) <=
          sse(data.table(), {before.data(), data.rows}, groups, Run{}) * (1 + 1e-12));
  }
}

// The least (distance, row) from any of some points to the records left.
Neighbour plain_nearest(const Data& data, const std::vector<std::size_t>& left,
                        const std::vector<std::size_t>& members) {
  Neighbour best;
  for (const auto member : members)
    for (const auto row : left) {
      double sum = 0.0;
      for (std::size_t j = 0; j < data.columns; ++j) {
        const double by = data.table()(row, j) - data.table()(member, j);
        sum += by * by;
      }
      best = std::min(best, Neighbour{sum, row, 0});
    }
  return best;
}

TEST(the_nearest_to_a_growing_group_is_that_of_looking_at_all) {
  Random random(4);
  for (int round = 0; round < 30; ++round) {
    const auto data =
        make_data(random, 10 + random.below(1300), 1 + random.below(4), random.below(3) * 3);
    Run run{1, best_instruction_set(), {}};
    RecordStore store(data.table(), data.rows, run,
                      round % 2 == 0 ? Equals::have_places : Equals::share_places);
    Neighbourhood near(store, data.table(), run.monitor);
    std::vector<std::size_t> members;
    const auto take = [&](std::size_t place) {
      const std::vector<double> point(store.record(place), store.record(place) + data.columns);
      members.push_back(store.row(place));
      near.forget(store.row(place));
      if (store.remove({&place, 1})) near.forget_places();
      near.add(point.data());
    };
    take(store.nearest(point_of(data.table(), random.below(data.rows)).view(), 1)[0]);
    for (int grown = 0; grown < 12 && store.size() > 1; ++grown) {
      if (grown == 6) {
        near.clear();
        members.clear();
        take(near.measured(data.values.data(), store.nearest(data.values.data(), 1)[0]).place);
      }
      const auto found = near.nearest();
      const auto expected = plain_nearest(data, store.remaining(), members);
      CHECK(found.distance == expected.distance && found.row == expected.row);
      CHECK(store.row(found.place) == found.row);
      auto others = store.remaining();
      others.erase(std::find(others.begin(), others.end(), found.row));
      const auto next = near.nearest_to(found.place);
      const auto other = plain_nearest(data, others, {found.row});
      CHECK(others.empty() || (next.distance == other.distance && next.row == other.row));
      take(found.place);
    }
  }
}

}  // namespace
