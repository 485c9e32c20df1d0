// Which cells of a row may be suppressed together, and how many a record needs at least.
//
// A mask is a set of columns, a bit each; its weight is the sum of theirs. A record whose
// cells outside a mask are those of at least k records may be published so. The cheapest such mask
// is what the record needs at least, whatever becomes of the others. All masks are known of tables
// of at most 12 columns, else the smallest ones, about four thousand, and the one of all columns.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <vector>

#include "tokumei/lattice/row_numbers.hpp"
#include "tokumei/runtime/progress_monitor.hpp"
#include "tokumei/runtime/views.hpp"

namespace tokumei::lattice {

using Mask = std::uint64_t;

// Codes of all records, each below 2^32.
class CellTable {
 public:
  CellTable(Table<std::int64_t> codes, Column<double> weights) : weights_(weights) {
    if (codes.columns() > 63) throw std::invalid_argument("there must be at most 63 columns");
    for (std::size_t j = 0; j < codes.columns(); ++j) {
      const auto column = codes.column(j);
      cells_.emplace_back(column.begin(), column.end());
      labels_.push_back(std::size_t{*std::max_element(cells_[j].begin(), cells_[j].end())} + 1);
    }
  }

  std::size_t records() const { return cells_[0].size(); }
  std::size_t columns() const { return cells_.size(); }
  Mask all() const { return (Mask{1} << columns()) - 1; }

  double weight(Mask mask) const {
    double sum = 0.0;
    for (std::size_t j = 0; j < columns(); ++j)
      if (mask >> j & 1) sum += weights_[j];
    return sum;
  }

  // The columns in which two records differ.
  Mask differing(std::size_t a, std::size_t b) const {
    Mask mask = 0;
    for (std::size_t j = 0; j < columns(); ++j) mask |= Mask{cells_[j][a] != cells_[j][b]} << j;
    return mask;
  }

  // Numbers records by their cells outside a mask.
  std::size_t number(Mask mask, const std::vector<std::size_t>& records, RowNumbers& numbers,
                     std::vector<std::size_t>& number) const {
    std::vector<CodeColumn> open;
    for (std::size_t j = 0; j < columns(); ++j)
      if (!(mask >> j & 1)) open.push_back({cells_[j].data(), labels_[j]});
    return numbers.number(open, records, number);
  }

  // Masks by weight, then by number; what those left out cost at least.
  std::vector<Mask> masks(double& least_left_out) const {
    constexpr std::size_t most = 4096;
    std::vector<double> cheapest(weights_.begin(), weights_.end());
    std::sort(cheapest.begin(), cheapest.end());
    std::vector<Mask> found{0};
    least_left_out = 0.0;
    for (std::size_t size = 1, begin = 0; size <= columns(); ++size) {
      least_left_out += cheapest[size - 1];
      const std::size_t end = found.size();
      for (std::size_t i = begin; i < end; ++i)
        for (auto j = static_cast<std::size_t>(std::bit_width(found[i])); j < columns(); ++j)
          found.push_back(found[i] | Mask{1} << j);
      begin = end;
      if (found.size() <= most) continue;
      found.resize(end);
      break;
    }
    if (found.back() != all()) found.push_back(all());
    std::stable_sort(found.begin(), found.end(), [this](Mask a, Mask b) {
      return weight(a) != weight(b) ? weight(a) < weight(b) : a < b;
    });
    return found;
  }

 private:
  Column<double> weights_;
  std::vector<std::vector<std::uint32_t>> cells_;
  std::vector<std::size_t> labels_;
};

// What each record needs at least.
inline std::vector<double> least_prices(const CellTable& table, const std::vector<Mask>& masks,
                                        double least_left_out, std::size_t k,
                                        ProgressMonitor& monitor) {
  std::vector<double> least(table.records(), least_left_out);
  std::vector<std::uint8_t> known(table.records(), 0);
  std::vector<std::size_t> every(table.records()), number, count;
  for (std::size_t i = 0; i < every.size(); ++i) every[i] = i;
  RowNumbers numbers;
  std::size_t left = table.records();
  for (const Mask mask : masks) {
    monitor.tick(0.0);
    if (left == 0 || table.weight(mask) > least_left_out) break;
    count.assign(table.number(mask, every, numbers, number), 0);
    for (const std::size_t one : number) ++count[one];
    for (std::size_t i = 0; i < every.size(); ++i)
      if (!known[i] && count[number[i]] >= k) {
        known[i] = 1;
        least[i] = table.weight(mask);
        --left;
      }
  }
  return least;
}

}  // namespace tokumei::lattice
