// The sum of squared Manhattan distances over all pairs of records, in O(d^2 n log n).
//
//   sum_ij (sum_a |x_ia - x_ja|)^2 = sum_ab S_ab,   S_ab = sum_ij |x_ia - x_ja| |x_ib - x_jb|
//
// S_aa is a sum of squares. For a < b the records are taken in the order of attribute a and split
// by their ranks in b: into a lower and an upper half, which keep that order, and these again and
// again. Two records are parted exactly once; when they are, it is known which is larger in a and
// which in b, so the absolute values are gone and four running sums of each half suffice.
//
// Counts say how many records a row stands for (1 where none are given). Values are centred first
// and the sums of every split start anew: rounding stays far below 1e-12 of the result. The order
// of all sums follows from the data alone: threads and instruction sets change no bit. Needs finite
// data whose squares are finite. 64 n bytes a thread beside a few copies of the data. Throws
// Interrupted.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

#include "tokumei/group/sums_of_squares.hpp"
#include "tokumei/numeric/double_double.hpp"
#include "tokumei/pairs/sorted_rows.hpp"
#include "tokumei/runtime/instruction_sets.hpp"
#include "tokumei/runtime/run.hpp"
#include "tokumei/runtime/thread_team.hpp"
#include "tokumei/runtime/views.hpp"

namespace tokumei::pairs {

// One attribute, centred: its values, the rows in their order (ties by row) and the rank of each.
struct OrderedAttribute {
  std::vector<double> values;
  std::vector<std::size_t> order, ranks;
  double squares = 0.0;  // sum_ij (x_i - x_j)^2

  void read(Column<double> x, const std::vector<double>& counts, double records) {
    DoubleDouble sum, around;
    for (std::size_t row = 0; row < x.size(); ++row) {
      const double product = counts[row] * x[row];
      sum.add(product);
      sum.add(std::fma(counts[row], x[row], -product));
    }
    const DoubleDouble mean = mean_of(sum, static_cast<std::size_t>(records));
    values.resize(x.size());
    for (std::size_t row = 0; row < x.size(); ++row) {
      values[row] = x[row] - mean.high;
      around.add(counts[row] * square(deviation(x[row], mean)));
    }
    squares = 2.0 * records * around.value();
    order = sorted_rows({values.data(), values.size()});
    ranks.resize(x.size());
    for (std::size_t rank = 0; rank < x.size(); ++rank) ranks[order[rank]] = rank;
  }
};

// A record with respect to two attributes.
struct RankedRecord {
  double a, b, count;
  std::size_t rank;  // in b
};

// Splits records that share their rank but for its last `bit + 1` bits: those whose bit is 0 go to
// the front of `into`, the others behind them. Returns the sum over the pairs it parts of
// count count |a - a'| |b - b'|.
struct SplitByRank {
  TOKUMEI_HOT static double run(const RankedRecord* from, RankedRecord* into, std::size_t records,
                                unsigned bit) {
    // Sums of count, count a, count b, count a b over the records so far: of both halves together,
    // and of the lower less the upper half.
    double both[4] = {}, apart[4] = {};
    double total = 0.0;
    const std::size_t half = std::min(records, std::size_t{1} << bit);
    std::size_t uppers = 0;
    for (std::size_t i = 0; i < records; ++i) {
      const RankedRecord record = from[i];
      // The bits of ranks are like the flips of a coin, so no branch may depend on them.
      const std::size_t upper = record.rank >> bit & 1;
      const double side = static_cast<double>(2 * static_cast<std::int64_t>(upper) - 1);
      into[(i - uppers) + upper * (half + 2 * uppers - i)] = record;
      uppers += upper;
      const double own[4] = {record.count, record.count * record.a, record.count * record.b,
                             record.count * record.a * record.b};
      // Twice the sums over the other half, with the sign of (b - b').
      double other[4];
      for (std::size_t f = 0; f < 4; ++f) other[f] = apart[f] + side * both[f];
      total += record.count * (record.a * record.b * other[0] - record.b * other[1] -
                               record.a * other[2] + other[3]);
      for (std::size_t f = 0; f < 4; ++f) both[f] += own[f];
      for (std::size_t f = 0; f < 4; ++f) apart[f] -= side * own[f];
    }
    return 0.5 * total;
  }
};

// The same sum over all pairs of a few records, without a split.
struct PartAll {
  TOKUMEI_HOT static double run(const RankedRecord* from, std::size_t records) {
    double a[32], b[32], counts[32];
    double total = 0.0;
    for (std::size_t j = 0; j < records; ++j) {
      a[j] = from[j].a;
      b[j] = from[j].b;
      counts[j] = from[j].count;
      double lanes[8] = {};
      std::size_t i = 0;
      for (; i + 8 <= j; i += 8)
        for (std::size_t lane = 0; lane < 8; ++lane)
          lanes[lane] += (a[j] - a[i + lane]) * std::abs(b[j] - b[i + lane]) * counts[i + lane];
      for (std::size_t lane = 0; i < j; ++i, ++lane)
        lanes[lane] += (a[j] - a[i]) * std::abs(b[j] - b[i]) * counts[i];
      total += counts[j] * (((lanes[0] + lanes[1]) + (lanes[2] + lanes[3])) +
                            ((lanes[4] + lanes[5]) + (lanes[6] + lanes[7])));
    }
    return total;
  }
};

// The sum over all pairs of records that share their rank but for its last `bits` bits. `spare` is
// room for as many; both are left in disorder.
inline double part(RankedRecord* records, RankedRecord* spare, std::size_t count, unsigned bits,
                   InstructionSet isa) {
  if (bits <= 5) return dispatch<PartAll>(isa, static_cast<const RankedRecord*>(records), count);
  double sum =
      dispatch<SplitByRank>(isa, static_cast<const RankedRecord*>(records), spare, count, bits - 1);
  const std::size_t half = std::min(count, std::size_t{1} << (bits - 1));
  sum += part(spare, records, half, bits - 1, isa);
  if (half < count) sum += part(spare + half, records + half, count - half, bits - 1, isa);
  return sum;
}

inline double manhattan_squares(Table<double> x, Column<double> counts, Run run) {
  const std::size_t rows = x.rows(), columns = x.columns();
  std::vector<double> weights(rows, 1.0);
  if (counts.size() != 0) std::copy(counts.begin(), counts.end(), weights.begin());
  const double records = std::accumulate(weights.begin(), weights.end(), 0.0);
  std::vector<OrderedAttribute> attributes(columns);
  ThreadTeam team(run.n_threads);
  DoubleDouble total;
  for (std::size_t first = 0; first < columns; first += team.size()) {
    run.monitor.tick(0.0);
    team.each_block(std::min<std::size_t>(team.size(), columns - first), [&](std::size_t k) {
      attributes[first + k].read(x.column(first + k), weights, records);
    });
  }
  for (const auto& attribute : attributes) total.add(attribute.squares);

  // Splits of more records than this are made one after the other, the rest side by side.
  constexpr unsigned side_by_side = 16;
  const auto all_bits = static_cast<unsigned>(std::bit_width(rows - 1));
  std::vector<RankedRecord> ranked(rows), spare(rows);
  std::vector<double> parts;
  double done = 0.0;
  const auto each_node = [&](unsigned bits, auto&& work) {
    const std::size_t size = std::size_t{1} << bits, nodes = (rows + size - 1) / size;
    parts.assign(nodes, 0.0);
    for (std::size_t first = 0; first < nodes; first += 16) {
      run.monitor.tick(done);
      team.each_block(std::min<std::size_t>(16, nodes - first), [&](std::size_t k) {
        const std::size_t begin = (first + k) * size;
        parts[first + k] = work(begin, std::min(size, rows - begin));
      });
    }
    for (const double part : parts) total.add(4.0 * part);
  };
  const double pairs = 0.5 * static_cast<double>(columns * (columns - 1));
  for (std::size_t a = 0; a < columns; ++a)
    for (std::size_t b = a + 1; b < columns; ++b, done += 1.0 / pairs) {
      const auto &first = attributes[a], &second = attributes[b];
      for (std::size_t i = 0; i < rows; ++i) {
        const std::size_t row = first.order[i];
        ranked[i] = {first.values[row], second.values[row], weights[row], second.ranks[row]};
      }
      unsigned bits = all_bits;
      for (; bits > side_by_side; --bits) {
        each_node(bits, [&](std::size_t begin, std::size_t count) {
          return dispatch<SplitByRank>(run.isa,
                                       static_cast<const RankedRecord*>(ranked.data() + begin),
                                       spare.data() + begin, count, bits - 1);
        });
        ranked.swap(spare);
      }
      each_node(bits, [&](std::size_t begin, std::size_t count) {
        return part(ranked.data() + begin, spare.data() + begin, count, bits, run.isa);
      });
    }
  return total.value();
}

}  // namespace tokumei::pairs
