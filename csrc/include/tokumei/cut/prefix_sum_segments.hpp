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
#include "tokumei/simd/each_lane.hpp"

namespace tokumei::cut {

struct PrefixSums {
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
      double own[lane_count];
      TOKUMEI_EACH_LANE(lane) own[lane] = 0.0;
      const double* sums = right.sum + end * shape.attributes;
      for (std::size_t i = 0; i < shape.attributes; ++i, sums += lane_count)
        TOKUMEI_EACH_LANE(lane) own[lane] += sums[lane] * sums[lane];
      TOKUMEI_EACH_LANE(lane) right.of_sum[end + lane] = own[lane];
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
        double here[lane_count];
        TOKUMEI_EACH_LANE(lane) here[lane] = x[t + lane] - origin;
        TOKUMEI_EACH_LANE(lane) y[j * span + t + lane] = here[lane];
        TOKUMEI_EACH_LANE(lane) squares[t + lane] += here[lane] * here[lane];
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

struct RelaxFromPrefixSums {
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
      double squares[lane_count], of_sum[lane_count], least[lane_count];
      std::int64_t start[lane_count];
      TOKUMEI_EACH_LANE(lane) {
        squares[lane] = right.squares[end + lane];
        of_sum[lane] = right.of_sum[end + lane];
        least[lane] = best[end + lane];
        start[lane] = from[end + lane];
      }
      const double* const sums = right.sum + end * shape.attributes;
      for (std::size_t r = r_begin; r < r_end; r += rows) {
        double length[rows][lane_count];
        products(shape.attributes, sums, left.sum + r * shape.attributes, length);
        for (std::size_t row = 0; row < rows; ++row) {
          const double* const shares = share + 2 * lane_count + end - r - row;
          const double own = left.squares[r + row], own_of_sum = left.of_sum[r + row];
          const double before = path[r + row];
          TOKUMEI_EACH_LANE(lane) {
            const double cost = (own + squares[lane]) -
                                ((own_of_sum + of_sum[lane]) + length[row][lane]) * shares[lane];
            length[row][lane] = before + cost;
          }
        }
        // In pairs first, so that one comparison in four waits for the rows before.
        double pair[2][lane_count];
        std::int64_t winner[2][lane_count];
        for (std::size_t two = 0; two < 2; ++two) {
          const auto here = static_cast<std::int64_t>(first_start + r + 2 * two);
          TOKUMEI_EACH_LANE(lane) {
            const bool later = length[2 * two + 1][lane] <= length[2 * two][lane];
            pair[two][lane] = later ? length[2 * two + 1][lane] : length[2 * two][lane];
            winner[two][lane] = select(later, here + 1, here);
          }
        }
        TOKUMEI_EACH_LANE(lane) {
          const bool later = pair[1][lane] <= pair[0][lane];
          pair[0][lane] = later ? pair[1][lane] : pair[0][lane];
          winner[0][lane] = select(later, winner[1][lane], winner[0][lane]);
        }
        TOKUMEI_EACH_LANE(lane) {
          const bool later = pair[0][lane] <= least[lane];
          least[lane] = later ? pair[0][lane] : least[lane];
          start[lane] = select(later, winner[0][lane], start[lane]);
        }
      }
      TOKUMEI_EACH_LANE(lane) best[end + lane] = least[lane];
      TOKUMEI_EACH_LANE(lane) from[end + lane] = start[lane];
    }
  }

  // out[row][lane]: the scalar product of a start's sum and an end's sum.
  TOKUMEI_HOT static void products(std::size_t attributes, const double* right, const double* left,
                                   double (&out)[rows][lane_count]) {
    double product[rows][lane_count];
    for (std::size_t row = 0; row < rows; ++row) TOKUMEI_EACH_LANE(lane) product[row][lane] = 0.0;
    for (std::size_t j = 0; j < attributes; ++j, right += lane_count, left += rows) {
      TOKUMEI_EACH_LANE(lane) product[0][lane] += right[lane] * left[0];
      TOKUMEI_EACH_LANE(lane) product[1][lane] += right[lane] * left[1];
      TOKUMEI_EACH_LANE(lane) product[2][lane] += right[lane] * left[2];
      TOKUMEI_EACH_LANE(lane) product[3][lane] += right[lane] * left[3];
    }
    for (std::size_t row = 0; row < rows; ++row)
      TOKUMEI_EACH_LANE(lane) out[row][lane] = product[row][lane];
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
    dispatch<PrefixSums>(isa, columns, shape_, left(), right(), y_.data(), squares_.data());
  }

  // See RelaxFromPrefixSums::run.
  void offer(const double* path, std::size_t first_start, double* best, std::int64_t* from,
             std::size_t first, std::size_t last, InstructionSet isa) {
    dispatch<RelaxFromPrefixSums>(isa, shape_, left(), right(),
                                  static_cast<const double*>(share_.data()), path, first_start,
                                  best, from, first, last);
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
