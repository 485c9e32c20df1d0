// The sums of squares of all segments that begin with one of some consecutive records.
//
// Every segment of k records or more that begins with one of m <= k consecutive records, the
// starts, contains the last of them, their anchor. With y = x - anchor, the sum of y and of |y|^2
// from a start up to the anchor and from there up to an end give the cost of the segment between
// them:
//   cost = |y|^2 left + |y|^2 right - (|left|^2 + |right|^2 + 2 left . right) / length,
// one multiplication and one addition per attribute. No record outside the segment enters its cost,
// and the origin is one of its records: data and neighbours that lie far away cost no precision,
// and a constant segment costs exactly 0.
//
// Used by prefix_sum_path.hpp. Needs |x| <= 1e130.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "tokumei/cut/prefix_sum_shape.hpp"
#include "tokumei/runtime/instruction_sets.hpp"
#include "tokumei/simd/lanes.hpp"

namespace tokumei::cut {

template <std::size_t bytes>
struct PrefixSums {
  using V = Lanes<double, bytes, lane_count>;
  static constexpr std::size_t rows = PrefixSumShape::rows;

  // y and squares are scratch for four attributes and for one.
  TOKUMEI_HOT static void run(const double* const* columns, PrefixSumShape shape,
                              PrefixSumSide left, PrefixSumSide right, double* y, double* squares) {
    for (std::size_t t = 0; t < shape.records(); ++t) squares[t] = 0.0;
    for (std::size_t start = 0; start < shape.starts; ++start) left.of_sum[start] = 0.0;
    std::size_t j = 0;
    for (; j + 4 <= shape.attributes; j += 4)
      attribute_block<4>(columns, j, shape, left, right, y, squares);
    for (; j < shape.attributes; ++j)
      attribute_block<1>(columns, j, shape, left, right, y, squares);

    double sum = 0.0;
    for (std::size_t start = shape.starts; start-- > 0;)
      left.squares[start] = sum += squares[start];
    sum = 0.0;
    for (std::size_t t = shape.anchor(); t < shape.k; ++t) sum += squares[t];
    for (std::size_t end = 0; end < shape.ends; ++end) {
      right.squares[end] = sum;
      sum += squares[shape.k + end];
    }
    for (std::size_t end = 0; end < shape.ends; end += lane_count) {
      const double* sums = right.sum + end * shape.attributes;
      V own{};
      for (std::size_t i = 0; i < shape.attributes; ++i, sums += lane_count)
        own = own + load<V>(sums) * load<V>(sums);
      store(right.of_sum + end, own);
    }
  }

  template <std::size_t count>
  TOKUMEI_HOT static void attribute_block(const double* const* columns, std::size_t first,
                                          PrefixSumShape shape, PrefixSumSide left,
                                          PrefixSumSide right, double* y, double* squares) {
    const std::size_t span = shape.records();
    for (std::size_t j = 0; j < count; ++j) {
      const double* x = columns[first + j];
      const double origin = x[shape.anchor()];
      for (std::size_t t = 0; t < span; t += lane_count) {
        const V here = load<V>(x + t) - origin;
        store(y + j * span + t, here);
        store(squares + t, load<V>(squares + t) + here * here);
      }
    }
    double sum[count] = {};
    for (std::size_t start = shape.starts; start-- > 0;) {
      double* out = left.sum + (start / rows * shape.attributes + first) * rows + start % rows;
      double own = 0.0;
      for (std::size_t j = 0; j < count; ++j) {
        sum[j] += y[j * span + start];
        out[j * rows] = 2.0 * sum[j];
        own += sum[j] * sum[j];
      }
      left.of_sum[start] += own;
    }
    for (std::size_t j = 0; j < count; ++j) sum[j] = 0.0;
    std::size_t t = shape.anchor();
    for (; t < shape.k; ++t)
      for (std::size_t j = 0; j < count; ++j) sum[j] += y[j * span + t];
    for (std::size_t end = 0; end < shape.ends; end += lane_count) {
      double* out = right.sum + end * shape.attributes + first * lane_count;
      for (std::size_t lane = 0; lane < lane_count; ++lane, ++t) {
        for (std::size_t j = 0; j < count; ++j) {
          out[j * lane_count + lane] = sum[j];
          sum[j] += y[j * span + t];
        }
      }
    }
  }
};

template <std::size_t bytes>
struct RelaxFromPrefixSums {
  using V = Lanes<double, bytes, lane_count>;
  using Starts = Lanes<std::int64_t, bytes, lane_count>;
  static constexpr std::size_t rows = PrefixSumShape::rows;

  // Offers each start to the ends of the blocks first..last-1 of eight ends. path[r] is the
  // shortest path to start r, best and from are those to the ends so far. share is 1/length by
  // length - k + 2 lane_count, and minus infinity where the length is not allowed: such a segment
  // costs infinity, or NaN, and loses either way.
  TOKUMEI_HOT static void run(PrefixSumShape shape, PrefixSumSide left, PrefixSumSide right,
                              const double* share, const double* path, std::size_t first_start,
                              double* best, std::int64_t* from, std::size_t first,
                              std::size_t last) {
    for (std::size_t block = first; block < last; ++block) {
      const std::size_t end = block * lane_count;
      const std::size_t r_begin = end + 1 > shape.k ? (end + 1 - shape.k) / rows * rows : 0;
      const std::size_t r_end = std::min(shape.starts, end + lane_count);
      const V squares = load<V>(right.squares + end), of_sum = load<V>(right.of_sum + end);
      V least = load<V>(best + end);
      Starts start = load<Starts>(from + end);
      Starts here = broadcast<Starts>(first_start + r_begin);
      const double* const sums = right.sum + end * shape.attributes;
      for (std::size_t r = r_begin; r < r_end; r += rows, here = here + std::int64_t{rows}) {
        V length[rows];
        products(shape.attributes, sums, left.sum + r * shape.attributes, length);
        TOKUMEI_UNROLL for (std::size_t row = 0; row < rows; ++row) {
          const auto share_of_length = load<V>(share + 2 * lane_count + end - r - row);
          const V cost = (squares + left.squares[r + row]) -
                         ((of_sum + left.of_sum[r + row]) + length[row]) * share_of_length;
          length[row] = cost + path[r + row];
        }
        // In pairs first, so that one comparison in four waits for the rows before.
        Offer pair = later_of({length[0], here}, {length[1], here + 1});
        pair = later_of(pair, later_of({length[2], here + 2}, {length[3], here + 3}));
        pair = later_of({least, start}, pair);
        least = pair.length;
        start = pair.start;
      }
      store(best + end, least);
      store(from + end, start);
    }
  }

 private:
  struct Offer {
    V length;
    Starts start;
  };

  // The shorter of two, of equals the later.
  TOKUMEI_HOT static Offer later_of(const Offer& before, const Offer& after) {
    const auto later = after.length <= before.length;
    return {select(later, after.length, before.length), select(later, after.start, before.start)};
  }

  // The scalar products of four starts' sums and an end's sum.
  TOKUMEI_HOT static void products(std::size_t attributes, const double* right, const double* left,
                                   V (&out)[rows]) {
    TOKUMEI_UNROLL for (std::size_t row = 0; row < rows; ++row) out[row] = V{};
    for (std::size_t j = 0; j < attributes; ++j, right += lane_count, left += rows) {
      const V at = load<V>(right);
      TOKUMEI_UNROLL for (std::size_t row = 0; row < rows; ++row) out[row] =
          out[row] + at * left[row];
    }
  }
};

// The sums of one tile of starts after the other, in one memory.
class PrefixSumSegments {
 public:
  PrefixSumSegments(std::size_t k, std::size_t starts, std::size_t attributes)
      : shape_{k, starts, padded(k + starts - 1), attributes},
        left_sum_(shape_.padded_starts() * attributes),
        left_squares_(shape_.padded_starts(), infinity),  // none beyond the last is chosen
        left_of_sum_(shape_.padded_starts()), right_sum_(shape_.ends * attributes),
        right_squares_(shape_.ends), right_of_sum_(shape_.ends), y_(4 * shape_.records()),
        squares_(shape_.records()), share_(shape_.ends + 4 * lane_count, -infinity) {
    for (std::size_t length = k; length < 2 * k; ++length)
      share_[length - k + 2 * lane_count] = 1.0 / static_cast<double>(length);
  }

  std::size_t ends() const { return shape_.ends; }
  std::size_t blocks() const { return shape_.ends / lane_count; }
  // How many records from the first start on are read.
  std::size_t records() const { return shape_.records(); }

  void sum_up(const double* const* columns, InstructionSet isa) {
    dispatch_lanes<PrefixSums>(isa, columns, shape_, left(), right(), y_.data(), squares_.data());
  }

  // See RelaxFromPrefixSums::run.
  void offer(const double* path, std::size_t first_start, double* best, std::int64_t* from,
             std::size_t first, std::size_t last, InstructionSet isa) {
    dispatch_lanes<RelaxFromPrefixSums>(isa, shape_, left(), right(),
                                        static_cast<const double*>(share_.data()), path,
                                        first_start, best, from, first, last);
  }

 private:
  static constexpr double infinity = std::numeric_limits<double>::infinity();

  PrefixSumSide left() { return {left_sum_.data(), left_squares_.data(), left_of_sum_.data()}; }
  PrefixSumSide right() { return {right_sum_.data(), right_squares_.data(), right_of_sum_.data()}; }

  PrefixSumShape shape_;
  std::vector<double> left_sum_, left_squares_, left_of_sum_;
  std::vector<double> right_sum_, right_squares_, right_of_sum_;
  std::vector<double> y_, squares_, share_;
};

}  // namespace tokumei::cut
