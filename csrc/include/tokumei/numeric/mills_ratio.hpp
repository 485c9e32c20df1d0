// The upper tail of a standard normal variable v, as seen from c >= 0: everything from one rational
// function, without a cancellation anywhere.
//
// Let u = v - c given v > c. The continued fraction E u = 1 / (c + r), r = 2 / (c + 3 / (c + ...))
// leaves r(c) to be known, a smooth positive function that falls from sqrt(pi/2) to 2/c. It is
// approximated on all of [0, inf) by P(c) / Q(c), of degrees 10 and 11, to 7e-17; the coefficients
// are all positive, so sums keep their digits. With D = c Q + P and F = c D + Q
//
//   ratio   = D / F = (1 - Phi(c)) / phi(c) = sqrt(pi/2) erfcx(c / sqrt 2)    (Mills' ratio)
//   mean    = Q / D = E u
//   square  = P / D = E u^2
//
// each within a few units of the last place; beyond c = 1e20 they stay what they are there.
#pragma once

#include <cstddef>

#include "tokumei/simd/lanes.hpp"
#include "tokumei/simd/powers.hpp"

namespace tokumei::numeric {

template <class V>
struct MillsTail {
  V p, q, d, f;
};

template <class V>
TOKUMEI_HOT MillsTail<V> mills_tail(const V& distance) {
  constexpr double p[] = {2.0,
                          64.81070633939235,
                          1064.4301435477307,
                          11444.87296080529,
                          88378.40291922785,
                          509872.95951133827,
                          2223675.112068429,
                          7256342.548328191,
                          17060729.720547702,
                          26400821.701150455,
                          20885875.918430157};
  constexpr double q[] = {1.0,
                          32.40535316969641,
                          535.2150717737228,
                          5819.652539945048,
                          45773.84667089203,
                          271714.9252555278,
                          1238126.5651024398,
                          4327811.751425456,
                          11391741.661235908,
                          21600792.962350633,
                          26771655.25520426};
  constexpr double q_of_zero = 16664517.93415979;
  const V c = smaller(distance, broadcast<V>(1e20));
  MillsTail<V> tail;
  tail.p = evaluate(p, c);
  tail.q = evaluate(q, c) * c + q_of_zero;
  tail.d = c * tail.q + tail.p;
  tail.f = c * tail.d + tail.q;
  return tail;
}

}  // namespace tokumei::numeric
