// Small random tables for the tests, alike on every machine.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "tokumei/runtime/instruction_sets.hpp"
#include "tokumei/runtime/records.hpp"
#include "tokumei/runtime/views.hpp"

// SplitMix64: a few lines, the same numbers everywhere, unlike the distributions of <random>.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}
  std::uint64_t bits() {
    std::uint64_t z = (state_ += 0x9e3779b97f4a7c15ULL);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    return z ^ (z >> 31);
  }
  std::size_t below(std::size_t bound) { return static_cast<std::size_t>(bits() % bound); }
  double uniform() { return static_cast<double>(bits() >> 11) * 0x1p-53; }

 private:
  std::uint64_t state_;
};

struct Data {
  std::size_t rows, columns;
  std::vector<double> values;
  tokumei::runtime::Table<double> table() const { return {values.data(), rows, columns}; }
};

// Continuous values, or whole numbers 0..levels-1 that are full of ties, all moved by `offset`.
inline Data make_data(Random& random, std::size_t rows, std::size_t columns, std::size_t levels,
                      double offset = 0.0) {
  Data data{rows, columns, std::vector<double>(rows * columns)};
  for (auto& value : data.values)
    value = offset +
            (levels == 0 ? random.uniform() * 2 - 1 : static_cast<double>(random.below(levels)));
  return data;
}

// Numbers and codes, some of them missing (-1); column j has at most j * j + 2 categories.
struct MixedData {
  Data numbers;
  std::vector<std::int32_t> codes;
  std::vector<double> weights;
  tokumei::runtime::Records records() const {
    return {numbers.table(),
            {codes.data(), numbers.rows, weights.size()},
            {weights.data(), weights.size()}};
  }
};

inline MixedData make_mixed(Random& random, std::size_t rows, std::size_t columns,
                            std::size_t levels) {
  MixedData data{make_data(random, rows, 1 + random.below(4), levels), {}, {}};
  for (std::size_t j = 0; j < columns; ++j) {
    const bool missing = random.below(2) == 0;
    for (std::size_t row = 0; row < rows; ++row)
      data.codes.push_back(
          static_cast<std::int32_t>(random.below(j * j + 2)) -
          (missing && random.below(5) == 0 ? static_cast<std::int32_t>(j * j + 2) : 0));
    data.weights.push_back(0.25 * static_cast<double>(1 + random.below(8)));
  }
  for (auto& code : data.codes) code = code < 0 ? -1 : code;
  return data;
}

// One kind of trouble for bounds that are not exact.
inline Data troubled(Random& random, const std::string& kind, std::size_t rows,
                     std::size_t columns) {
  auto data = make_data(random, rows, columns, kind == "ties" ? 3 : 0);
  for (std::size_t at = 0; at < data.values.size(); ++at) {
    double& value = data.values[at];
    const std::size_t row = at % rows, column = at / rows;
    if (kind == "equal") value = 0.1;
    if (kind == "offset") value += 1e9;
    if (kind == "outlier" && row == rows / 2) value = 1e12;
    if (kind == "tiny") value *= 1e-200;
    if (kind == "subnormal") value *= 1e-310;
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

inline std::vector<tokumei::runtime::InstructionSet> levels() {
  std::vector<tokumei::runtime::InstructionSet> all;
  for (int isa = 0; isa <= static_cast<int>(tokumei::runtime::best_instruction_set()); ++isa)
    all.push_back(static_cast<tokumei::runtime::InstructionSet>(isa));
  return all;
}
