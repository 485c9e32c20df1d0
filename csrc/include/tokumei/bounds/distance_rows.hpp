// Squared distances among a few records of a table, measured row by row when they are asked for.
#pragma once

#include <cstddef>
#include <vector>

#include "tokumei/numeric/squared_distances.hpp"
#include "tokumei/runtime/instruction_sets.hpp"
#include "tokumei/runtime/views.hpp"

namespace tokumei::bounds {

class DistanceRows {
 public:
  // Takes other records and forgets all distances.
  void choose(Table<double> x, const std::vector<std::size_t>& rows) {
    const std::size_t count = rows.size();
    values_.resize(x.columns() * count);
    columns_.resize(x.columns());
    point_.resize(x.columns());
    for (std::size_t j = 0; j < x.columns(); ++j) {
      columns_[j] = &values_[j * count];
      for (std::size_t i = 0; i < count; ++i) values_[j * count + i] = x(rows[i], j);
    }
    between_.assign(count, {});
  }

  // From the i-th record to all of them.
  const std::vector<double>& from(std::size_t i, InstructionSet isa) {
    auto& row = between_[i];
    if (row.empty()) {
      row.resize(between_.size());
      for (std::size_t j = 0; j < point_.size(); ++j) point_[j] = columns_[j][i];
      squared_distances_by_attributes(isa, columns_.data(), 0, row.size(), columns_.size(),
                                      point_.data(), row.data());
    }
    return row;
  }

  // Of two records, the first of which `from` was asked for.
  double between(std::size_t i, std::size_t other) const { return between_[i][other]; }

 private:
  std::vector<double> values_, point_;
  std::vector<const double*> columns_;
  std::vector<std::vector<double>> between_;
};

}  // namespace tokumei::bounds
