// Records in blocks: all that is known of a block is as tight after every removal as if built anew,
// and what float32 says of a distance holds for the true one.
#include "tokumei/spatial/record_blocks.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>
#include <vector>

#include "check.hpp"
#include "data.hpp"
#include "tokumei/spatial/quantisation_frame.hpp"
#include "tokumei/spatial/stored_records.hpp"
#include "tokumei/spatial/width_objective.hpp"

using namespace tokumei::spatial;

namespace {

void is_tight(const Data& data, const RecordBlocks& records) {
  std::size_t held = 0;
  for (std::size_t block = 0; block < records.scales.size(); ++block) {
    std::size_t lowest = no_row;
    double reach = -1.0;
    std::vector<double> lower(data.columns, infinite), upper(data.columns, -infinite);
    for (std::size_t place = block * block_rows; place < (block + 1) * block_rows; ++place) {
      const std::size_t row = records.rows[place];
      if (row == no_row) continue;
      ++held;
      lowest = std::min(lowest, row);
      const double* record = &records.values[place * data.columns];
      reach = std::max(reach, std::sqrt(squared_distance_by_attributes(
                                  record, records.anchor.data(), data.columns)));
      for (std::size_t j = 0; j < data.columns; ++j) {
        CHECK(record[j] == data.table()(row, j));
        lower[j] = std::min(lower[j], record[j]);
        upper[j] = std::max(upper[j], record[j]);
      }
    }
    const double* box = records.tree[0].boxes(block / 16) + block % 16;
    for (std::size_t j = 0; j < data.columns; ++j)
      CHECK(box[j * 32] == lower[j] && box[j * 32 + 16] == upper[j]);
    CHECK(records.tree[0].lowest[block] == lowest);
    if (records.anchored) {
      CHECK(records.tree[0].reach[block] >= reach);
      CHECK(records.tree[0].reach[block] <= reach + std::abs(reach) * 1e-12 + 1e-149);
    }
  }
  CHECK(held == records.size);
}

TEST(blocks_are_tight_after_every_removal) {
  Random random(1);
  for (const std::string kind : {"plain", "ties", "equal", "outlier", "clusters", "offset"}) {
    const auto data = troubled(random, kind, 1 + random.below(700), 1 + random.below(6));
    ThreadTeam team(3);
    ProgressMonitor monitor;
    RecordBlocks records(data.table());
    std::vector<std::size_t> rows(data.rows);
    std::iota(rows.begin(), rows.end(), std::size_t{0});
    records.build(rows, team, monitor);
    is_tight(data, records);
    const std::vector<double> anchor(data.columns, 0.5);
    records.set_anchor(anchor.data(), team, monitor);
    for (std::size_t removed = 0; removed < data.rows; ++removed) {
      std::size_t place = random.below(records.rows.size());
      while (records.rows[place] == no_row) place = (place + 1) % records.rows.size();
      records.remove(place);
      CHECK(std::isnan(records.codes[place / 16 * records.attributes * 16 + place % 16]));
      if (removed % 40 == 0 || removed + 3 > data.rows) is_tight(data, records);
    }
    CHECK(records.size == 0);
  }
}

TEST(what_codes_say_of_distances_and_widths_holds_for_the_true_ones) {
  Random random(2);
  for (int round = 0; round < 2000; ++round) {
    const std::size_t d = 1 + random.below(20);
    const double scale = std::ldexp(1.0, static_cast<int>(random.below(60)) - 30);
    const auto frame = QuantisationFrame::of_distances(scale, d);
    const auto widths = QuantisationFrame::of_widths(scale, d);
    // A record in the unit ball of the frame, a point anywhere, and both in float32.
    double squared = 0.0, width = 0.0;
    float codes = 0.0F, code_width = 0.0F;
    const double far = random.below(3) == 0 ? 1e3 : 1.0;
    for (std::size_t j = 0; j < d; ++j) {
      const double record = (random.uniform() * 2 - 1) / std::sqrt(static_cast<double>(d));
      const double point = (random.uniform() * 2 - 1) * far;
      const double by = (record - point) / scale;
      const float code = static_cast<float>(record) - static_cast<float>(point);
      squared += by * by;
      width += std::abs(by);
      codes += code * code;
      code_width += std::abs(code);
    }
    CHECK(codes <= frame.code_within(squared) && codes >= frame.code_beyond(squared));
    CHECK(frame.wide_code_within(squared) >= static_cast<double>(codes));
    CHECK(squared <= frame.within(codes) && squared >= frame.beyond(codes));
    CHECK(code_width <= widths.code_within(width) && code_width >= widths.code_beyond(width));
    CHECK(width <= widths.within(code_width) && width >= widths.beyond(code_width));
  }
}

struct Store : StoredRecords {
  using StoredRecords::StoredRecords;
};

TEST(stored_records_keep_their_places_until_the_store_is_built_anew) {
  Random random(3);
  for (const std::size_t searches : {std::size_t{1}, std::size_t{1000}}) {
    const auto data = make_data(random, 1200, 3, 0);
    Run run{3, best_instruction_set(), {}};
    Store store(data.table(), searches, run);
    std::vector<char> gone(data.rows);
    int rebuilt = 0;
    while (store.size() > 0) {
      const auto rows = store.remaining();
      CHECK(rows.size() == store.size());
      for (const auto row : rows) CHECK(!gone[row]);
      // The lowest places that hold a record.
      std::vector<std::size_t> places;
      for (std::size_t place = 0; places.size() < std::min<std::size_t>(100, rows.size()); ++place)
        if (store.row(place) != no_row) places.push_back(place);
      for (const auto place : places) {
        gone[store.row(place)] = 1;
        for (std::size_t j = 0; j < 3; ++j)
          CHECK(store.record(place)[j] == data.table()(store.row(place), j));
      }
      rebuilt += store.remove(places);
    }
    // At half and at a quarter of the records; once where searches are few.
    CHECK(rebuilt == (searches == 1 ? 1 : 2));
    CHECK(std::count(gone.begin(), gone.end(), 1) == 1200);
  }
}

}  // namespace
