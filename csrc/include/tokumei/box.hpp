// Boxes with sides along the axes, and how much wider one gets by holding one record more.
//
// The width of a box is the sum of its sides, from the first attribute to the last. It never falls
// when the box grows, not by a rounding error either: every step of the sum is monotone.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "tokumei/instructions.hpp"

namespace tokumei {

// The smallest box that holds some records.
struct Box {
  std::vector<double> lower;
  std::vector<double> upper;

  void hold(const double* point) {
    for (std::size_t j = 0; j < lower.size(); ++j) {
      lower[j] = std::min(lower[j], point[j]);
      upper[j] = std::max(upper[j], point[j]);
    }
  }

  double width() const { return width_with(lower.data()); }

  // The width it would have if it held the point as well.
  double width_with(const double* point) const {
    double width = 0.0;
    for (std::size_t j = 0; j < lower.size(); ++j)
      width += std::max(upper[j], point[j]) - std::min(lower[j], point[j]);
    return width;
  }
};

namespace detail {

struct Span {
  double least = 0.0;
  double most = 0.0;
};

// widths[i] = the width of a box that holds record i of a chunk as well; the least and the most of
// them.
struct BoxWidths {
  // The side of a box from..to that holds x as well.
  TOKUMEI_HOT static double side(double x, double from, double to) {
    return (to < x ? x : to) - (x < from ? x : from);
  }

  TOKUMEI_HOT static Span run(const double* const* columns, std::size_t begin, std::size_t count,
                              std::size_t attributes, const double* lower, const double* upper,
                              double* widths) {
    constexpr std::size_t lanes = 8;
    const std::size_t whole = (count + lanes - 1) / lanes * lanes;
    for (std::size_t i = 0; i < whole; ++i) widths[i] = 0.0;
    std::size_t j = 0;
    for (; j + 4 <= attributes; j += 4) {
      const double* a = columns[j] + begin;
      const double* b = columns[j + 1] + begin;
      const double* c = columns[j + 2] + begin;
      const double* d = columns[j + 3] + begin;
      const double* from = lower + j;
      const double* to = upper + j;
      const double from_a = from[0], from_b = from[1], from_c = from[2], from_d = from[3];
      const double to_a = to[0], to_b = to[1], to_c = to[2], to_d = to[3];
      for (std::size_t i = 0; i < whole; ++i) {
        double width = widths[i];
        width += side(a[i], from_a, to_a);
        width += side(b[i], from_b, to_b);
        width += side(c[i], from_c, to_c);
        width += side(d[i], from_d, to_d);
        widths[i] = width;
      }
    }
    for (; j < attributes; ++j) {
      const double* a = columns[j] + begin;
      const double from = lower[j], to = upper[j];
      for (std::size_t i = 0; i < whole; ++i) widths[i] += side(a[i], from, to);
    }
    for (std::size_t i = count; i < whole; ++i) widths[i] = widths[0];
    double least[lanes], most[lanes];
    for (std::size_t l = 0; l < lanes; ++l) least[l] = most[l] = widths[0];
    for (std::size_t i = 0; i < whole; i += lanes)
      for (std::size_t l = 0; l < lanes; ++l) {
        least[l] = widths[i + l] < least[l] ? widths[i + l] : least[l];
        most[l] = most[l] < widths[i + l] ? widths[i + l] : most[l];
      }
    for (std::size_t l = 1; l < lanes; ++l) {
      least[0] = least[l] < least[0] ? least[l] : least[0];
      most[0] = most[0] < most[l] ? most[l] : most[0];
    }
    return {least[0], most[0]};
  }
};

}  // namespace detail
}  // namespace tokumei
