// The box store against looking at every record, for every instruction set, on tables that hurt.
#include "tokumei/spatial/box_store.hpp"

#include <cmath>
#include <string>
#include <vector>

#include "check.hpp"
#include "data.hpp"

using namespace tokumei::spatial;

namespace {

Data troubled(Random& random, const std::string& kind, std::size_t rows, std::size_t columns) {
  auto data = make_data(random, rows, columns, kind == "ties" ? 3 : 0);
  for (std::size_t at = 0; at < data.values.size(); ++at) {
    double& value = data.values[at];
    const std::size_t row = at % rows, column = at / rows;
    if (kind == "equal") value = 0.1;
    if (kind == "offset") value += 1e9;
    if (kind == "outlier" && row == rows / 2) value = 1e12;
    if (kind == "tiny") value *= 1e-200;
    if (kind == "subnormal") value *= 1e-310;
    if (kind == "large") value *= 1e150;
    if (kind == "mixed scales") value *= std::pow(1e6, static_cast<double>(column % 4));
    if (kind == "clusters")
      value = value * 1e-30 + (row % 3 == 0 ? 1e10 : row % 3 == 1 ? 1.0 : 0.0);
    if (kind == "collinear") value = data.values[row] * static_cast<double>(column + 1);
    if (kind == "few rows") value = data.values[row % 7 + column * rows];
  }
  return data;
}

// The row of the least width, or of the greatest, the lowest of equals.
std::size_t best_row(const Data& data, const std::vector<std::size_t>& rows, const BoundingBox& box,
                     bool greatest) {
  std::size_t best = data.rows;
  double best_width = 0.0;
  std::vector<double> point(data.columns);
  for (const auto row : rows) {
    for (std::size_t j = 0; j < data.columns; ++j) point[j] = data.table()(row, j);
    const double width = box.width_with(point.data());
    const bool better = greatest ? width > best_width : width < best_width;
    if (best == data.rows || better || (width == best_width && row < best)) {
      best = row;
      best_width = width;
    }
  }
  return best;
}

// Grows boxes and takes out what is found, until nothing is left.
void exercise(Random& random, const Data& data, InstructionSet isa, std::size_t searches) {
  Run run{1, isa, {}};
  BoxStore store(data.table(), searches, run);
  BoundingBox box;
  while (store.size() > 0) {
    const auto rows = store.remaining();
    std::size_t found = 0;
    if (box.lower.empty() || random.below(4) == 0) {
      std::vector<double> point(data.columns);
      const std::size_t at = random.below(data.rows);
      for (std::size_t j = 0; j < data.columns; ++j) point[j] = data.table()(at, j);
      box = {point, point};
      found = store.farthest(point.data());
      CHECK(store.row(found) == best_row(data, rows, box, true));
    } else {
      found = store.cheapest(box);
      CHECK(store.row(found) == best_row(data, rows, box, false));
      box.hold(store.record(found));
    }
    store.remove({&found, 1});
  }
}

}  // namespace

int main() {
  Random random(17);
  for (const std::string kind : {"plain", "ties", "equal", "offset", "outlier", "tiny", "subnormal",
                                 "large", "mixed scales", "clusters", "collinear", "few rows"})
    for (const auto isa : levels()) {
      for (int round = 0; round < 4; ++round)
        exercise(random, troubled(random, kind, 1 + random.below(60), 1 + random.below(9)), isa,
                 1000 * random.below(2));
      // Several blocks, building anew on the way.
      exercise(random, troubled(random, kind, 1500, 1 + random.below(6)), isa, 1000);
    }
  return check::result();
}
