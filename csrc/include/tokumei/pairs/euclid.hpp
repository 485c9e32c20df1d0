// The sum of squared Euclidean distances over all pairs of records, without a pair:
//
//   sum_ij |x_i - x_j|^2 = 2 n sum_i |x_i - mean|^2
//
// The table is read once where it lies, row by row or column by column: each block of rows has its
// own mean and its squares around that, and the squares of the blocks' means are added. Means have
// twice the precision of a double, so the result is within 1e-13 of the exact one also for data far
// from zero. Blocks and eight lanes (row mod 8) fix the order of all sums: threads and instruction
// sets change no bit. O(n d), no copy. Needs finite data whose squares are finite. Throws
// Interrupted.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "tokumei/numeric/double_double.hpp"
#include "tokumei/runtime/run.hpp"
#include "tokumei/runtime/thread_team.hpp"
#include "tokumei/simd/lanes.hpp"

namespace tokumei::pairs {

// Values of a table in memory: the next row is `to_next_row` doubles away, the next column
// `to_next_column`; one of the two is 1.
struct TableInPlace {
  const double* data;
  std::size_t rows, columns, to_next_row, to_next_column;
};

constexpr std::size_t rows_of_a_block = 4096;

// The sum of a block of one column, eight lanes in twice the precision.
template <std::size_t bytes>
struct BlockSum {
  TOKUMEI_HOT static void run(const double* x, std::size_t rows, DoubleDouble* out) {
    using V = Lanes<double, bytes, lane_count>;
    V high{}, low{};
    std::size_t row = 0;
    for (; row + lane_count <= rows; row += lane_count) {
      const V value = load<V>(x + row);
      const V sum = high + value, shared = sum - high;
      low = low + ((high - (sum - shared)) + (value - shared));
      high = sum;
    }
    for (std::size_t lane = 0; lane < lane_count; ++lane) out->add(high[lane]);
    for (std::size_t lane = 0; lane < lane_count; ++lane) out->add(low[lane]);
    for (; row < rows; ++row) out->add(x[row]);
  }
};

// The sum of squared deviations of a block of one column from `mean`.
template <std::size_t bytes>
struct BlockSquares {
  TOKUMEI_HOT static void run(const double* x, std::size_t rows, DoubleDouble mean,
                              DoubleDouble* out) {
    using V = Lanes<double, bytes, lane_count>;
    V sums{};
    std::size_t row = 0;
    for (; row + lane_count <= rows; row += lane_count) {
      const V apart = (load<V>(x + row) - mean.high) - mean.low;
      sums = sums + apart * apart;
    }
    for (std::size_t lane = 0; lane < lane_count; ++lane) out->add(sums[lane]);
    for (; row < rows; ++row) {
      const double apart = deviation(x[row], mean);
      out->add(apart * apart);
    }
  }
};

// What a block of one column adds up to.
struct BlockMoments {
  DoubleDouble mean, squares;
};

inline BlockMoments moments_of_block(InstructionSet isa, const double* values, std::size_t rows) {
  DoubleDouble sum;
  BlockMoments out;
  dispatch_lanes<BlockSum>(isa, values, rows, &sum);
  out.mean = mean_of(sum, rows);
  dispatch_lanes<BlockSquares>(isa, values, rows, out.mean, &out.squares);
  return out;
}

inline double euclidean_squares(const TableInPlace& x, Run run) {
  constexpr std::size_t most = rows_of_a_block;
  const std::size_t blocks = (x.rows + most - 1) / most;
  const std::size_t round = std::max<std::size_t>(8, 1024 / x.columns);
  const auto rows_of = [&](std::size_t block) { return std::min(most, x.rows - block * most); };
  ThreadTeam team(run.n_threads);
  std::vector<BlockMoments> moments(blocks * x.columns);
  for (std::size_t first = 0; first < blocks; first += round) {
    run.monitor.tick(static_cast<double>(first) / static_cast<double>(blocks));
    team.each_block(std::min(round, blocks - first), [&](std::size_t number) {
      const std::size_t block = first + number, rows = rows_of(block);
      std::vector<double> buffer(x.to_next_row == 1 ? 0 : rows);
      for (std::size_t j = 0; j < x.columns; ++j) {
        const double* values = x.data + block * most * x.to_next_row + j * x.to_next_column;
        if (x.to_next_row != 1) {
          for (std::size_t i = 0; i < rows; ++i) buffer[i] = values[i * x.to_next_row];
          values = buffer.data();
        }
        moments[block * x.columns + j] = moments_of_block(run.isa, values, rows);
      }
    });
  }
  DoubleDouble total;
  for (std::size_t j = 0; j < x.columns; ++j) {
    // The mean of the column, as the first block's mean and a mean of differences to it.
    const auto of = [&](std::size_t block) { return moments[block * x.columns + j]; };
    const auto from_first = [&](std::size_t block) {
      return (of(block).mean.high - of(0).mean.high) + (of(block).mean.low - of(0).mean.low);
    };
    DoubleDouble shifts;
    for (std::size_t block = 0; block < blocks; ++block)
      shifts.add(static_cast<double>(rows_of(block)) * from_first(block));
    const double shift = shifts.value() / static_cast<double>(x.rows);
    for (std::size_t block = 0; block < blocks; ++block) {
      const double apart = from_first(block) - shift;
      total.add(of(block).squares.high);
      total.add(of(block).squares.low);
      total.add(static_cast<double>(rows_of(block)) * (apart * apart));
    }
  }
  return 2.0 * static_cast<double>(x.rows) * total.value();
}

}  // namespace tokumei::pairs
