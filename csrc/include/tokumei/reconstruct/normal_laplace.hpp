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

#define TOKUMEI_EACH TOKUMEI_UNROLL for (std::size_t k = 0; k < n; ++k)

// The exponent that is taken out of f.
template <class V, std::size_t n>
TOKUMEI_HOT void find_level(const NormalLaplace& x, const V (&y)[n], V (&level)[n]) {
  if (x.deviation == 0.0) {
    TOKUMEI_EACH level[k] = magnitude(y[k] - x.mean) * -1.0;
    return;
  }
  const double q = x.deviation;
  TOKUMEI_EACH {
    const V a = magnitude((y[k] - x.mean) * x.inverse);
    level[k] = select(a > broadcast<V>(q), q * (0.5 * q - a), a * a * -0.5);
  }
}

// f / exp(level) / normal_laplace_unit, and the same times E t, E t^2; and in `normal` the like
// multiple of the density N(y; mu, sigma^2), times sigma / 2: what the derivative by sigma needs.
template <std::size_t bytes, std::size_t n>
struct NormalLaplaceTerms {
  Lanes<double, bytes> density[n], first[n], second[n], normal[n];
};

template <class V, std::size_t n>
TOKUMEI_HOT void find_normal_laplace(const NormalLaplace& x, const V (&y)[n],
                                     NormalLaplaceTerms<sizeof(V), n>& out) {
  const V none{};
  if (x.deviation == 0.0) {
    TOKUMEI_EACH {
      out.density[k] = broadcast<V>(root_two_pi);
      out.first[k] = out.second[k] = out.normal[k] = none;
    }
    return;
  }
  const double q = x.deviation;
  V z[n], a[n], c[n], part[n], near[n], far[n];
  TOKUMEI_EACH {
    z[k] = (y[k] - x.mean) * x.inverse;
    a[k] = magnitude(z[k]);
    c[k] = q - a[k];
    part[k] = select(c[k] < none, c[k] * c[k] * -0.5, none);
  }
  take_exp(part);
  MillsTail<sizeof(V), n> tail;
  TOKUMEI_EACH far[k] = magnitude(c[k]);
  find_mills_tail(far, tail);
  V first[n] = {}, second[n] = {};
  TOKUMEI_EACH {
    const auto across = c[k] < none;  // y is so far out that the tail holds most of x
    const V ratio = tail.d[k] / tail.f[k];
    near[k] = select(across, root_two_pi - part[k] * ratio, ratio);
  }
  if (q > widest_near_noise) {
    TOKUMEI_EACH {
      const V inverse = 1.0 / tail.d[k];
      const V mean = tail.q[k] * inverse, square = tail.p[k] * inverse;
      const V apart = a[k] - mean;
      const auto across = c[k] < none;
      first[k] = select(across, near[k] * q - part[k], near[k] * apart);
      second[k] = select(across, near[k] * (1.0 + q * q) - part[k] * (q + a[k]),
                         near[k] * (apart * apart + (square - mean * mean)));
    }
  }
  TOKUMEI_EACH far[k] = q + a[k];
  find_mills_tail(far, tail);
  TOKUMEI_EACH {
    far[k] = part[k] * (tail.d[k] / tail.f[k]);
    out.density[k] = near[k] + far[k];
    out.normal[k] = part[k];
  }
  if (q > widest_near_noise) {
    TOKUMEI_EACH {
      const V inverse = 1.0 / tail.d[k];
      const V mean = tail.q[k] * inverse, square = tail.p[k] * inverse;
      first[k] = first[k] + far[k] * (a[k] + mean);
      second[k] = second[k] + far[k] * (a[k] * (a[k] + 2.0 * mean) + square);
    }
  } else {
    TOKUMEI_EACH {
      first[k] = q * (near[k] - far[k]);
      second[k] = out.density[k] * (1.0 + q * q) - (2.0 * q) * part[k];
    }
  }
  TOKUMEI_EACH {
    out.first[k] = select(z[k] < none, first[k] * -1.0, first[k]);
    out.second[k] = second[k];
  }
}

#undef TOKUMEI_EACH

}  // namespace tokumei::reconstruct
