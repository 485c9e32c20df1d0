// The record store against looking at every record, for every instruction set, on tables that hurt.
#include "tokumei/spatial/record_store.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "check.hpp"
#include "data.hpp"

using namespace tokumei::spatial;

namespace {

// One kind of trouble for bounds that are not exact.
Data troubled(Random& random, const std::string& kind, std::size_t rows, std::size_t columns) {
  auto data = make_data(random, rows, columns, kind == "ties" ? 3 : 0);
  for (std::size_t at = 0; at < data.values.size(); ++at) {
    double& value = data.values[at];
    const std::size_t row = at % rows, column = at / rows;
    if (kind == "equal") value = 0.1;
    if (kind == "offset") value += 1e9;
    if (kind == "outlier" && row == rows / 2) value = 1e12;
    if (kind == "tiny") value *= 1e-200;
    if (kind == "subnormal squares") value *= 1e-160;
    if (kind == "small") value *= 1e-147;
    if (kind == "large") value *= 1e150;
    if (kind == "mixed scales") value *= std::pow(1e6, static_cast<double>(column % 4));
    if (kind == "heavy tails") value = 1.0 / value;
    if (kind == "clusters")
      value = value * 1e-30 + (row % 3 == 0 ? 1e10 : row % 3 == 1 ? 1.0 : 0.0);
    if (kind == "collinear") value = data.values[row] * static_cast<double>(column + 1);
    if (kind == "few rows") value = data.values[row % 7 + column * rows];
  }
  if (kind == "sphere")
    for (std::size_t row = 0; row < rows; ++row) {
      double squares = 0.0;
      for (std::size_t j = 0; j < columns; ++j)
        squares += data.values[j * rows + row] * data.values[j * rows + row];
      for (std::size_t j = 0; j < columns; ++j) data.values[j * rows + row] /= std::sqrt(squares);
    }
  return data;
}

using Scored = std::pair<double, std::size_t>;  // the better the lower, then the lower row

std::vector<Scored> scores(const Data& data, const std::vector<char>& gone, const double* point,
                           bool far) {
  std::vector<Scored> all;
  for (std::size_t row = 0; row < data.rows; ++row) {
    if (gone[row]) continue;
    double sum = 0.0;
    for (std::size_t j = 0; j < data.columns; ++j) {
      const double by = data.table()(row, j) - point[j];
      sum += by * by;
    }
    all.emplace_back(far ? -sum : sum, row);
  }
  std::sort(all.begin(), all.end());
  return all;
}

std::vector<std::size_t> rows_of(const RecordStore& store, std::span<const std::size_t> places) {
  std::vector<std::size_t> rows;
  for (const auto place : places) rows.push_back(store.row(place));
  std::sort(rows.begin(), rows.end());
  return rows;
}

// Searches from all kinds of points, taking out what is found, until nothing is left.
void exercise(Random& random, const Data& data, InstructionSet isa, std::size_t searches,
              std::size_t most) {
  Run run{1, isa, {}};
  RecordStore store(data.table(), searches, run);
  std::vector<char> gone(data.rows);
  std::vector<double> point(data.columns);
  while (store.size() > 0) {
    const auto rows = store.remaining();
    CHECK(rows.size() == store.size());
    const bool middle = random.below(3) == 0;
    const std::size_t at = rows[random.below(rows.size())];
    for (std::size_t j = 0; j < data.columns; ++j) {
      point[j] = data.table()(at, j);
      if (!middle) continue;
      point[j] = 0.0;
      for (const auto row : rows)
        point[j] += data.table()(row, j) / static_cast<double>(rows.size());
    }
    const auto far = scores(data, gone, point.data(), true);
    const auto found =
        middle ? store.farthest_from_centre(point.data()) : store.farthest(point.data());
    CHECK(store.row(found) == far.front().second);
    const std::size_t count = random.below(most + 1);
    const auto near = scores(data, gone, point.data(), false);
    std::vector<std::size_t> expected;
    for (std::size_t i = 0; i < std::min(count, near.size()); ++i)
      expected.push_back(near[i].second);
    std::sort(expected.begin(), expected.end());
    // Only those before some record, in the order of distances.
    const auto& limit = near[random.below(near.size())];
    std::vector<std::size_t> before;
    for (std::size_t i = 0; i < std::min(count, near.size()) && near[i] < limit; ++i)
      before.push_back(near[i].second);
    std::sort(before.begin(), before.end());
    CHECK(rows_of(store, store.nearest(point.data(), count, limit.first, limit.second)) == before);
    const auto places = store.nearest(point.data(), count);
    CHECK(rows_of(store, places) == expected);
    if (random.below(2) == 0) {
      for (const auto row : expected) gone[row] = 1;
      store.remove(places);
    } else {
      gone[far.front().second] = 1;
      store.remove({&found, 1});
    }
  }
}

}  // namespace

int main() {
  Random random(11);
  for (const std::string kind :
       {"plain", "ties", "equal", "offset", "outlier", "tiny", "subnormal squares", "small",
        "large", "mixed scales", "heavy tails", "clusters", "collinear", "few rows", "sphere"})
    for (const auto isa : levels()) {
      for (int round = 0; round < 4; ++round)
        exercise(random, troubled(random, kind, 1 + random.below(60), 1 + random.below(9)), isa,
                 1000 * random.below(2), 9);
      // Several blocks, then several heights of the tree, building anew on the way.
      exercise(random, troubled(random, kind, 700, 1 + random.below(6)), isa, 1000, 40);
      exercise(random, troubled(random, kind, 5000, 1 + random.below(4)), isa, 1000, 900);
    }
  return check::result();
}
