// The normal-Laplace distribution: the density of y = x + noise for a normal variable x and Laplace
// noise, and what y tells of x.
//
// The unit of all values is the scale of the noise. With sigma the standard deviation of x,
// z = (y - mu) / sigma and m the Mills ratio (mills_ratio.hpp),
//
//   f(y) = exp(-z^2/2) (m(sigma - z) + m(sigma + z)) / (2 sqrt(2 pi))
//
// where m(c) = sqrt(2 pi) exp(c^2/2) - m(-c) for c < 0; only the side towards mu can be negative,
// and its exponentials are joined: exp(-z^2/2 + c^2/2) = exp(-sigma (|z| - sigma/2)) overflows
// nowhere. Given y, x is one of two truncated normal variables, one on each side of y, whose
// moments follow from the same tails. f and its moments are returned as multiples of exp(level), so
// a density of 1e-100000 keeps its digits. sigma = 0 is an atom: f = exp(-|y - mu|) / 2.
//
// Relative error of f / exp(level) and of E t^2 about 2e-15, of E t the same times sqrt(E t^2), for
// t = (x - mu) / sigma. Source: own derivation; the density is that of Hasegawa et al., eq. 8.
#pragma once

#include <cstddef>

#include "tokumei/numeric/mills_ratio.hpp"
#include "tokumei/simd/exponential.hpp"
#include "tokumei/simd/lanes.hpp"

namespace tokumei::reconstruct {

// 1 / (2 sqrt(2 pi)), by which all densities are multiplied in the end; and sqrt(2 pi).
inline constexpr double normal_laplace_unit = 0.19947114020071635, root_two_pi = 2.5066282746310002;

// Up to this sigma the moments come from differences that lose no digits; above it from the tails.
inline constexpr double widest_near_noise = 4.0;

struct NormalLaplace {
  double mean, deviation, inverse;  // inverse: 1 / deviation, unused where that is 0
};

// The exponent that is taken out of f.
template <class V>
TOKUMEI_HOT V level_of(const NormalLaplace& x, const V& y) {
  if (x.deviation == 0.0) return magnitude(y - x.mean) * -1.0;
  const double q = x.deviation;
  const V a = magnitude((y - x.mean) * x.inverse);
  return select(a > broadcast<V>(q), q * (0.5 * q - a), a * a * -0.5);
}

// f / exp(level) / normal_laplace_unit, and the same times E t, E t^2; and in `normal` the like
// multiple of the density N(y; mu, sigma^2), times sigma / 2: what the derivative by sigma needs.
template <class V>
struct NormalLaplaceTerms {
  V density, first, second, normal;
};

template <class V>
TOKUMEI_HOT NormalLaplaceTerms<V> normal_laplace_terms(const NormalLaplace& x, const V& y) {
  const V none{};
  if (x.deviation == 0.0) return {broadcast<V>(root_two_pi), none, none, none};
  const double q = x.deviation;
  const V z = (y - x.mean) * x.inverse, a = magnitude(z), c = q - a;
  const auto across = c < none;  // y is so far out that the tail holds most of x
  V part = select(across, c * c * -0.5, none);
  take_exp(part);
  auto tail = mills_tail(magnitude(c));
  const V ratio = tail.d / tail.f;
  const V near = select(across, root_two_pi - part * ratio, ratio);
  V first{}, second{};
  if (q > widest_near_noise) {
    const V inverse = 1.0 / tail.d;
    const V mean = tail.q * inverse, square = tail.p * inverse;
    const V apart = a - mean;
    first = select(across, near * q - part, near * apart);
    second = select(across, near * (1.0 + q * q) - part * (q + a),
                    near * (apart * apart + (square - mean * mean)));
  }
  tail = mills_tail(q + a);
  const V far = part * (tail.d / tail.f), density = near + far;
  if (q > widest_near_noise) {
    const V inverse = 1.0 / tail.d;
    const V mean = tail.q * inverse, square = tail.p * inverse;
    first = first + far * (a + mean);
    second = second + far * (a * (a + 2.0 * mean) + square);
  } else {
    first = q * (near - far);
    second = density * (1.0 + q * q) - (2.0 * q) * part;
  }
  return {density, select(z < none, first * -1.0, first), second, part};
}

}  // namespace tokumei::reconstruct
