// Bounds of nodes and leaves are never above the scores of the records in them, and a search finds
// what looking at every record finds.
#include <algorithm>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "check.hpp"
#include "data.hpp"
#include "tokumei/spatial/bounding_box.hpp"
#include "tokumei/spatial/category_counts.hpp"
#include "tokumei/spatial/category_widths.hpp"
#include "tokumei/spatial/distance_objective.hpp"
#include "tokumei/spatial/held_categories.hpp"
#include "tokumei/spatial/kd_order.hpp"
#include "tokumei/spatial/record_scan.hpp"
#include "tokumei/spatial/record_search.hpp"
#include "tokumei/spatial/stored_records.hpp"
#include "tokumei/spatial/width_objective.hpp"

using namespace tokumei::spatial;

namespace {

struct Bounds {
  double scores[16];
};

template <class Objective>
struct FindBounds {
  template <std::size_t bytes>
  struct Body {
    TOKUMEI_HOT static void run(const Objective* objective, std::size_t height, std::size_t group,
                                Bounds* out) {
      Sixteen<double, bytes> bounds;
      objective->find_bounds(height, group, bounds);
      store(out->scores, bounds);
    }
  };
};

template <class Objective>
struct FindLeaves {
  template <std::size_t bytes>
  struct Body {
    TOKUMEI_HOT static unsigned run(const Objective* objective, std::size_t block, double limit,
                                    float* frame, float* room) {
      Sixteen<float, bytes> gaps;
      objective->template enter<bytes>(block, frame);
      return objective->find_leaves(block, objective->frame(block), limit, frame, room, gaps);
    }
  };
};

template <class Objective>
void bounds_hold(const RecordBlocks& records, const Objective& objective, InstructionSet isa) {
  std::vector<double> least(records.scales.size(), infinite);
  for (std::size_t place = 0; place < records.rows.size(); ++place)
    if (records.rows[place] != no_row)
      least[place / block_rows] = std::min(least[place / block_rows], objective.score(place));
  std::size_t stretch = 1;  // blocks below a node
  for (std::size_t height = 0; height < records.tree.height(); ++height, stretch *= 16)
    for (std::size_t node = 0; node < records.tree[height].count; ++node) {
      Bounds bounds{};
      dispatch_lanes<FindBounds<Objective>::template Body>(isa, &objective, height, node / 16,
                                                           &bounds);
      for (std::size_t block = node * stretch; block < std::min((node + 1) * stretch, least.size());
           ++block)
        CHECK(bounds.scores[node % 16] <= least[block]);
    }
  std::vector<float> frame(objective.room()), room(objective.room());
  for (std::size_t block = 0; block < least.size(); ++block) {
    const std::size_t begin = block * block_rows;
    for (std::size_t place = begin; place < begin + block_rows; place += 7) {
      if (records.rows[place] == no_row) continue;
      const unsigned found = dispatch_lanes<FindLeaves<Objective>::template Body>(
          isa, &objective, block, objective.score(place), frame.data(), room.data());
      CHECK((found >> (place - begin) / 16 & 1U) != 0);
    }
  }
}

template <class Objective>
void search_is_exact(Random& random, const RecordBlocks& records,
                     const typename Objective::Question& question, InstructionSet isa) {
  Objective objective(records);
  objective.set(question);
  bounds_hold(records, objective, isa);
  std::vector<std::pair<double, std::size_t>> all;
  for (std::size_t place = 0; place < records.rows.size(); ++place)
    if (records.rows[place] != no_row)
      all.emplace_back(objective.score(place), records.rows[place]);
  std::sort(all.begin(), all.end());
  Search<Objective> search(records);
  const std::size_t wanted = random.below(12);
  const auto limit = random.below(2) == 0 || all.empty() ? std::pair{infinite, no_row}
                                                         : all[random.below(all.size())];
  auto found = search.run(question, wanted, isa, limit.first, limit.second);
  std::sort(found.begin(), found.end());
  std::vector<std::pair<double, std::size_t>> expected;
  for (std::size_t i = 0; i < std::min(wanted, all.size()) && all[i] < limit; ++i)
    expected.push_back(all[i]);
  CHECK(found.size() == expected.size());
  for (std::size_t i = 0; i < std::min(found.size(), expected.size()); ++i) {
    CHECK(found[i].score == expected[i].first && found[i].row == expected[i].second);
    CHECK(records.rows[found[i].place] == found[i].row);
  }
  CHECK(search.visited() <= records.scales.size() + 1);
}

TEST(bounds_hold_and_searches_are_exact_for_every_objective) {
  Random random(1);
  for (const std::string kind : {"plain", "ties", "equal", "offset", "outlier", "tiny", "large",
                                 "mixed scales", "clusters", "few rows"})
    for (const std::size_t rows : {1U, 30U, 5000U}) {
      const auto data = troubled(random, kind, rows, 1 + random.below(6));
      ThreadTeam team(1);
      ProgressMonitor monitor;
      RecordBlocks records(data.table());
      std::vector<std::size_t> order(data.rows);
      std::iota(order.begin(), order.end(), std::size_t{0});
      kd_order(data.table(), order, team, monitor);
      records.build(order, team, monitor);
      std::vector<double> point(data.columns), box(2 * data.columns), mean(data.columns);
      for (std::size_t j = 0; j < data.columns; ++j) {
        point[j] = data.table()(random.below(rows), j);
        const double other = data.table()(random.below(rows), j);
        box[j] = std::min(point[j], other);
        box[data.columns + j] = std::max(point[j], other);
        mean[j] = data.table()(random.below(rows), j);
      }
      const HeldCategories none(0);
      records.set_anchor(mean.data(), team, monitor);
      for (std::size_t gap = 0; gap < rows / 2; ++gap)
        if (records.rows[2 * gap] != no_row) records.remove(2 * gap);
      for (const auto isa : levels()) {
        search_is_exact<DistanceObjective<Side::nearest>>(random, records, point.data(), isa);
        search_is_exact<DistanceObjective<Side::farthest>>(random, records, point.data(), isa);
        search_is_exact<WidthObjective<false>>(random, records,
                                               {box.data(), box.data() + data.columns, &none}, isa);
        search_is_exact<WidthObjective<true>>(random, records, {point.data(), point.data(), &none},
                                              isa);
      }
    }
}

TEST(bounds_hold_and_searches_are_exact_where_records_have_codes) {
  Random random(3);
  for (const std::size_t rows : {1U, 40U, 3000U})
    for (int round = 0; round < 4; ++round) {
      // Up to 102 categories a column: more than sets of leaves, and of nodes, have bits.
      const auto data = make_mixed(random, rows, 1 + random.below(11), round % 2);
      const Records x = data.records();
      ThreadTeam team(1);
      ProgressMonitor monitor;
      RecordBlocks records(x);
      std::vector<std::size_t> order(rows);
      std::iota(order.begin(), order.end(), std::size_t{0});
      kd_order(x, order, team, monitor);
      records.build(order, team, monitor);
      CategoryCounts counts(x);
      std::vector<double> mean(x.numbers.columns());
      for (auto& value : mean) value = random.uniform();
      records.category_anchor.set(counts, x.weights);
      records.set_anchor(mean.data(), team, monitor);
      counts.remember();
      for (std::size_t gap = 0; gap < rows / 2; ++gap)
        if (records.rows[2 * gap] != no_row) {
          counts.remove(records.categories.slots(2 * gap));
          records.remove(2 * gap);
        }
      const OwnPoint point = point_of(x, random.below(rows));
      HeldCategories one(x.codes.columns()), some(x.codes.columns());
      one.hold(point.slots.data());
      BoundingBox box{point.numbers, point.numbers};
      for (int member = 0; member < 4; ++member) {
        const OwnPoint other = point_of(x, random.below(rows));
        box.hold(other.numbers.data());
        some.hold(other.slots.data());
      }
      some.hold(point.slots.data());
      for (const auto isa : levels()) {
        search_is_exact<DistanceObjective<Side::nearest>>(random, records, point.view(), isa);
        search_is_exact<DistanceObjective<Side::farthest>>(random, records, point.view(), isa);
        search_is_exact<DistanceObjective<Side::farthest>>(random, records,
                                                           {mean.data(), nullptr, &counts}, isa);
        search_is_exact<WidthObjective<false>>(random, records,
                                               {box.lower.data(), box.upper.data(), &some}, isa);
        search_is_exact<WidthObjective<true>>(
            random, records, {point.numbers.data(), point.numbers.data(), &one}, isa);
      }
    }
}

TEST(a_scan_promises_what_its_limit_allows) {
  Random random(2);
  const auto data = make_data(random, 40, 2, 0);
  ThreadTeam team(1);
  ProgressMonitor monitor;
  RecordBlocks records(data.table());
  std::vector<std::size_t> rows(data.rows);
  std::iota(rows.begin(), rows.end(), std::size_t{0});
  records.build(rows, team, monitor);
  DistanceObjective<Side::nearest> objective(records);
  RecordScan<DistanceObjective<Side::nearest>> scan(records, objective);
  scan.begin(3, 2.0, 17);
  CHECK(scan.promises(1.9, no_row) && scan.promises(2.0, 16));
  CHECK(!scan.promises(2.0, 17) && !scan.promises(2.1, 0));
  CHECK(scan.within_limit(ascending<Sixteen<double, narrowest>>(0.0)) == 0b111);
  CHECK(scan.best().empty() && scan.visited() == 0);
  CHECK((Found{1.0, 3, 0} < Found{1.0, 4, 0}) && (Found{1.0, 9, 0} < Found{2.0, 4, 0}));
}

}  // namespace
